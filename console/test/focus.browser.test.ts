import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { knowledge } from '../../server/test/knowledge.ts'
import { expectAccessible } from './accessibility.ts'
import { workspace } from './console.ts'

const focused = (page: Page) =>
  page.evaluate(`document.activeElement.localName + ': ' + document.activeElement.textContent`)

it('moves the focus to the page heading after creating or deleting something', async () => {
  const service = await workspace()
  const { open } = service
  const { make, upload, settled } = knowledge(service)
  const source = await make({ name: 'Papers' })
  await upload(source, { 'tea.md': 'Green tea.', 'mate.md': 'Mate.' })
  await settled(source)
  const { page, problems, goTo } = await open()
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  // A new visitor starts at the top.
  await expect.poll(() => focused(page)).toMatch(/^body/)
  await goTo('/agents')
  await page.getByRole('button', { name: 'New agent' }).first().click()
  await page.getByLabel('Name').fill('Ada')
  await page.keyboard.press('Enter')
  await expect.poll(() => focused(page)).toBe('h1: Ada')
  await page.getByRole('button', { name: 'Delete agent' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  await expect.poll(() => focused(page)).toMatch(/^button/)
  await page.getByRole('button', { name: 'Delete agent' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete agent' }).click()
  await expect.poll(() => focused(page)).toBe('h1: Agents')

  await goTo(`/knowledge/${source}`)
  await page.getByRole('button', { name: 'Delete mate.md' }).click()
  await page.getByRole('button', { name: 'Delete document' }).click()
  await expect.poll(() => focused(page)).toBe('h1: Papers')
  expect(problems).toEqual([])
})

it('long passages scroll with the keyboard, and document headings follow the page heading', async () => {
  const service = await workspace()
  const { open, post } = service
  const { make, upload, settled, documents } = knowledge(service)
  const source = await make({ name: 'Papers', configuration: { file_types: ['md', '.PDF'] } })
  const lines = Array.from({ length: 30 }, (_, n) => `Line ${n} of what there is to say about green tea.`)
  await upload(source, { 'tea.md': `## Tea\n\n${lines.join('\n')}\n\n### Green\n\nBrewed hot.` })
  await settled(source)
  await post('/retrieval-tools', { name: 'Search', knowledge_source_ids: [source] })
  const [document] = await documents(source)
  const { page, problems, goTo } = await open(`/knowledge/${source}`)
  await page.getByText('Only MD and PDF, up to 50 MiB each.').waitFor()
  await page.getByRole('tab', { name: 'Search' }).click()
  await page.getByLabel('Search query').fill('What is there to say about green tea?')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByRole('region', { name: 'Passage 1' }).waitFor()
  const hiddenHeight = () =>
    page
      .locator('.passage-text')
      .first()
      .evaluate((element) => element.scrollHeight - element.clientHeight)
  await expect.poll(hiddenHeight).toBeGreaterThan(0)
  await expectAccessible(page, 'search', { within: 'main' })

  await goTo(`/knowledge/${source}/documents/${document.id}`)
  await page.locator('.document-text').waitFor()
  const headings = page.locator('main :is(h1, h2, h3, h4)')
  const levels = () => headings.evaluateAll((all) => all.map((each) => each.localName).slice(0, 3))
  await expect.poll(levels).toEqual(['h1', 'h2', 'h3'])
  expect(problems).toEqual([])
})
