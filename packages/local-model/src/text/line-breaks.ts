const blockStart = /^[ \t]*(?:[-*+•‣▪–—]\s|\d{1,3}[.)]\s|\p{L}[.)]\s|#{1,6}\s|\||>\s?|```|$)/u
const keyAndValue = /^[ \t]*["']?[\p{L}\d_.[\] -]{1,60}["']?:\s/u
const lineOfItsOwn = /^[ \t]*(?:#{1,6}\s|\||```)/
/** Lines are compared by no more than this, so that a megabyte without a line break is not read at every one. */
const farthest = 200

/** Lines as short as this are never filled to the edge of a page. */
const shortest = 30

/** Whether the line break at `at` ends what is being said, or is only where the page was full. */
export function endsHard(text: string, at: number): boolean {
  const line = lineBefore(text, at)
  const next = lineAfter(text, at)
  const width = Math.max(line.length, next.length)
  if (width < shortest || line.trim() === '' || lineOfItsOwn.test(line)) return true
  if (blockStart.test(next) || keyAndValue.test(next)) return true
  // A line that had room for the next word was ended on purpose.
  const withNextWord = line.length + 1 + next.trimStart().search(/\s|$/)
  if (withNextWord < width * 0.6) return true
  return withNextWord < width * 0.8 && /^\s*["'“„(]?\p{Lu}/u.test(next) && !/[,;:\-–—]\s*$/.test(line)
}

function lineBefore(text: string, at: number): string {
  const near = text.slice(Math.max(0, at - farthest), at)
  return near.slice(near.lastIndexOf('\n') + 1)
}

function lineAfter(text: string, at: number): string {
  const near = text.slice(at + 1, at + 1 + farthest)
  const end = near.indexOf('\n')
  return end === -1 ? near : near.slice(0, end)
}
