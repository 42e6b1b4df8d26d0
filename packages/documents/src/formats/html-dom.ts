import { parseHTML } from 'linkedom'

/** The part of the DOM that is used here. */
export interface HtmlElement {
  localName: string
  textContent: string | null
  parentElement: HtmlElement | null
  nextSibling: HtmlElement | null
  children: Iterable<HtmlElement>
  getAttribute(name: string): string | null
  closest(selector: string): HtmlElement | null
  querySelector(selector: string): HtmlElement | null
  querySelectorAll(selector: string): ArrayLike<HtmlElement> & Iterable<HtmlElement>
  removeAttribute(name: string): void
  insertBefore(element: HtmlElement, before: HtmlElement | null): void
  cloneNode(deep: boolean): HtmlElement
  remove(): void
}

export interface HtmlDocument extends Pick<HtmlElement, 'querySelector' | 'querySelectorAll'> {
  body: HtmlElement | null
  documentElement: HtmlElement | null
}

/** Wraps fragments, because linkedom treats content outside of <html> as a second document. */
export function htmlDocument(html: string): HtmlDocument {
  const page = /<html[\s>]/i.test(html.slice(0, 10_000)) ? html : `<!doctype html><html><body>${html}</body></html>`
  const { document }: { document: HtmlDocument } = parseHTML(page)
  return document
}
