import { countTokens } from '../src/tokens/tokens.ts'

export interface Span {
  start: number
  end: number
}

/**
 * The usual baseline: splits at the first separator that occurs, splits pieces that are still too long at the next
 * separator, and joins neighbours while they fit.
 */
export function splitRecursively(text: string, size: number, overlap: number, separators: string[]): Span[] {
  return split(text, { start: 0, end: text.length }, size, overlap, separators)
    .map((span) => trimmed(text, span))
    .filter((span) => span.end > span.start)
}

function split(text: string, whole: Span, size: number, overlap: number, separators: string[]): Span[] {
  const content = text.slice(whole.start, whole.end)
  const found = separators.findIndex((separator) => separator === '' || content.includes(separator))
  const separator = separators[found] ?? ''
  const smallerSeparators = separators.slice(found + 1)
  const result: Span[] = []
  let fitting: Span[] = []
  for (const piece of pieces(text, whole, separator)) {
    if (tokens(text, piece) <= size) {
      fitting.push(piece)
      continue
    }
    result.push(...join(text, fitting, size, overlap))
    fitting = []
    result.push(...(smallerSeparators.length === 0 ? [piece] : split(text, piece, size, overlap, smallerSeparators)))
  }
  result.push(...join(text, fitting, size, overlap))
  return result
}

/** The pieces between separators. A separator belongs to the piece after it. */
function pieces(text: string, whole: Span, separator: string): Span[] {
  const result: Span[] = []
  let start = whole.start
  while (start < whole.end) {
    const at = separator === '' ? start + 1 : text.indexOf(separator, start + 1)
    const end = at === -1 || at > whole.end ? whole.end : at
    result.push({ start, end })
    start = end
  }
  return result
}

function join(text: string, parts: Span[], size: number, overlap: number): Span[] {
  const result: Span[] = []
  const current: { part: Span; tokens: number }[] = []
  let total = 0
  const flush = () => {
    const first = current[0]
    const last = current.at(-1)
    if (first && last) result.push({ start: first.part.start, end: last.part.end })
  }
  for (const part of parts) {
    const count = tokens(text, part)
    if (total + count > size && current.length > 0) {
      flush()
      while (total > overlap || (total + count > size && total > 0)) total -= current.shift()?.tokens ?? 0
    }
    current.push({ part, tokens: count })
    total += count
  }
  flush()
  return result
}

const tokens = (text: string, { start, end }: Span): number => countTokens(text.slice(start, end))

function trimmed(text: string, { start, end }: Span): Span {
  const content = text.slice(start, end)
  return {
    start: start + content.length - content.trimStart().length,
    end: end - content.length + content.trimEnd().length,
  }
}
