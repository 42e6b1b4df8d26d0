import type { ParsedDocument } from '../document.ts'
import { articleFromHtml } from './html-to-markdown.ts'
import { markdownDocument } from './markdown.ts'

export function parseHtml(html: string): ParsedDocument {
  const { markdown, metadata, warnings } = articleFromHtml(html)
  return markdownDocument(markdown, metadata, warnings)
}
