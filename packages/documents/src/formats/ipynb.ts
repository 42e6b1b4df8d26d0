import type { ParsedDocument } from '../document.ts'
import { codeDocument } from './json.ts'
import { markdownDocument } from './markdown.ts'

interface Cell {
  cell_type?: unknown
  source?: unknown
  outputs?: unknown
}

/** The cells of a notebook: text as it is, code and its printed results as code blocks. Pictures are left out. */
export function parseNotebook(text: string): ParsedDocument {
  const notebook = jsonObject(text)
  const cells = notebook?.cells
  if (!Array.isArray(cells)) return codeDocument(text)
  const language = String(property(property(notebook?.metadata, 'language_info'), 'name') ?? '')
  const parts = cells.flatMap((cell: Cell | null) => {
    const source = joinLines(cell?.source).trim()
    if (cell?.cell_type !== 'code') return source
    const results = Array.isArray(cell.outputs) ? cell.outputs.map(outputText) : []
    return [source, ...results].map((code, index) => fenced(code, index === 0 ? language : ''))
  })
  return markdownDocument(parts.filter((part) => part !== '').join('\n\n'))
}

function jsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

const property = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined

/** A text, or the lines of one. */
const joinLines = (value: unknown): string => (Array.isArray(value) ? value.map(String).join('') : String(value ?? ''))

const outputText = (output: unknown): string =>
  joinLines(property(output, 'text') ?? property(property(output, 'data'), 'text/plain')).trim()

/** The fence is longer than any inside. */
function fenced(code: string, language: string): string {
  if (code === '') return ''
  const longest = Math.max(2, ...[...code.matchAll(/`{3,}/g)].map(([fence]) => fence.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${code}\n${fence}`
}
