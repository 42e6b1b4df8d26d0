import type { Span } from './span.ts'

const maxLabelLength = 120
const asks = /[?？؟:：]["'”’»)*_]{0,3}$/
const prose = /[.!。！…]["'”’»)\]*_]{0,3}$/

/** A heading, a question or the introduction of a list: the topic of the next sentences, but no answer itself. */
export function isLabel(text: string, { start, end }: Span, next: Span | undefined): boolean {
  if (end - start > maxLabelLength || next === undefined) return false
  const ending = text.slice(Math.max(start, end - 4), end)
  if (asks.test(ending)) return true
  return isMarkedHeading(text, start, end) || (!prose.test(ending) && isPlainHeading(text, { start, end }, next))
}

const isMarkedHeading = (text: string, start: number, end: number): boolean =>
  text.startsWith('# ', start - 2) || (text.startsWith('**', start) && text.indexOf('**', start + 2) === end - 2)

/** A heading has its own line, and the sentence below is longer and ends with a period. */
function isPlainHeading(text: string, { start, end }: Span, next: Span): boolean {
  if (next.end - next.start < end - start || !prose.test(text.slice(next.end - 4, next.end))) return false
  const isAlone = /(?:^|\n)\s*$/.test(text.slice(Math.max(0, start - 4), start))
  return isAlone && text.slice(end, next.start).includes('\n') && !/:\s/.test(text.slice(start, end))
}
