import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { evaluating } from '../../server/test/evaluating.ts'
import { knowledge } from '../../server/test/knowledge.ts'
import { mayCallLoopback } from '../../server/test/scripted-api.ts'
import { stage } from '../../server/test/stage.ts'
import { openConsole, withConsole } from './open.ts'

beforeAll(async () => void (await withConsole()), 60_000)

const word = 'Rindfleischetikettierung'.repeat(9).slice(0, 200)
const address = `https://a.example/${'x'.repeat(91)}`

/** Where the page can be scrolled sideways, and what is written over the edge of its box. */
const tooWide = `(() => {
  const scrolled = [document.documentElement, ...document.querySelectorAll('main, .table-frame')]
    .filter((box) => box.scrollWidth > box.clientWidth + 1)
    .map((box) => 'scrolls: ' + (box.getAttribute('aria-label') ?? box.localName))
  const broken = [...document.querySelectorAll('.stat strong')]
    .filter((figure) => figure.clientHeight > 40)
    .map((figure) => 'is broken: ' + figure.textContent)
  const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT)
  const over = []
  while (texts.nextNode()) {
    const range = document.createRange()
    range.selectNodeContents(texts.currentNode)
    const { right, width } = range.getBoundingClientRect()
    if (width <= 1) continue
    let above = texts.currentNode.parentElement
    for (; above && !above.matches('.card, td, .chat, .page-titles, main'); above = above.parentElement)
      if (getComputedStyle(above).overflowX !== 'visible') break
    if (above?.matches('.card, td, .chat, .page-titles, main') && right > above.getBoundingClientRect().right + 1)
      over.push('is cut: ' + texts.currentNode.textContent.slice(0, 40) + ' in ' + (above.className || above.localName))
  }
  return [...scrolled, ...broken, ...over]
})()`

async function everythingLong() {
  const service = await stage({ deltas: [word], usage: { input: 100, output: 10 } }, mayCallLoopback, {
    name: word,
    description: word,
  })
  const { agent, model, post, put, talk, say } = service
  await put(`/models/${model}`, { pricing: { input: 0.001, output: 0.0021 } })
  const { make, upload, settled } = knowledge(service)
  const source = await make({ name: word, description: address })
  await upload(source, { [`${word.slice(0, 150)}.md`]: `# ${word}\n\n${word}` })
  await settled(source)
  const made = async (path: string, body: object) => (await post(path, body)).body.data.id
  const rag = await made('/rag-tools', { name: word, description: word, knowledge_source_id: source })
  const template = await made('/prompt-templates', { name: word, description: word, template: `${word} {{name}}` })
  const webhook = await made('/webhooks', { url: address, events: ['*'], description: word })
  await post('/usage/thresholds', { name: word, metric: 'cost', limit: 1, window: 'month', action: 'block' })
  const conversation = await talk()
  await put(`/conversations/${conversation}`, { title: word })
  await say(conversation, word)
  const evaluation = await evaluating(service).create({
    name: word,
    description: word,
    type: 'agent',
    target_id: agent,
    test_cases: [{ input: word }],
    scorers: [{ type: 'similarity' }],
  })
  const paths = [
    ...['/', '/agents', '/knowledge', '/tools', '/prompts', '/models', '/conversations', '/evaluations'],
    ...['/usage', '/analytics', '/webhooks', '/settings'],
    `/agents/${agent}`,
    `/knowledge/${source}`,
    `/tools/rag/${rag}`,
    `/prompts/${template}`,
    `/conversations/${conversation}`,
    `/evaluations/${evaluation}`,
    `/webhooks/${webhook}`,
  ]
  return { ...service, paths }
}

async function widthsOf(page: Page, path: string): Promise<string[]> {
  const found: string[] = []
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    found.push(...((await page.evaluate(tooWide)) as string[]).map((what) => `${path} (${width}) ${what}`))
  }
  return found
}

it('words without an end and the smallest costs stay within their boxes', async () => {
  const { url, token, paths } = await everythingLong()
  const { page, problems } = await openConsole(url, token)
  await page.getByText('Cost today').waitFor()
  const found: string[] = []
  for (const path of paths) {
    await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`)
    await page.waitForLoadState('networkidle')
    await page.locator('main h1').waitFor()
    await expect.poll(() => page.locator('main .loading').count(), { timeout: 10_000 }).toBe(0)
    found.push(...(await widthsOf(page, path)))
  }
  expect(found).toEqual([])
  expect(problems).toEqual([])
}, 300_000)
