import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessibleInBothThemes } from './accessibility.ts'
import { stagedWorkspace } from './console.ts'

const reply = [
  'The energy is $E = mc^2$, and a sum is\n\n$$\n\\sum_{n=1}^{9} \\frac{1}{n^2}\n$$\n\n',
  '```ts\nconst lamp: string = "red" // always\n```\n\n',
  '| Lamp | Price |\n| :--- | ---: |\n| Red | 3 |\n\n- [x] done\n- [ ] to do\n\n',
  '$\\href{javascript:window.pwned=1}{x}$ and $\\includegraphics{https://a.example/x.png}$ and $\\htmlData{a=b}{x}$\n\n',
  '```html\n<img src=x onerror="window.pwned = 1">\n```\n\n```nolanguage\nplain\n```\n\nThe end.',
]

it('shows code, formulas, tables and task lists, and nothing else of what a model writes', async () => {
  const { open, talk, say } = await stagedWorkspace({ deltas: reply })
  const conversation = await talk()
  await say(conversation, 'Show me')
  const { page, problems } = await open(`/conversations/${conversation}`)
  const shown = page.getByRole('article', { name: 'Reply' }).locator('.markdown')
  await shown.locator('math').nth(1).waitFor()
  await shown.locator('math msup').first().waitFor()
  await expect.poll(() => shown.locator('.formula.block math mfrac').count()).toBe(1)
  const code = shown.getByRole('region', { name: 'Code in ts' })
  await code.locator('.hljs-keyword', { hasText: 'const' }).waitFor()
  await expect.poll(() => code.textContent()).toBe('const lamp: string = "red" // always')
  await shown.getByText('ts', { exact: true }).waitFor()
  await expect.poll(() => shown.getByRole('region', { name: 'Code in nolanguage' }).textContent()).toBe('plain')
  const cell = shown.getByRole('cell', { name: '3' })
  await expect.poll(() => cell.getAttribute('style')).toBe('text-align: right;')
  await expect.poll(() => shown.getByRole('checkbox').count()).toBe(2)
  expect(await shown.locator('img, [href^=javascript], [data-a]').count()).toBe(0)
  expect(await page.evaluate('window.pwned')).toBeUndefined()
  await expectAccessibleInBothThemes(page, 'Reply', { within: 'main' })
  expect(problems).toEqual([])
})

it('keeps a reply within its column on a phone: only tables, formulas and diagrams scroll', async () => {
  const row = (cell: string) => `| ${Array.from({ length: 6 }, () => cell).join(' | ')} |\n`
  const formula = `The fee is $$${Array.from({ length: 40 }, (_, n) => `a_{${n}}`).join(' + ')}$$ in all.`
  const deltas = [`${row('Head')}${row('---')}${row('care.lyon@example.com')}\n`, formula, '\n\nThe end.']
  const { open, talk, say } = await stagedWorkspace({ deltas })
  const conversation = await talk()
  await say(conversation, 'Show me')
  const { page, problems } = await open(`/conversations/${conversation}`, { viewport: { width: 390, height: 844 } })
  const shown = page.getByRole('article', { name: 'Reply' }).locator('.markdown')
  await shown.locator('math').first().waitFor()
  await shown.getByText('The end.').waitFor()
  const lines = await shown.getByRole('link').evaluateAll((links) => links.map((link) => link.getClientRects().length))
  expect(lines).toEqual(Array(6).fill(1)) // addresses are not broken after each syllable
  const isWide = (box: Locator) => box.evaluate((element) => element.scrollWidth > element.clientWidth)
  expect(await isWide(shown)).toBe(false)
  expect(await isWide(shown.locator('.table-frame'))).toBe(true)
  expect(await isWide(shown.locator('.formula'))).toBe(true)
  await page.getByRole('button', { name: 'Trace' }).click()
  const trace = page.getByRole('region', { name: 'Trace' })
  await trace.waitFor()
  expect(await isWide(trace)).toBe(false)
  await expectAccessibleInBothThemes(page, 'Reply on a phone', { within: 'main' })
  expect(problems).toEqual([])
})

it('draws diagrams in a sandbox as images, and footnotes below the text', async () => {
  const deltas = [
    'Lamps are red.[^why] They glow.[^2]\n\n```mermaid\nflowchart LR\n  A["Lamp <img src=x onerror=window.pwned=1>"] --> B[Red]\n',
    '  click A "javascript:window.pwned=1"\n```\n\n```mermaid\nno diagram\n```\n\n[^2]: At night.\n[^why]: By law.',
  ]
  const { open, talk, say } = await stagedWorkspace({ deltas })
  const conversation = await talk()
  await say(conversation, 'Show me')
  const { page, problems } = await open(`/conversations/${conversation}`)
  const shown = page.getByRole('article', { name: 'Reply' }).locator('.markdown')
  const image = shown.getByRole('img', { name: 'Diagram' })
  await image.waitFor()
  await expect
    .poll(() => image.evaluate((each) => (each as unknown as { naturalWidth: number }).naturalWidth))
    .toBeGreaterThan(100)
  expect(await image.count()).toBe(1)
  await shown.getByRole('region', { name: 'Code in mermaid' }).getByText('no diagram').waitFor()
  expect(await page.locator('iframe').getAttribute('sandbox')).toBe('allow-scripts')
  const frame = page.frames().find((each) => each.url().endsWith('/diagrams/frame.html'))
  expect(await frame?.evaluate('[self.origin, self.pwned]')).toEqual(['null', undefined])
  expect(await page.evaluate('window.pwned')).toBeUndefined()
  await expect.poll(() => shown.locator('.footnotes li').allInnerTexts()).toEqual(['By law. ↩', 'At night. ↩'])
  await shown.getByRole('button', { name: 'Footnote 2' }).click()
  await expect.poll(() => page.evaluate('document.activeElement.innerText')).toBe('At night. ↩')
  await expectAccessibleInBothThemes(page, 'Reply', { within: 'main' })
  // Mermaid parses the label; the policy of the frame keeps what it finds from running.
  expect(problems.filter((each) => !each.startsWith('Executing inline event handler'))).toEqual([])
})

it('renders finished blocks once while a reply streams', async () => {
  const words = Array.from({ length: 40 }, (_, n) => `word${n} `)
  const { promise: hold, resolve: release } = Promise.withResolvers<void>()
  const deltas = ['First paragraph.\n\n', ...words]
  const { open, agent } = await stagedWorkspace({ deltas, delay: 20, hold, after: 20 })
  const { page } = await open(`/agents/${agent}`)
  await page.getByLabel('Message', { exact: true }).fill('Tell me')
  await page.keyboard.press('Enter')
  await page.getByText('word3').waitFor()
  await page.evaluate(`{
    window.changes = 0
    const first = document.querySelector('.markdown p')
    new MutationObserver(() => window.changes++).observe(first, { childList: true, characterData: true, subtree: true })
  }`)
  release()
  await page.getByText('word39').waitFor()
  expect(await page.evaluate('window.changes')).toBe(0)
})
