import { isAligned } from './table-rows.ts'

const blockStart = /^[ \t]*(?:[-*+•‣▪–—]\s|\d{1,3}[.)]\s|\p{L}[.)]\s|#{1,6}\s|\||>\s?|```|$)/u
const keyAndValue = /^[ \t]*["']?[\p{L}\d_.[\] -]{1,60}["']?:\s/u
const singleLineBlock = /^[ \t]*(?:#{1,6}\s|\||```)/
/** Bounds the time for long lines. */
const maxLineLength = 200

/** Shorter lines are never wrapped at the page width. */
const minWrappedLength = 30

/** Whether the line break at `at` ends a sentence, or only wraps it at the page width. */
export function isHardBreak(text: string, at: number): boolean {
  const line = lineBefore(text, at)
  const next = lineAfter(text, at)
  const width = Math.max(line.length, next.length)
  if (width < minWrappedLength || line.trim() === '' || singleLineBlock.test(line)) return true
  if (blockStart.test(next) || keyAndValue.test(next) || isAligned(line) || isAligned(next)) return true
  // A line with room for the next word was broken on purpose.
  const withNextWord = line.length + 1 + next.trimStart().search(/\s|$/)
  if (withNextWord < width * 0.6) return true
  return withNextWord < width * 0.8 && /^\s*["'“„(]?\p{Lu}/u.test(next) && !/[,;:\-–—]\s*$/.test(line)
}

function lineBefore(text: string, at: number): string {
  const near = text.slice(Math.max(0, at - maxLineLength), at)
  return near.slice(near.lastIndexOf('\n') + 1)
}

function lineAfter(text: string, at: number): string {
  const near = text.slice(at + 1, at + 1 + maxLineLength)
  const end = near.indexOf('\n')
  return end === -1 ? near : near.slice(0, end)
}
