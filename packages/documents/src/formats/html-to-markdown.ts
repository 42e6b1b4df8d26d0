import TurndownService from 'turndown'
import { removeBoilerplate } from './html-boilerplate.ts'
import { type HtmlDocument, type HtmlElement, htmlDocument } from './html-dom.ts'
import { fitsInTree, htmlText } from './html-stream.ts'
import { expandTables } from './html-table-grid.ts'
import { addTableRules, asElement } from './html-tables.ts'

// Larger pages are read without a tree: a node takes a kilobyte, and deep recursion overflows the stack.
const maxDepth = 200
const maxNodes = 120_000

export interface HtmlContent {
  markdown: string
  metadata: Record<string, string>
  warnings: string[]
}

const turndown = new TurndownService({
  headingStyle: 'atx',
  codeBlockStyle: 'fenced',
  bulletListMarker: '-',
  hr: '---',
  br: '',
})
// Emphasis and link targets are dropped: search and quotes need only the words.
turndown.escape = (text) => text
turndown.addRule('words', { filter: ['a', 'em', 'i', 'strong', 'b'], replacement: (content) => content })
turndown.addRule('heading', {
  filter: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
  replacement: (content, node) => {
    const title = content.replace(/[\s\u200b]+/g, ' ').trim()
    return title === '' ? '' : `\n\n${'#'.repeat(Number(node.nodeName.slice(1)))} ${title}\n\n`
  },
})
turndown.addRule('image', { filter: 'img', replacement: (_content, node) => altText(node) })
turndown.remove(['script', 'style', 'noscript', 'template', 'iframe', 'object', 'head', 'title', 'select'])
// The questions and headings of an accordion are buttons.
turndown.addRule('button', { filter: 'button', replacement: (content) => ` ${content.trim()} ` })
addTableRules(turndown)

/** The content of a web page, without its menus and other surroundings. */
export function articleFromHtml(html: string): HtmlContent {
  if (!fitsInTree(html, maxDepth, maxNodes)) return asPlainText(html)
  const document = htmlDocument(html)
  const metadata = pageMetadata(document)
  if (document.body) removeBoilerplate(document.body)
  const content = (document.body && toMarkdown(document.body)) || htmlText(html)
  const { title = '' } = metadata
  return {
    markdown: title === '' || /^# /m.test(content) ? content : `# ${title}\n\n${content}`,
    metadata,
    warnings: [],
  }
}

/** Converts a whole page or fragment, for HTML that is not a web page. */
export function markdownFromHtml(html: string): HtmlContent {
  if (!fitsInTree(html, maxDepth, maxNodes)) return asPlainText(html)
  const { body } = htmlDocument(html)
  return { markdown: body ? toMarkdown(body) : '', metadata: {}, warnings: [] }
}

const asPlainText = (html: string): HtmlContent => ({
  markdown: htmlText(html),
  metadata: {},
  warnings: ['The content is too large or too deeply nested to keep all of its structure.'],
})

function toMarkdown(element: HtmlElement): string {
  expandTables(element)
  return turndown
    .turndown(element)
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

const altText = (node: object): string => asElement(node)?.getAttribute('alt')?.replace(/\s+/g, ' ').trim() ?? ''

function pageMetadata(document: HtmlDocument): Record<string, string> {
  const meta = (name: string): string | undefined =>
    document.querySelector(`meta[name="${name}"], meta[property="${name}"]`)?.getAttribute('content')?.trim()
  const fields = {
    title: document.querySelector('title')?.textContent?.replace(/\s+/g, ' ').trim() || meta('og:title'),
    author: meta('author') ?? document.querySelector('[rel="author"], [itemprop="author"]')?.textContent?.trim(),
    description: meta('description') ?? meta('og:description'),
    language: document.documentElement?.getAttribute('lang')?.trim(),
    published: meta('article:published_time'),
  }
  return Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value ? [[name, value]] : [])))
}
