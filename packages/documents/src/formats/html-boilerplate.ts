import type { HtmlElement } from './html-dom.ts'

const unseen = 'script, style, noscript, template, iframe, dialog:not([open]), pre button'
/** Tabs and accordions hide parts of the content until somebody opens them. */
const collapsed = '[hidden], [aria-hidden="true"]'
const content = 'main, article, blockquote, [role="main"]'
const menus = 'nav, [role="navigation"], [role="search"]'
const surroundings = 'footer, [role="contentinfo"]'
const asides = 'aside, [role="complementary"]'
const headings = 'h1, h2, h3, h4, h5, h6'
const lists = 'ul, ol, div, section, p, header'
const prose = 'p, li, dd, blockquote, pre, table, figcaption'
const minProse = 40
const minLinks = 3
const minLinkShare = 0.8
/** The shares of the words of a page that its footers and its asides may have. With more, they are content. */
const maxFooterShare = 0.5
const maxAsideShare = 0.1

/**
 * Removes what surrounds the content of a web page: menus, side bars and footers. Everything else stays, because a lost
 * paragraph costs more than a menu that is read. So does what holds a heading or a row of a table, what is part of an
 * article, and what has too many of the words.
 */
export function removeBoilerplate(body: HtmlElement): void {
  for (const element of body.querySelectorAll(unseen)) element.remove()
  for (const element of body.querySelectorAll(collapsed)) if (!hasContent(element)) element.remove()
  removeParts(body, menus, 1)
  removeParts(body, surroundings, maxFooterShare)
  removeParts(body, asides, maxAsideShare)
  for (const menu of menusAround(body)) menu.remove()
}

const hasStructure = (element: HtmlElement): boolean => element.querySelector(`tr, ${headings}`) !== null

const hasContent = (element: HtmlElement): boolean => hasStructure(element) || proseIn(element).length > 0

/** Removes these parts if they have at most a share of the words, and others remain. Words of links do not count. */
function removeParts(body: HtmlElement, selector: string, maxShare: number): void {
  const parts = [...body.querySelectorAll(selector)].filter(
    (part) => !hasStructure(part) && !part.parentElement?.closest(selector) && !(maxShare < 1 && part.closest(content)),
  )
  const removed = parts.reduce((sum, part) => sum + textLength(part), 0)
  const unlinked = parts.reduce((sum, part) => sum + unlinkedLength(part), 0)
  if (removed === textLength(body) || unlinked > maxShare * unlinkedLength(body)) return
  for (const part of parts) part.remove()
}

/** Lists of links before the first and after the last piece of prose. */
function menusAround(body: HtmlElement): HtmlElement[] {
  const order = new Map([...body.querySelectorAll('*')].map((element, at) => [element, at]))
  const menus = new Set([...body.querySelectorAll(lists)].filter(isMenu))
  const isInMenu = (element: HtmlElement) => menus.has(element.closest(lists) ?? body)
  const positions = proseIn(body)
    .filter((element) => !isInMenu(element))
    .map((element) => order.get(element) ?? 0)
  const first = Math.min(...positions)
  const last = Math.max(...positions)
  if (positions.length === 0) return []
  return [...menus].filter((menu) => {
    const at = order.get(menu) ?? 0
    return at < first || at > last
  })
}

const proseIn = (element: HtmlElement): HtmlElement[] =>
  [...element.querySelectorAll(prose)].filter((part) => unlinkedLength(part) >= minProse)

const isMenu = (element: HtmlElement): boolean =>
  element.querySelectorAll('a').length >= minLinks &&
  linkedLength(element) >= minLinkShare * textLength(element) &&
  !hasStructure(element) &&
  !element.closest('article') &&
  !element.querySelector('article')

const linkedLength = (element: HtmlElement): number =>
  [...element.querySelectorAll('a')].reduce((sum, link) => sum + textLength(link), 0)

const unlinkedLength = (element: HtmlElement): number => textLength(element) - linkedLength(element)

const textLength = ({ textContent }: HtmlElement): number => textContent?.replace(/\s+/g, '').length ?? 0
