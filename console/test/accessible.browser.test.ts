import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { evaluating } from '../../server/test/evaluating.ts'
import { knowledge } from '../../server/test/knowledge.ts'
import { startReceiver } from '../../server/test/receiver.ts'
import { stage } from '../../server/test/stage.ts'
import { barriers, openConsole, withConsole } from './open.ts'

beforeAll(async () => void (await withConsole()), 60_000)

/** Every page as a path and a text that stands on it, and not on the one before. */
async function everyPage() {
  const service = await stage(
    { deltas: ['**Yes**, with [a link](https://a.example).'] },
    { environment: { RATE_LIMIT: '0', EGRESS_ALLOW: '127.0.0.1' } },
  )
  const { agent, post, talk, say } = service
  const { make, upload, settled, documents } = knowledge(service)
  const source = await make({ name: 'Papers' })
  await upload(source, { 'tea.md': '# Tea\n\nGreen tea is brewed hot.', 'damaged.pdf': '%PDF-1.7 not really' })
  await settled(source)
  const document = (await documents(source)).find(({ name }) => name === 'tea.md')?.id
  const tool = async (kind: string, body: object) =>
    (await post(`/${kind}-tools`, { name: kind, ...body })).body.data.id
  const rag = await tool('rag', { knowledge_source_id: source })
  const retrieval = await tool('retrieval', { knowledge_source_ids: [source] })
  const api = await tool('api', { description: 'Weather.', url: 'https://a.example/{city}', requires_approval: true })
  // Names as long as they come, some without a space to break them at.
  await tool('api', { name: `call_${'x'.repeat(59)}`, description: 'Long.', url: 'https://a.example/' })
  await post('/agents', { name: `An agent whose name goes on ${'and on '.repeat(20)}`.trim() })
  const template = (await post('/prompt-templates', { name: 'Tutor', template: 'As {{persona}}.' })).body.data.id
  const conversation = await talk()
  await say(conversation, 'Is it so?')
  const { create, run, ended } = evaluating(service)
  const evaluation = await create({
    name: 'Answers',
    type: 'agent',
    target_id: agent,
    test_cases: [{ input: 'Is it so?', expected_output: 'Yes' }, { input: 'Why?' }],
    scorers: [{ type: 'similarity' }, { type: 'contains', config: { values: ['Yes'] } }],
  })
  const first = await run(evaluation)
  await ended(evaluation, first)
  await ended(evaluation, await run(evaluation))
  const receiver = await startReceiver()
  const hook = { url: receiver.url, events: ['*'], description: 'To the CRM' }
  const webhook = (await post('/webhooks', hook)).body.data.id
  await post(`/webhooks/${webhook}/test`)
  await post('/usage/thresholds', { name: 'Monthly', metric: 'cost', limit: 1, window: 'month', action: 'block' })
  const pages: [path: string, text: string | RegExp][] = [
    ['/', 'Recent conversations'],
    ['/agents', 'Search agents'],
    [`/agents/${agent}?conversation=${conversation}`, /\d+ tokens/],
    ['/knowledge', 'Papers'],
    ['/knowledge?new=yes', 'Create source'],
    [`/knowledge/${source}`, 'tea.md'],
    [`/knowledge/${source}?tab=search`, 'What to look for'],
    [`/knowledge/${source}?tab=syncs`, 'completed'],
    [`/knowledge/${source}?tab=settings`, 'Everything is saved.'],
    [`/knowledge/${source}/documents/${document}?start=7&end=20`, 'is brewed hot.'],
    [`/knowledge/${source}/documents/${document}?tab=chunks`, 'Show in the text'],
    ['/tools', 'Weather.'],
    ['/tools?new=rag', 'New RAG tool'],
    ['/tools?new=api', 'New API tool'],
    ['/tools?new=import', 'Show operations'],
    [`/tools/rag/${rag}`, 'Index state'],
    [`/tools/retrieval/${retrieval}`, 'Ranking'],
    [`/tools/api/${api}`, 'city (required)'],
    ['/prompts', 'Tutor'],
    [`/prompts/${template}`, 'Preview'],
    ['/models', 'Local extractive'],
    ['/models?new=yes', 'The key is kept encrypted'],
    ['/conversations', 'Is it so?'],
    [`/conversations/${conversation}`, /\d+ tokens/],
    ['/evaluations', 'Answers'],
    ['/evaluations?new=yes', 'First question'],
    [`/evaluations/${evaluation}?compare=${first}`, 'Compared with the other run'],
    [`/evaluations/${evaluation}?tab=cases`, 'Add case'],
    [`/evaluations/${evaluation}?tab=cases&import=yes`, 'Or paste them'],
    [`/evaluations/${evaluation}?tab=setup`, 'Good enough from'],
    ['/usage', 'Cost a day'],
    ['/analytics', 'How long an answer takes'],
    ['/webhooks', 'To the CRM'],
    ['/webhooks?new=yes', 'Create webhook'],
    [`/webhooks/${webhook}`, 'webhook.test'],
    ['/settings', 'New token'],
    ['/settings?tab=workspaces', 'Workspaces are worlds apart'],
    ['/settings?tab=audit', 'Who changed what'],
    ['/nowhere', 'There is no such page'],
  ]
  return { service, pages }
}

/** As the page is at a desk, light, and at once on a phone, dark. */
const looks = [
  { name: 'light, 1280 wide', colorScheme: 'light', width: 1280 },
  { name: 'dark, 390 wide', colorScheme: 'dark', width: 390 },
] as const

/** What stands beyond the edge of the window, unless it can be scrolled to or is cut short on purpose. */
const cutOff = `[...document.querySelectorAll('body *')]
  .filter((element) => {
    const { right, width, height } = element.getBoundingClientRect()
    if (width <= 1 || height <= 1 || right <= innerWidth + 1) return false
    for (let above = element.parentElement; above && above !== document.body; above = above.parentElement) {
      const edge = above.getBoundingClientRect().right
      if (getComputedStyle(above).overflowX !== 'visible' && edge <= innerWidth + 1 && above.localName !== 'main') return false
    }
    return true
  })
  .map((element) => element.outerHTML.slice(0, 160))`

async function lookAt(page: Page, path: string): Promise<string[]> {
  const found: string[] = []
  for (const { name, colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 800 })
    // What follows the width by itself has done so after two frames.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    found.push(...(await barriers(page, `${path} (${name})`)))
    const cut = (await page.evaluate(cutOff)) as string[]
    if (cut.length > 0) found.push(`${path} (${name}) is too wide: ${cut[0]}`)
  }
  return found
}

it('no page keeps anybody out, neither light at a desk nor dark on a phone', async () => {
  const { service, pages } = await everyPage()
  const { url, token } = service
  const { page, problems } = await openConsole(url, null)
  await page.getByRole('heading', { name: 'Sign in to Parley' }).waitFor()
  const found = await lookAt(page, 'sign-in')
  await page.evaluate(`sessionStorage.setItem('parley-token', ${JSON.stringify(token)})`)
  await page.goto(url)
  for (const [path, text] of pages) {
    // Within the page, as a link would: loading it anew each time takes longer than looking at it.
    await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`)
    await page.getByText(text).or(page.getByPlaceholder(text)).first().waitFor()
    found.push(...(await lookAt(page, path)))
  }
  expect(found).toEqual([])
  expect(problems).toEqual([])
}, 300_000)
