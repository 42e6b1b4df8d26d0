import { expect, it } from 'vitest'
import { evaluating } from '../../server/test/evaluating.ts'
import { knowledge } from '../../server/test/knowledge.ts'
import { expectNoButtons, stagedWorkspace, workspace } from './console.ts'

/** Each page that a viewer can open, a text that only it has, and the buttons that are hidden. */
async function pagesForViewer() {
  const here = await stagedWorkspace({ deltas: ['Hi'] })
  const create = async (path: string, body: object) => (await here.post(path, body)).body.data.id
  const { make, upload, settled, documents } = knowledge(here)
  const source = await make({ name: 'Papers' })
  await upload(source, { 'tea.md': 'Green tea.' })
  await settled(source)
  const [document] = await documents(source)
  const rag = await create('/rag-tools', { name: 'Ask', knowledge_source_id: source })
  const auth = { type: 'bearer', token: 'x' }
  const api = await create('/api-tools', { name: 'call', description: 'Calls.', url: 'https://a.example/', auth })
  const { create: createEvaluation, run, ended } = evaluating(here)
  const cases = [{ input: 'Hi', expected_output: 'Hi' }]
  const evaluation = await createEvaluation({ type: 'agent', target_id: here.agent, test_cases: cases })
  await ended(evaluation, await run(evaluation))
  await here.put(`/agents/${here.agent}`, { max_steps: 3 })
  const variants = [1, 2].map((version) => ({ version, weight: 1 }))
  const compared = { name: 'Steps', agent_id: here.agent, variants, metric: 'cost' }
  const experiment = await create('/experiments', compared)
  const webhook = await create('/webhooks', { url: 'https://example.com/hook', events: ['*'] })
  const action = { type: 'message', agent_id: here.agent, message: 'Report' }
  const schedule = await create('/schedules', { name: 'Nightly', cron: '0 3 * * *', action })
  const trigger = await create('/triggers', { name: 'Tickets', agent_id: here.agent, template: 'New' })
  const budget = { name: 'Monthly', metric: 'cost', limit: 1, window: 'month', action: 'notify' }
  await here.post('/usage/thresholds', budget)
  const pages: [path: string, text: string, hidden: string[]][] = [
    [`/agents/${here.agent}`, 'Be kind.', ['Save', 'Send', 'Delete agent']],
    ['/models', 'Local extractive', ['Connect a model', 'Test Local extractive']],
    ['/settings', 'this session', ['New token']],
    [`/knowledge/${source}`, 'tea.md', ['Sync now', 'Delete source', 'Delete tea.md']],
    [`/knowledge/${source}/documents/${document.id}`, 'Green tea.', ['Delete document']],
    [`/tools/rag/${rag}`, 'Index status', ['Save', 'Ask', 'Delete tool']],
    [`/tools/api/${api}`, 'Limits', ['Save', 'Call', 'Delete tool']],
    ['/evaluations', 'Scorers', ['New evaluation']],
    [`/evaluations/${evaluation}`, '1 passed, 0 failed', ['Run', 'Delete evaluation']],
    [`/evaluations/${evaluation}?tab=cases`, 'Search cases', ['Add case', 'Import', 'Edit case 1']],
    [`/evaluations/${evaluation}?tab=setup`, 'Required pass rate', ['Add scorer', 'Save']],
    [`/experiments/${experiment}`, 'Not enough data yet', ['Start', 'Promote', 'Delete experiment']],
    [`/webhooks/${webhook}`, 'https://example.com/hook', ['Send test event', 'Disable', 'Rotate secret']],
    [`/schedules/${schedule}`, 'No runs yet', ['Run now', 'Disable', 'Delete schedule']],
    [`/schedules/${schedule}?tab=settings`, 'At 03:00', ['Save']],
    [`/triggers/${trigger}`, 'Nothing has come in yet', ['Disable', 'Rotate secret', 'Delete trigger']],
    [`/triggers/${trigger}?tab=settings`, 'Template', ['Save']],
    ['/usage', 'Monthly', ['New budget', 'Edit Monthly']],
    ['/analytics', 'Response time', []],
  ]
  return { here, pages }
}

/** URLs that ask for a create dialog, with a text of the page. No two pages in a row are the same. */
const createDialogs = [
  ['/agents?new=yes', 'Search agents'],
  ['/tools?new=rag', 'Let agents search'],
  ['/knowledge?new=yes', 'Search sources'],
  ['/tools?new=api', 'Let agents search'],
  ['/prompts?new=yes', 'Search prompts'],
  ['/tools?new=import', 'Let agents search'],
  ['/evaluations?new=yes', 'Search evaluations'],
  ['/experiments?new=yes', 'Search experiments'],
  ['/models?new=yes', 'Local extractive'],
  ['/webhooks?new=yes', 'Notify your own services'],
  ['/schedules?new=yes', 'Search schedules'],
  ['/triggers?new=yes', 'Search triggers'],
  ['/settings?new=yes', 'this session'],
] as const

it('a viewer reads everything except conversations and the audit log, and changes nothing', async () => {
  const { here, pages } = await pagesForViewer()
  const { page, problems, goTo } = await here.open('/', { token: await here.tokenFor('viewer') })
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  await expect.poll(() => links.allInnerTexts()).toContain('Models')
  await expect.poll(() => links.allInnerTexts()).not.toContain('Conversations')
  const show = async (path: string, text: string) => {
    await goTo(path)
    await page.locator('main').getByText(text).or(page.getByPlaceholder(text)).first().waitFor()
  }
  for (const [path, text, hidden] of pages) {
    await show(path, text)
    await expectNoButtons(page, hidden, { exact: path.startsWith('/tools/') }) // "Ask" and "Call" are parts of other names
    if (path.startsWith('/tools/'))
      await expect.poll(() => page.getByRole('textbox', { name: 'Name' }).isDisabled()).toBe(true)
    const others = page.getByRole('tab', { name: /Search|Audit/ }).or(page.locator('input[type=file]'))
    await expect.poll(async () => [path, await others.count()]).toEqual([path, 0])
  }
  for (const [path, text] of createDialogs) {
    await show(path, text)
    await expect.poll(async () => [path, await page.getByRole('dialog').count()]).toEqual([path, 0])
  }
  expect(problems).toEqual([])
})

it('an administrator cannot revoke an owner’s token', async () => {
  const { open, tokenFor } = await workspace()
  await tokenFor('editor')
  const { page } = await open('/settings', { token: await tokenFor('admin') })
  const findRow = (role: string) => page.getByRole('row').filter({ has: page.getByText(role, { exact: true }) })
  await findRow('editor')
    .getByRole('button', { name: /^Revoke/ })
    .waitFor()
  await findRow('owner').waitFor()
  await expect.poll(() => findRow('owner').getByRole('button').count()).toBe(0)
})

it('a user sees nothing but the chat, and only their own conversations', async () => {
  const { open, post, tokenFor } = await workspace()
  const { id } = (await post('/agents', { name: 'Ada', system_prompt: 'A secret instruction.' })).body.data
  await post('/conversations', { agent_id: id, user_id: 'somebody-else', title: 'Not for you' })
  const { page, problems, goTo } = await open('/', { token: await tokenFor('user', { user_id: 'grace' }) })
  await page.waitForURL(/\/chat$/)
  await page.getByLabel('Message', { exact: true }).fill('Hello')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Good reply' }).waitFor()
  await page.getByRole('navigation', { name: 'Chats' }).getByRole('button', { name: 'Hello', exact: true }).waitFor()
  await goTo('/usage')
  await page.waitForURL(/\/chat$/)
  await expect.poll(() => page.getByRole('navigation', { name: 'Main' }).count()).toBe(0)
  const text = await page.content()
  for (const hidden of ['A secret instruction', 'Not for you', ' tokens', '$', id, 'Trace'])
    expect([hidden, text.includes(hidden)]).toEqual([hidden, false])
  expect(problems).toEqual([])
})

it('an editor builds and tries everything, and sees no administrator actions', async () => {
  const service = await workspace()
  const { open, get, tokenFor } = service
  const { page, problems } = await open('/', { token: await tokenFor('editor') })
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  const main = page.getByRole('navigation', { name: 'Main' })
  await expect
    .poll(() => main.getByRole('link').allInnerTexts())
    .toEqual(
      expect.arrayContaining(['Knowledge', 'Tools', 'Prompts', 'Conversations', 'Evaluations', 'Usage', 'Settings']),
    )
  await page.getByText('Ask a workspace administrator to do this.').waitFor()

  await page.getByRole('link', { name: 'Add knowledge' }).click()
  await page.getByLabel('Name').fill('Papers')
  await page.getByRole('button', { name: 'Create source' }).click()
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'tea.md', mimeType: 'text/markdown', buffer: Buffer.from('Green tea is brewed hot.') })
  await page.getByRole('region', { name: 'Documents' }).getByText('indexed').waitFor()

  await main.getByRole('link', { name: 'Agents', exact: true }).click()
  await page.getByRole('button', { name: 'New agent' }).first().click()
  await page.getByLabel('Name').fill('Ada')
  await page.getByRole('button', { name: 'Create agent' }).click()
  await page.getByLabel('Message', { exact: true }).fill('Hello')
  await page.keyboard.press('Enter')
  await page.getByText(/\d+ tokens/).waitFor()
  const [agent] = (await get('/agents')).body.data
  expect(agent.name).toBe('Ada')

  await main.getByRole('link', { name: 'Models', exact: true }).click()
  await page.getByRole('heading', { name: 'Models', level: 1 }).waitFor() // the page before may name the model, too
  await page.getByText('Local extractive').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Connect a model' }).count()).toBe(0)
  await main.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByText('Ask an administrator to create one.').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'New webhook' }).count()).toBe(0)
  await main.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('table').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'New token' }).count()).toBe(0)
  for (const name of ['Workspaces', 'Audit']) await expect.poll(() => page.getByRole('tab', { name }).count()).toBe(0)
  await main.getByRole('link', { name: 'Home' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Add knowledge' }).getByLabel('Done').waitFor()
  expect(problems).toEqual([])
})
