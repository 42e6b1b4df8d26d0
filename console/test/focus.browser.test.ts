import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { startService } from '../../server/test/harness.ts'
import { knowledge } from '../../server/test/knowledge.ts'
import { barriers, openConsole, withConsole } from './open.ts'

beforeAll(async () => void (await withConsole()), 60_000)

const patiently = { timeout: 10_000 }
const focused = (page: Page) =>
  page.evaluate(`document.activeElement.localName + ': ' + document.activeElement.textContent`)

it('whoever makes or deletes something goes on from the heading of the page', async () => {
  const service = await startService()
  const { url, token } = service
  const { make, upload, settled } = knowledge(service)
  const source = await make({ name: 'Papers' })
  await upload(source, { 'tea.md': 'Green tea.', 'mate.md': 'Mate.' })
  await settled(source)
  const { page, problems } = await openConsole(url, token)
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  // Who has just come begins at the top.
  expect(await focused(page)).toMatch(/^body/)
  await page.goto(`${url}/agents`)
  await page.getByRole('button', { name: 'New agent' }).first().click()
  await page.getByLabel('Name').fill('Ada')
  await page.keyboard.press('Enter')
  await expect.poll(() => focused(page), patiently).toBe('h1: Ada')
  await page.getByRole('button', { name: 'Delete agent' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep it' }).click()
  await expect.poll(() => focused(page), patiently).toMatch(/^button/)
  await page.getByRole('button', { name: 'Delete agent' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete agent' }).click()
  await expect.poll(() => focused(page), patiently).toBe('h1: Agents')

  await page.goto(`${url}/knowledge/${source}`)
  await page.getByRole('button', { name: 'Delete mate.md' }).click()
  await page.getByRole('button', { name: 'Delete document' }).click()
  await expect.poll(() => focused(page), patiently).toBe('h1: Papers')
  expect(problems).toEqual([])
})

it('long passages are scrolled with the keyboard, and the headings of a text follow that of the page', async () => {
  const service = await startService()
  const { url, token, post } = service
  const { make, upload, settled, documents } = knowledge(service)
  const source = await make({ name: 'Papers', configuration: { file_types: ['md', '.PDF'] } })
  const lines = Array.from({ length: 30 }, (_, n) => `Line ${n} of what there is to say about green tea.`)
  await upload(source, { 'tea.md': `## Tea\n\n${lines.join('\n')}\n\n### Green\n\nBrewed hot.` })
  await settled(source)
  await post('/retrieval-tools', { name: 'Search', knowledge_source_ids: [source] })
  const [document] = await documents(source)
  const { page, problems } = await openConsole(url, token)
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  await page.goto(`${url}/knowledge/${source}`)
  await page.getByText('Only MD and PDF, up to 50 MiB each.').waitFor()
  await page.getByRole('tab', { name: 'Search' }).click()
  await page.getByLabel('What to look for').fill('What is there to say about green tea?')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByRole('region', { name: 'Passage 1' }).waitFor()
  expect(await page.evaluate('document.querySelector(".passage-text").scrollHeight')).toBeGreaterThan(
    (await page.locator('.passage-text').first().boundingBox())?.height ?? 0,
  )
  expect(await barriers(page, 'search')).toEqual([])

  await page.goto(`${url}/knowledge/${source}/documents/${document.id}`)
  await page.locator('.document-text').waitFor()
  const headings = await page
    .locator('main :is(h1, h2, h3, h4)')
    .evaluateAll((all) => all.map((each) => each.localName))
  expect(headings.slice(0, 3)).toEqual(['h1', 'h2', 'h3'])
  expect(problems).toEqual([])
})
