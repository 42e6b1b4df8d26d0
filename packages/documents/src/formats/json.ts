import type { Limits, ParsedDocument } from '../document.ts'
import { TextWriter, unlessTooLong } from '../text-writer.ts'

// JSON with longer lines is reformatted.
const maxLineLength = 2_000
const maxIndent = 16

/** Keeps the text of JSON, but reformats it if its lines are very long. */
export function parseJson(text: string, limits: Limits): ParsedDocument {
  const readable = withReadableCharacters(text)
  if (!hasLongLine(readable) || !isJson(readable)) return codeDocument(readable)
  return codeDocument(unlessTooLong(() => formatted(readable, limits)) ?? readable)
}

export const parseJsonLines = (text: string): ParsedDocument => codeDocument(withReadableCharacters(text))

export function codeDocument(text: string): ParsedDocument {
  const blocks = text.length > 0 ? [{ kind: 'code' as const, start: 0, end: text.length }] : []
  return { text, pages: [], headings: [], blocks, metadata: {}, warnings: [] }
}

/** Decodes escaped letters, so that they can be searched: \u00fc becomes ü. */
const withReadableCharacters = (text: string): string =>
  text.includes('\\u')
    ? text.replace(/(?<!\\)(?:\\\\)*\\u[0-9a-fA-F]{4}/g, (written) => {
        const code = Number.parseInt(written.slice(-4), 16)
        return code < 0xa0 ? written : written.slice(0, -6) + String.fromCharCode(code)
      })
    : text

function hasLongLine(text: string): boolean {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start)
    if ((end === -1 ? text.length : end) - start > maxLineLength) return true
    if (end === -1) break
    start = end + 1
  }
  return false
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Adds line breaks between tokens. The tokens stay unchanged, so numbers keep all digits. */
function formatted(text: string, limits: Limits): string {
  const writer = new TextWriter(limits.textCharacters)
  let depth = 0
  const line = () => writer.write(`\n${'  '.repeat(Math.min(depth, maxIndent))}`)
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[^\s"{}[\],:]+|[{}[\],:]/gs)) {
    if (token === '{' || token === '[') {
      writer.write(token)
      depth++
      line()
    } else if (token === '}' || token === ']') {
      depth--
      line()
      writer.write(token)
    } else if (token === ',') {
      writer.write(token)
      line()
    } else writer.write(token === ':' ? ': ' : token)
  }
  return writer.toString()
}
