import { blockAfter } from './blocks.ts'
import { splitSentences } from './sentences.ts'
import type { Span } from './span.ts'

/** A longer paragraph hides the sentence that answers. */
const maxParagraphLength = 500

const heading = /^[ \t]{0,3}#{1,6}\s[^\n]*\n+|^[ \t]*\*\*[^*\n]{1,120}\*\*[ \t]*\n+/
const item = /^[ \t]*(?:[-*+•‣▪]|\d{1,3}[.)]|§ ?\d+)\s/
const fenceLine = /^[ \t]*(?:```|~~~).*$/gm

/**
 * The text around a sentence that belongs to it: code as a whole with its introduction, the paragraph with the list or code that it
 * introduces, or the item of a list. The sentence alone if that is long.
 */
export function paragraphAround(text: string, { start, end }: Span): Span {
  const code = codeAround(text, start)
  if (code) return withIntroduction(text, code)
  const paragraph = afterHeading(text, blockAround(text, start, end))
  const block = blockAfter(text, paragraph)
  if (block?.isIntroduced && block.end - paragraph.start <= 2 * maxParagraphLength)
    return { start: paragraph.start, end: block.end }
  const short = [paragraph, itemAround(text, paragraph, start)].find(
    (span) => span.end - span.start <= maxParagraphLength,
  )
  return short && short.start <= start && short.end >= end ? short : { start, end: nextSentence(text, end, paragraph) }
}

/** The end of the sentence after another one of the same paragraph: an answer often takes two. */
function nextSentence(text: string, end: number, paragraph: Span): number {
  const [next] = splitSentences(text.slice(end, Math.min(paragraph.end, end + 2 * maxParagraphLength)))
  return next && next.end <= maxParagraphLength ? end + next.end : end
}

/** Between blank lines. */
function blockAround(text: string, start: number, end: number): Span {
  const before = [...text.slice(0, start).matchAll(/\n[ \t]*\n\s*/g)].at(-1)
  const after = /\n[ \t]*(?:\n|$)/.exec(text.slice(end))
  return trimmed(text, before ? before.index + before[0].length : 0, after ? end + after.index : text.length)
}

function afterHeading(text: string, span: Span): Span {
  const found = heading.exec(text.slice(span.start, span.end))
  return found ? trimmed(text, span.start + found[0].length, span.end) : span
}

/** The lines from the last bullet before a sentence to the next one. */
function itemAround(text: string, paragraph: Span, at: number): Span {
  let from = paragraph.start
  for (let start = paragraph.start; start < paragraph.end; ) {
    const end = Math.min(paragraph.end, (text.indexOf('\n', start) + 1 || text.length + 1) - 1)
    if (item.test(text.slice(start, end))) {
      if (start > at) return trimmed(text, from, start)
      from = start
    }
    start = end + 1
  }
  return trimmed(text, from, paragraph.end)
}

/** The code block that contains a place, with its fences; null if its end is missing. */
function codeAround(text: string, at: number): Span | null {
  const fences = [...text.matchAll(fenceLine)]
  const open = fences.findLastIndex(({ index }) => index <= at)
  const [first, last] = [fences[open], fences[open + 1]]
  return first && last && open % 2 === 0 ? { start: first.index, end: last.index + last[0].length } : null
}

function withIntroduction(text: string, code: Span): Span {
  const before = text.slice(0, code.start).trimEnd()
  if (before === '') return code
  return { start: afterHeading(text, blockAround(text, before.length - 1, before.length)).start, end: code.end }
}

function trimmed(text: string, from: number, to: number): Span {
  const piece = text.slice(from, to)
  return { start: from + piece.length - piece.trimStart().length, end: from + piece.trimEnd().length }
}
