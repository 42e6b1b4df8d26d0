import type { Span } from './span.ts'

const fenceLine = /^[ \t]*(?:```|~~~)(.*)$/gm
const tableRow = /^[ \t]*\|/
const tableRule = /^[ \t]*\|?[ \t]*:?-{2,}/

const item = /^[ \t]*(?:[-*+•]|\d{1,3}[.)])\s+\S/

/**
 * A passage without the code block, table or list item that its edge cuts: half a command is wrong, and rows without the names of their
 * columns say little. All of it if nothing else is in it.
 */
export function withoutCutBlocks(text: string): Span {
  const all = { start: 0, end: text.length }
  const inner = withoutCutItem(text, withoutCutRows(text, withoutCutCode(text)))
  return /[\p{L}\p{N}]/u.test(text.slice(inner.start, inner.end)) ? inner : all
}

/** With an odd number of fences, the first one ends a block that starts before the passage, or the last one begins one that ends after it. */
function withoutCutCode(text: string): Span {
  const fences = [...text.matchAll(fenceLine)]
  const [first, last] = [fences[0], fences.at(-1)]
  if (!first || !last || fences.length % 2 === 0) return { start: 0, end: text.length }
  const afterFirst = first.index + first[0].length
  const isEnd = first[1]?.trim() === '' && /^[ \t]*(?:\n[ \t]*(?:\n|$)|$)/.test(text.slice(afterFirst))
  return isEnd ? { start: afterFirst, end: text.length } : { start: 0, end: last.index }
}

/** Rows at the start, unless their first line is the head, which a rule follows. */
function withoutCutRows(text: string, span: Span): Span {
  const lines = text.slice(span.start, span.end).split('\n')
  const first = lines.findIndex((line) => line.trim() !== '')
  const isCut = tableRow.test(lines[first] ?? '') && !tableRule.test(lines[first + 1] ?? '')
  if (!isCut) return span
  const next = lines.findIndex((line, at) => at > first && !tableRow.test(line))
  const dropped = next === -1 ? lines : lines.slice(0, next)
  return { start: Math.min(span.end, span.start + dropped.join('\n').length), end: span.end }
}

/** The end of a list item at the start: its later lines are indented, and the next item follows. */
function withoutCutItem(text: string, span: Span): Span {
  const lines = text.slice(span.start, span.end).split('\n')
  if (item.test(lines[0] ?? '')) return span
  const next = lines.findIndex((line, at) => at > 0 && !/^[ \t]+[^ \t]/.test(line))
  if (next < 2 || !item.test(lines[next] ?? '')) return span
  return { start: span.start + lines.slice(0, next).join('\n').length, end: span.end }
}
