import type { Span } from './span.ts'

const maxBlockLength = 900
const minItems = 2

const item = /^[ \t]*(?:[-*+•‣▪]|\d{1,3}[.)]|\(\p{L}{1,4}\)|\p{L}[.)])\s+\S/u
const fence = /^[ \t]*(?:```|~~~)/
const colon = /[:：]["'”’»)*_]{0,3}(?:—|-)?$/
const heading = /^[ \t]{0,3}#{1,6}\s/

/** The list or the code that a sentence introduces: after its colon, or a list right below a heading. */
export function blockAfter(text: string, { start, end }: Span): (Span & { isIntroduced: boolean }) | null {
  const isIntroduced = colon.test(text.slice(Math.max(start, end - 6), end))
  if (!isIntroduced && !text.startsWith('# ', start - 2)) return null
  const after = text.slice(end, end + maxBlockLength * 2)
  const gap = /^[ \t]*\n(?:[ \t]*\n)*/.exec(after)
  if (!gap) return null
  const from = gap[0].length
  const length =
    fence.test(after.slice(from)) && isIntroduced ? codeLength(after.slice(from)) : listLength(after.slice(from))
  if (length === 0) return null
  const lead = after.slice(from, from + length).length - after.slice(from, from + length).trimStart().length
  return { start: end + from + lead, end: end + from + length, isIntroduced }
}

/** Up to and including the closing fence; 0 if it is too far away. */
function codeLength(text: string): number {
  const first = text.indexOf('\n')
  const close = /\n[ \t]*(?:```|~~~)[ \t]*(?=\n|$)/.exec(text.slice(first))
  if (first === -1 || !close) return 0
  const length = first + close.index + close[0].trimEnd().length
  return length > maxBlockLength ? 0 : length
}

/** Whole items, with the lines that continue them; 0 for fewer than two. */
function listLength(text: string): number {
  let length = 0
  let items = 0
  let isAfterBlank = false
  for (let start = 0; start < text.length; ) {
    const at = text.indexOf('\n', start)
    const end = at === -1 ? text.length : at
    const line = text.slice(start, end)
    if (item.test(line)) items++
    else if (line.trim() !== '' && (items === 0 || isAfterBlank || heading.test(line) || fence.test(line))) break
    if (end > maxBlockLength) break
    isAfterBlank = line.trim() === ''
    if (!isAfterBlank) length = start + line.trimEnd().length
    start = end + 1
  }
  return items < minItems ? 0 : length
}
