import type { HtmlElement } from './html-dom.ts'

const unseen = 'script, style, noscript, template, iframe, [hidden], [aria-hidden="true"], dialog:not([open])'
const surroundings =
  'nav, footer, aside, [role="navigation"], [role="contentinfo"], [role="search"], [role="complementary"]'
const headings = 'h1, h2, h3, h4, h5, h6'
const lists = 'ul, ol, div, section, p, header'
const prose = 'p, li, dd, blockquote, pre, table, figcaption'
const minProse = 40
const minLinks = 3
const minLinkShare = 0.8

/**
 * Removes what surrounds the content of a web page: menus, side bars and footers. Everything else stays, because a lost
 * paragraph costs more than a menu that is read. So does what holds a table, and a page that would be left empty.
 */
export function removeBoilerplate(body: HtmlElement): void {
  for (const element of body.querySelectorAll(unseen)) element.remove()
  const parts = [...body.querySelectorAll(surroundings)].filter((part) => !part.querySelector('tr'))
  if (hasOtherText(body, parts)) for (const part of parts) part.remove()
  for (const menu of menusAround(body)) menu.remove()
}

const hasOtherText = (body: HtmlElement, parts: HtmlElement[]): boolean => {
  const outermost = parts.filter((part) => !part.parentElement?.closest(surroundings))
  return lengthOf(body) > outermost.reduce((sum, part) => sum + lengthOf(part), 0)
}

/** Lists of links before the first and after the last piece of prose. */
function menusAround(body: HtmlElement): HtmlElement[] {
  const order = new Map([...body.querySelectorAll('*')].map((element, at) => [element, at]))
  const menus = new Set([...body.querySelectorAll(lists)].filter(isMenu))
  const isInMenu = (element: HtmlElement) => menus.has(element.closest(lists) ?? body)
  const positions = [...body.querySelectorAll(prose)]
    .filter((element) => !isInMenu(element) && lengthOf(element) - linkedLength(element) >= minProse)
    .map((element) => order.get(element) ?? 0)
  const first = Math.min(...positions)
  const last = Math.max(...positions)
  if (positions.length === 0) return []
  return [...menus].filter((menu) => {
    const at = order.get(menu) ?? 0
    return at < first || at > last
  })
}

const isMenu = (element: HtmlElement): boolean =>
  element.querySelectorAll('a').length >= minLinks &&
  linkedLength(element) >= minLinkShare * lengthOf(element) &&
  !element.querySelector(`tr, ${headings}`)

const linkedLength = (element: HtmlElement): number =>
  [...element.querySelectorAll('a')].reduce((sum, link) => sum + lengthOf(link), 0)

const lengthOf = ({ textContent }: HtmlElement): number => textContent?.replace(/\s+/g, '').length ?? 0
