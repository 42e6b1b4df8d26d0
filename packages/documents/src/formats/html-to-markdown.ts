import { Readability } from '@mozilla/readability'
import TurndownService from 'turndown'
import { type HtmlDocument, type HtmlElement, htmlDocument } from './html-dom.ts'
import { fitsInTree, htmlText } from './html-stream.ts'
import { expandTables } from './html-table-grid.ts'
import { addTableRules, elementOf } from './html-tables.ts'

// Larger pages are read without a tree: a node takes a kilobyte, and deep recursion overflows the stack.
const maxDepth = 200
const maxNodes = 120_000
// An article with a smaller share of the page is probably a wrong guess.
const minArticleShare = 0.25

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
turndown.remove(['script', 'style', 'noscript', 'template', 'iframe', 'object', 'head', 'title', 'button', 'select'])
addTableRules(turndown)

/** The main content of a web page, without its navigation and decoration. */
export function articleFromHtml(html: string): HtmlContent {
  if (!fitsInTree(html, maxDepth, maxNodes)) return asPlainText(html)
  const { length, metadata } = overview(html)
  const article = new Readability<HtmlElement>(htmlDocument(html), {
    charThreshold: 200,
    serializer: (node: HtmlElement) => node,
  }).parse()
  const isContent = lengthOf(article?.textContent) >= length * minArticleShare
  const content = (isContent && article?.content && toMarkdown(article.content)) || bodyMarkdown(html) || htmlText(html)
  const title = article?.title?.replace(/\s+/g, ' ').trim() ?? ''
  const author = article?.byline?.trim()
  return {
    markdown: title === '' || /^# /m.test(content) ? content : `# ${title}\n\n${content}`,
    metadata: { ...(title && { title }), ...(author && { author }), ...metadata },
    warnings: [],
  }
}

/** The length of the visible text, and the metadata. */
function overview(html: string): { length: number; metadata: Record<string, string> } {
  const document = htmlDocument(html)
  const metadata = pageMetadata(document)
  for (const element of document.querySelectorAll('script, style, noscript, template, iframe')) element.remove()
  return { length: lengthOf(document.body?.textContent), metadata }
}

const lengthOf = (text: string | null | undefined): number => text?.replace(/\s+/g, ' ').length ?? 0

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

function bodyMarkdown(html: string): string {
  const document = htmlDocument(html)
  const boilerplate = document.querySelectorAll('nav, footer, aside, form, [hidden], [aria-hidden="true"]')
  for (const element of boilerplate) element.remove()
  return document.body ? toMarkdown(document.body) : ''
}

function toMarkdown(element: HtmlElement): string {
  expandTables(element)
  return turndown
    .turndown(element)
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

const altText = (node: object): string => elementOf(node)?.getAttribute('alt')?.replace(/\s+/g, ' ').trim() ?? ''

function pageMetadata(document: HtmlDocument): Record<string, string> {
  const meta = (name: string): string | undefined =>
    document.querySelector(`meta[name="${name}"], meta[property="${name}"]`)?.getAttribute('content')?.trim()
  const fields = {
    title: document.querySelector('title')?.textContent?.replace(/\s+/g, ' ').trim() || meta('og:title'),
    author: meta('author'),
    description: meta('description') ?? meta('og:description'),
    language: document.documentElement?.getAttribute('lang')?.trim(),
    published: meta('article:published_time'),
  }
  return Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value ? [[name, value]] : [])))
}
