import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { lookRules, violations } from '../accessibility.ts'
import type { Workspace } from '../console.ts'

/** The longest possible name, without a space to break at. */
export const longWord = 'Rindfleischetikettierung'.repeat(9).slice(0, 200)
export const longUrl = `https://a.example/${'x'.repeat(91)}`

/** A path, and a text that is on its page, but not on the page before. */
type PageToCheck = [path: string, text: string | RegExp]

const looks = [
  { name: 'light, 1280 wide', colorScheme: 'light', width: 1280, scope: {} },
  { name: 'dark, 390 wide', colorScheme: 'dark', width: 390, scope: { rules: lookRules } },
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

/** Expects that a page is accessible and fits, light on a desktop and dark on a phone. */
export async function expectFitting(page: Page, path: string, within?: string): Promise<void> {
  for (const { name, colorScheme, width, scope } of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 800 })
    const label = `${path} (${name})`
    const problems = async (): Promise<string[]> => {
      // Two frames, so that scripts that follow the width have run.
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
      const found = await violations(page, label, { ...scope, ...(within && { within }) })
      for (const check of [beyondWindow, overflowing]) {
        const [first] = (await page.evaluate(check)) as string[]
        if (first) found.push(`${label} ${first}`)
      }
      return found
    }
    await expect.poll(problems).toEqual([])
  }
}

/** Shows one page after the other and checks each of them. */
export async function checkPages({ open }: Workspace, pages: PageToCheck[]): Promise<void> {
  const { page, problems, goTo } = await open(pages[0]?.[0])
  for (const [index, [path, text]] of pages.entries()) {
    if (index > 0) await goTo(path)
    await page.getByText(text).or(page.getByPlaceholder(text)).first().waitFor()
    await expect.poll(() => page.locator('main .loading').count()).toBe(0)
    await expect.poll(() => page.title()).not.toBe('')
    await expectFitting(page, path, index > 0 ? 'main' : undefined) // the navigation is the same on every page
  }
  expect(problems).toEqual([])
}
