import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { evaluating } from '../../server/test/evaluating.ts'
import { knowledge } from '../../server/test/knowledge.ts'
import { startReceiver } from '../../server/test/receiver.ts'
import { violations } from './accessibility.ts'
import { stagedWorkspace } from './console.ts'

/** As long as names get, without a space to break at. */
const longWord = 'Rindfleischetikettierung'.repeat(9).slice(0, 200)
const longUrl = `https://a.example/${'x'.repeat(91)}`

/** Every page as a path and a text that is on it, but not on the page before. */
async function everyPage() {
  const workspace = await stagedWorkspace(
    { deltas: ['**Yes**, with [a link](https://a.example).', longWord], usage: { input: 100, output: 10 } },
    { name: longWord, description: longWord },
  )
  const { agent, model, post, put, talk, say } = workspace
  const create = async (path: string, body: object) => (await post(path, body)).body.data.id
  await put(`/models/${model}`, { pricing: { input: 0.001, output: 0.0021 } }) // for costs with many digits
  const { make, upload, settled, documents } = knowledge(workspace)
  const source = await make({ name: longWord, description: longUrl })
  await upload(source, {
    'tea.md': `# Tea\n\nGreen tea is brewed hot.\n\n## ${longWord}\n\n${longWord}`,
    [`${longWord.slice(0, 150)}.md`]: `# ${longWord}\n\n${longWord}`,
    'damaged.pdf': '%PDF-1.7 not really',
  })
  await settled(source)
  const document = (await documents(source)).find(({ name }) => name === 'tea.md')?.id
  const tool = { name: longWord, description: longWord }
  const rag = await create('/rag-tools', { ...tool, knowledge_source_id: source })
  const retrieval = await create('/retrieval-tools', { name: 'retrieval', knowledge_source_ids: [source] })
  const weather = { name: 'api', description: 'Weather.', url: 'https://a.example/{city}', requires_approval: true }
  const api = await create('/api-tools', weather)
  await create('/api-tools', { name: `call_${'x'.repeat(59)}`, description: 'Long.', url: longUrl })
  await create('/agents', { name: `An agent whose name goes on ${'and on '.repeat(20)}`.trim() })
  const prompt = { name: longWord, description: longWord, template: `As {{persona}}. ${longWord}` }
  const template = await create('/prompt-templates', prompt)
  const conversation = await talk()
  await put(`/conversations/${conversation}`, { title: longWord })
  await say(conversation, `Is it so? ${longWord}`)
  const { create: createEvaluation, run, ended } = evaluating(workspace)
  const evaluation = await createEvaluation({
    name: longWord,
    description: longWord,
    type: 'agent',
    target_id: agent,
    test_cases: [{ input: 'Is it so?', expected_output: 'Yes' }, { input: longWord }],
    scorers: [{ type: 'similarity' }, { type: 'contains', config: { values: ['Yes'] } }],
  })
  const first = await run(evaluation)
  await ended(evaluation, first)
  await ended(evaluation, await run(evaluation))
  const notRun = await createEvaluation({
    name: 'Not run',
    type: 'agent',
    target_id: agent,
    test_cases: [{ input: longWord }],
    scorers: [{ type: 'similarity' }],
  })
  const receiver = await startReceiver()
  const webhook = await create('/webhooks', { url: receiver.url, events: ['*'], description: longWord })
  await post(`/webhooks/${webhook}/test`)
  const idleWebhook = await create('/webhooks', { url: longUrl, events: ['*'], description: longWord })
  await post('/usage/thresholds', { name: longWord, metric: 'cost', limit: 1, window: 'month', action: 'block' })
  const pages: [path: string, text: string | RegExp][] = [
    ['/', 'Cost today'],
    ['/agents', 'Search agents'],
    [`/agents/${agent}?conversation=${conversation}`, /\d+ tokens/],
    ['/knowledge', 'Search sources'],
    ['/knowledge?new=yes', 'Create source'],
    [`/knowledge/${source}`, 'tea.md'],
    [`/knowledge/${source}?tab=search`, 'Search query'],
    [`/knowledge/${source}?tab=syncs`, 'completed'],
    [`/knowledge/${source}?tab=settings`, 'No unsaved changes'],
    [`/knowledge/${source}/documents/${document}?start=7&end=20`, 'is brewed hot.'],
    [`/knowledge/${source}/documents/${document}?tab=chunks`, 'Show in text'],
    ['/tools', 'Weather.'],
    ['/tools?new=rag', 'New RAG tool'],
    ['/tools?new=api', 'New API tool'],
    ['/tools?new=import', 'Show operations'],
    [`/tools/rag/${rag}`, 'Index status'],
    [`/tools/retrieval/${retrieval}`, 'Ranking'],
    [`/tools/api/${api}`, 'city (required)'],
    ['/prompts', 'Search prompts'],
    [`/prompts/${template}`, 'Preview'],
    ['/chat', /^Message /],
    ['/approvals', 'Nothing waits for approval'],
    [`/chat?conversation=${conversation}`, /\d+ tokens/],
    ['/models', 'Local extractive'],
    ['/models?new=yes', 'The API key is stored encrypted'],
    ['/conversations?from=2020-01-01', 'Search messages and titles'],
    [`/conversations/${conversation}`, /\d+ tokens/],
    ['/evaluations', 'Search evaluations'],
    ['/evaluations?new=yes', 'First question'],
    [`/evaluations/${notRun}`, 'No runs yet'],
    [`/evaluations/${evaluation}?compare=${first}`, 'Comparison'],
    [`/evaluations/${evaluation}?tab=cases`, 'Add case'],
    [`/evaluations/${evaluation}?tab=cases&import=yes`, 'Or paste cases'],
    [`/evaluations/${evaluation}?tab=setup`, 'Required pass rate'],
    ['/usage', 'Cost per day'],
    ['/analytics', 'Response time'],
    ['/webhooks', 'Notify your own services'],
    ['/webhooks?new=yes', 'Create webhook'],
    [`/webhooks/${webhook}`, 'webhook.test'],
    [`/webhooks/${idleWebhook}`, 'No deliveries yet'],
    ['/people', 'Search people'],
    ['/settings', 'New token'],
    ['/settings?tab=workspaces', 'Workspaces are isolated'],
    ['/settings?tab=audit', 'Who changed what'],
    ['/nowhere', 'Page not found'],
  ]
  return { workspace, pages }
}

/** Roles and names are the same in both looks. */
const rulesOfLooks = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'aria-hidden-focus']
const looks = [
  { name: 'light, 1280 wide', colorScheme: 'light', width: 1280, scope: {} },
  { name: 'dark, 390 wide', colorScheme: 'dark', width: 390, scope: { rules: rulesOfLooks } },
] as const

/** Elements beyond the right edge of the window, unless they can be scrolled to or are cut off on purpose. */
const beyondWindow = `[...document.querySelectorAll('body *')]
  .filter((element) => {
    const { right, width, height } = element.getBoundingClientRect()
    if (width <= 1 || height <= 1 || right <= innerWidth + 1) return false
    for (let above = element.parentElement; above && above !== document.body; above = above.parentElement) {
      const edge = above.getBoundingClientRect().right
      if (getComputedStyle(above).overflowX !== 'visible' && edge <= innerWidth + 1 && above.localName !== 'main') return false
    }
    return true
  })
  .map((element) => 'is beyond the window: ' + element.outerHTML.slice(0, 160))`

/** Boxes that scroll sideways, figures that wrap, and text that overflows its box. */
const overflowing = `(() => {
  const scrolling = [document.documentElement, ...document.querySelectorAll('main, .table-frame')]
    .filter((box) => box.scrollWidth > box.clientWidth + 1)
    .map((box) => 'scrolls: ' + (box.getAttribute('aria-label') ?? box.localName))
  const wrapped = [...document.querySelectorAll('.stat strong')]
    .filter((figure) => figure.clientHeight > 40)
    .map((figure) => 'wraps: ' + figure.textContent)
  const boxes = '.card, td, .chat, .page-titles, main'
  const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT)
  const overflows = []
  while (texts.nextNode()) {
    const range = document.createRange()
    range.selectNodeContents(texts.currentNode)
    const { right, width } = range.getBoundingClientRect()
    if (width <= 1) continue
    let above = texts.currentNode.parentElement
    for (; above && !above.matches(boxes); above = above.parentElement)
      if (getComputedStyle(above).overflowX !== 'visible') break
    if (above?.matches(boxes) && right > above.getBoundingClientRect().right + 1)
      overflows.push('overflows: ' + texts.currentNode.textContent.slice(0, 40) + ' in ' + (above.className || above.localName))
  }
  return [...scrolling, ...wrapped, ...overflows]
})()`

async function problemsOf(page: Page, path: string): Promise<string[]> {
  const found: string[] = []
  for (const { name, colorScheme, width, scope } of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 800 })
    // Two frames, so that scripts that follow the width have run.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    const label = `${path} (${name})`
    found.push(...(await violations(page, label, scope)))
    for (const check of [beyondWindow, overflowing]) {
      const problems = (await page.evaluate(check)) as string[]
      found.push(...problems.slice(0, 2).map((problem) => `${label} ${problem}`))
    }
  }
  return found
}

it('every page is accessible and fits, with long names, light on a desktop and dark on a phone', async () => {
  const { workspace, pages } = await everyPage()
  const { page, problems, goTo } = await workspace.open('/', { token: null })
  await page.getByRole('heading', { name: 'Sign in to Parley' }).waitFor()
  const found = await problemsOf(page, 'sign-in')
  await page.goto(`${workspace.url}/#token=${workspace.token}`)
  for (const [path, text] of pages) {
    await goTo(path)
    await page.getByText(text).or(page.getByPlaceholder(text)).first().waitFor()
    await expect.poll(() => page.locator('main .loading').count(), { timeout: 10_000 }).toBe(0)
    found.push(...(await problemsOf(page, path)))
  }
  expect(found).toEqual([])
  expect(problems).toEqual([])
}, 300_000)
