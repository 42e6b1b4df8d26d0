import type { ParsedDocument } from '../document.ts'
import { convertHtmlTables } from './markdown-html-tables.ts'
import { markdownStructure } from './markdown-structure.ts'

/** For text that is Markdown or was converted to it. */
export function markdownDocument(
  text: string,
  metadata: Record<string, string> = {},
  warnings: string[] = [],
): ParsedDocument {
  return { text, pages: [], ...markdownStructure(text), metadata, warnings }
}

/** Keeps the text unchanged, except for tables in HTML. Front matter is code, not a heading. */
export function parseMarkdown(source: string): ParsedDocument {
  const text = convertHtmlTables(source)
  const matter = /^---[ \t]*\r?\n(?:(?!---)[^\n]*\n){1,200}?---[ \t]*(?:\r?\n|$)/.exec(text)?.[0] ?? ''
  const { headings, blocks } = markdownStructure(text.slice(matter.length))
  const moved = <T extends { start: number }>(part: T): T => ({ ...part, start: part.start + matter.length })
  const title = /^title:[ \t]*(.+)$/m
    .exec(matter)?.[1]
    ?.trim()
    .replace(/^(["'])(.*)\1$/, '$2')
  const heading = headings.find(({ level }) => level === 1)?.title
  return {
    text,
    pages: [],
    headings: headings.map(moved),
    blocks: [
      ...(matter === '' ? [] : [{ kind: 'code' as const, start: 0, end: matter.trimEnd().length }]),
      ...blocks.map((block) => ({ ...moved(block), end: block.end + matter.length })),
    ],
    metadata: title || heading ? { title: title || heading || '' } : {},
    warnings: [],
  }
}
