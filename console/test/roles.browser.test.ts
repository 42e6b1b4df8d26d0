import { expect, it } from 'vitest'
import { knowledge } from '../../server/test/knowledge.ts'
import { workspace } from './console.ts'

it('a viewer reads everything and changes nothing', async () => {
  const { open, post, tokenFor } = await workspace()
  const { id } = (await post('/agents', { name: 'Ada', system_prompt: 'Be kind.' })).body.data
  const { page, problems, goTo } = await open('/', { token: await tokenFor('viewer') })
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  const links = await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts()
  expect(links).toContain('Models')
  expect(links).not.toContain('Conversations')
  await goTo(`/agents/${id}`)
  await page.getByText('Be kind.').waitFor()
  for (const name of ['Save', 'Send', 'Delete agent']) expect(await page.getByRole('button', { name }).count()).toBe(0)
  await page.getByRole('link', { name: 'Models', exact: true }).click()
  await page.getByRole('heading', { name: 'Models', level: 1 }).waitFor() // the page before may name the model, too
  await page.getByText('Local extractive').waitFor()
  for (const name of ['Connect a model', 'Test Local extractive'])
    expect(await page.getByRole('button', { name }).count()).toBe(0)
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('table').waitFor()
  expect(await page.getByRole('button', { name: 'New token' }).count()).toBe(0)
  expect(problems).toEqual([])
})

it('a URL opens a create dialog only for those who may create', async () => {
  const { open, url, tokenFor } = await workspace()
  const { page, problems } = await open('/', { token: await tokenFor('viewer') })
  const lists = ['agents', 'knowledge', 'prompts', 'evaluations', 'models', 'webhooks', 'settings']
  const paths = [
    ...lists.map((list) => `${list}?new=yes`),
    ...['rag', 'api', 'import'].map((kind) => `tools?new=${kind}`),
  ]
  for (const path of paths) {
    await page.goto(`${url}/${path}`)
    await page.locator('main :is(.empty, table)').first().waitFor()
    expect([path, await page.getByRole('dialog').count()]).toEqual([path, 0])
  }
  expect(problems).toEqual([])
})

it('an administrator cannot revoke an owner’s token', async () => {
  const { open, tokenFor } = await workspace()
  await tokenFor('editor')
  const { page } = await open('/', { token: await tokenFor('admin') })
  await page.getByRole('link', { name: 'Settings' }).click()
  const rowOf = (role: string) => page.getByRole('row').filter({ has: page.getByText(role, { exact: true }) })
  await rowOf('editor')
    .getByRole('button', { name: /^Revoke/ })
    .waitFor()
  await rowOf('owner').waitFor()
  expect(await rowOf('owner').getByRole('button').count()).toBe(0)
})

it('a viewer reads documents and tools, but cannot upload, search, call or change them', async () => {
  const service = await workspace()
  const { open, url, post, tokenFor } = service
  const { make, upload, settled } = knowledge(service)
  const source = await make({ name: 'Papers' })
  await upload(source, { 'tea.md': 'Green tea.' })
  await settled(source)
  const rag = (await post('/rag-tools', { name: 'Ask', knowledge_source_id: source })).body.data.id
  const body = { name: 'call', description: 'Calls.', url: 'https://a.example/', auth: { type: 'bearer', token: 'x' } }
  const api = (await post('/api-tools', body)).body.data.id
  const { page, problems } = await open('/', { token: await tokenFor('viewer') })
  await page.getByRole('link', { name: 'Knowledge', exact: true }).click()
  await page.getByRole('link', { name: 'Papers' }).click()
  await page.getByRole('link', { name: 'tea.md' }).waitFor()
  for (const name of ['Sync now', 'Delete source', 'Delete tea.md'])
    expect(await page.getByRole('button', { name }).count()).toBe(0)
  expect(await page.getByRole('tab', { name: 'Search' }).count()).toBe(0)
  expect(await page.locator('input[type=file]').count()).toBe(0)
  await page.getByRole('link', { name: 'tea.md' }).click()
  await page.getByText('Green tea.').waitFor()
  for (const path of [`/tools/rag/${rag}`, `/tools/api/${api}`]) {
    await page.goto(`${url}${path}`)
    await page.getByRole('textbox', { name: 'Name' }).waitFor()
    expect(await page.getByRole('textbox', { name: 'Name' }).isDisabled()).toBe(true)
    for (const name of ['Save', 'Ask', 'Call', 'Delete tool'])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
  }
  expect(problems).toEqual([])
})

it('a user chats with agents and sees only their own conversations', async () => {
  const { open, post, tokenFor } = await workspace()
  const { id } = (await post('/agents', { name: 'Ada', system_prompt: 'A secret instruction.' })).body.data
  await post('/conversations', { agent_id: id, user_id: 'somebody-else', title: 'Not for you' })
  const { page, problems } = await open('/', { token: await tokenFor('user', { user_id: 'grace' }) })
  await page.getByRole('heading', { name: 'Welcome, grace' }).waitFor()
  const links = await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts()
  expect(links).toEqual(['Home', 'Agents', 'Conversations'])
  await page.getByRole('link', { name: 'Agents', exact: true }).click()
  await page.getByRole('link', { name: 'Ada' }).click()
  await page.getByLabel('Message', { exact: true }).fill('Hello')
  await page.keyboard.press('Enter')
  await page.getByText(/\d+ tokens/).waitFor()
  expect(await page.content()).not.toContain('A secret instruction')
  await page.getByRole('link', { name: 'Conversations' }).click()
  await page.getByRole('link', { name: 'Hello' }).waitFor()
  expect(await page.content()).not.toContain('Not for you')
  expect(problems).toEqual([])
})

it('an editor builds and tries everything, and sees no administrator actions', async () => {
  const service = await workspace()
  const { open, get, tokenFor } = service
  const { page, problems } = await open('/', { token: await tokenFor('editor') })
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  const main = page.getByRole('navigation', { name: 'Main' })
  const links = await main.getByRole('link').allInnerTexts()
  for (const name of ['Knowledge', 'Tools', 'Prompts', 'Conversations', 'Evaluations', 'Usage'])
    expect(links).toContain(name)
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
  expect(await page.getByRole('button', { name: 'Connect a model' }).count()).toBe(0)
  await main.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByText('Ask an administrator to create one.').waitFor()
  expect(await page.getByRole('button', { name: 'New webhook' }).count()).toBe(0)
  await main.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('table').waitFor()
  expect(await page.getByRole('button', { name: 'New token' }).count()).toBe(0)
  for (const name of ['Workspaces', 'Audit']) expect(await page.getByRole('tab', { name }).count()).toBe(0)
  await main.getByRole('link', { name: 'Home' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Add knowledge' }).getByLabel('Done').waitFor()
  expect(problems).toEqual([])
})
