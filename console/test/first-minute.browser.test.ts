import { startSite } from '@parley/crawler/testing'
import type { OnProgress } from '@parley/documents'
import { makePdf } from '@parley/documents/testing'
import { expect, it } from 'vitest'
import { fixTime } from '../../server/test/browser.ts'
import { until } from '../../server/test/harness.ts'
import { pausedParser } from '../../server/test/paused-parser.ts'
import { expectAccessible } from './accessibility.ts'
import { type Workspace, workspace } from './console.ts'

it('goes from sign-in to a cited answer from a PDF in four actions', async () => {
  const { open } = await workspace()
  const { page, problems } = await open('/') // 1. Sign in.
  const pages = ['Welcome to the handbook.', 'Parental leave lasts 26 weeks for every parent.']
  // 2. Drop a file anywhere on the page.
  const bytes = [...makePdf(pages)]
  await page.getByLabel('Drop files here or browse').waitFor()
  await page.evaluate(`{
    const transfer = new DataTransfer()
    transfer.items.add(new File([new Uint8Array(${JSON.stringify(bytes)})], 'leave.pdf'))
    for (const type of ['dragover', 'drop'])
      document.querySelector('h1').dispatchEvent(
        new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }),
      )
  }`)
  const progress = page.getByRole('status').filter({ hasText: 'documents read' }).or(page.getByText('Ready to ask'))
  await progress.first().waitFor()
  await page.getByText('1 of 1 document read, 2 pages').waitFor()
  await expectAccessible(page, 'Home', { within: 'main' })
  await page.getByRole('button', { name: 'Ask these documents' }).click() // 3.
  await page.waitForURL(/\/chat\?agent=agt_/)
  await page.getByRole('heading', { name: 'Chat with leave' }).waitFor()
  await page.getByLabel('Message', { exact: true }).fill('How long is parental leave?') // 4.
  await page.keyboard.press('Enter')
  const reply = page.getByRole('article', { name: 'Reply' })
  await reply.locator('.markdown').getByText('Parental leave lasts 26 weeks for every parent.').waitFor()
  await reply.getByRole('button', { name: 'Source 1: leave.pdf' }).first().waitFor()
  expect(problems).toEqual([])
})

it('shows how far a long file is, on Home and at its source', async () => {
  const service = await workspace()
  const { open, post } = service
  const { id } = (await post('/knowledge-sources', { name: 'Files', type: 'file' })).body.data
  const [home, source] = [await open('/'), await open(`/knowledge/${id}`)]
  let { page } = home
  /** Reports progress until the page shows it. */
  const reportUntil = (text: string, done: number, total: number) => async (onProgress: OnProgress) => {
    const timer = setInterval(() => onProgress(done, total), 100)
    await page.getByText(text).waitFor()
    clearInterval(timer)
    await expectAccessible(page, text, { within: 'main' })
  }
  pausedParser(service, {
    read: reportUntil('Reading long.pdf: Page 120 of 231', 120, 231),
    prepare: reportUntil('Reading long.pdf: Passage 500 of 1,700', 500, 1700),
  })
  const file = { name: 'long.pdf', mimeType: 'application/pdf', buffer: Buffer.from(makePdf(['One.', 'Two.'])) }
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByText('Ready to ask').waitFor()
  page = source.page
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByText('Last synced').waitFor()
  expect([...home.problems, ...source.problems]).toEqual([])
})

it('counts a file that is read while the console asks for those that are not', async () => {
  const service = await workspace()
  const asked = Promise.withResolvers<void>()
  pausedParser(service, { read: () => asked.promise, prepare: async () => {} })
  const { page, problems } = await service.open('/')
  const documents = async (query: string) => {
    const [source] = (await service.get('/knowledge-sources')).body.data
    return (await service.get(`/knowledge-sources/${source.id}/documents?${query}`)).body.pagination.total
  }
  const file = { name: 'one.md', mimeType: 'text/markdown', buffer: Buffer.from('# One\n\nText.\n') }
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByText('Reading one.md').waitFor()
  const whichArePending = /documents\?.*status=pending/
  for (let polls = 0; polls < 2; polls++) await page.waitForResponse(whichArePending)
  await page.route(whichArePending, async (route) => {
    asked.resolve()
    await until(async () => (await documents('status=indexed')) > 0)
    await route.continue()
  })
  await page.getByText('1 of 1 document read').waitFor()
  await page.getByText('Ready to ask').waitFor()
  expect(problems).toEqual([])
})

it('opens on the guide, which answers a suggested question', async () => {
  const service = await workspace()
  await createGuide(service)
  const { page, problems } = await service.open('/')
  await page.getByRole('heading', { name: 'Ask how something works' }).waitFor()
  await expectAccessible(page, 'Home', { within: 'main' })
  await page.getByRole('button', { name: 'What is Parley?' }).click()
  const reply = page.getByRole('article', { name: 'Reply' })
  await reply.locator('.markdown').getByText('Parley is a self-hosted platform').waitFor()
  await reply.getByRole('button', { name: 'Source 1: about.md' }).waitFor()
  await page.reload()
  await reply.locator('.markdown').getByText('Parley is a self-hosted platform').waitFor()
  await page.setViewportSize({ width: 390, height: 800 })
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  expect(problems).toEqual([])
})

it('leads with what waits after the first day, and keeps the guide behind a button', async () => {
  const service = await workspace()
  const { agent } = await createGuide(service)
  const { url } = await startSite({})
  const made = { name: 'Broken', type: 'web', configuration: { urls: [url] } }
  const { id } = (await service.post('/knowledge-sources', made)).body.data
  await service.post(`/knowledge-sources/${id}/sync`, {})
  await until(async () => (await service.get(`/knowledge-sources/${id}`)).body.data.status === 'error')
  await service.post('/conversations', { agent_id: agent, title: 'A talk' })
  const { page, problems, goTo } = await service.open('/agents')
  await fixTime(page, new Date(Date.now() + 2 * 86_400_000))
  await goTo('/')
  await page.getByRole('link', { name: 'Broken was not read' }).waitFor()
  await page.getByRole('row', { name: 'A talk' }).waitFor()
  await page.getByRole('row', { name: 'Parley guide' }).last().waitFor()
  expect(await page.getByRole('heading', { name: 'Ask how something works' }).count()).toBe(0)
  await expectAccessible(page, 'Home', { within: 'main' })
  await page.getByRole('button', { name: 'Ask the guide' }).click()
  await page.getByRole('heading', { name: 'Ask how something works' }).waitFor()
  await page.getByRole('link', { name: 'All systems operational' }).click()
  await page.getByRole('row', { name: /Database sqlite operational/i }).waitFor()
  await page.getByText('People sign in with a token or an invitation link.').waitFor()
  await expectAccessible(page, 'Status', { within: 'main' })
  expect(problems).toEqual([])
})

it('asks the documents of a source with the agent that it has', async () => {
  const service = await workspace()
  const { agent, source } = await createGuide(service)
  const { page } = await service.open(`/knowledge/${source}`)
  await page.getByRole('button', { name: 'Ask these documents' }).click()
  await page.waitForURL(`**/chat?agent=${agent}`)
  expect((await service.get('/rag-tools')).body.pagination.total).toBe(1)
})

async function createGuide({ post }: Workspace): Promise<{ agent: string; source: string }> {
  const documents = [{ title: 'about.md', content: '# About\n\nParley is a self-hosted platform for agents.\n' }]
  const made = await post('/knowledge-sources', { name: 'About', type: 'text', configuration: { documents } })
  const tool = { name: 'About', description: 'Searches documents.', knowledge_source_id: made.body.data.id }
  const tools = [(await post('/rag-tools', tool)).body.data.id]
  const isRead = async () =>
    (await post(`/rag-tools/${tools[0]}/query`, { query: 'Parley' })).body.data.results.length > 0
  await until(isRead)
  const agent = (await post('/agents', { name: 'Parley guide', tools, metadata: { demo: 'true' } })).body.data.id
  return { agent, source: made.body.data.id }
}
