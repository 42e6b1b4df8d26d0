import { eachTokenSpan, foldDiacritics } from '@parley/search/tokens'
import type { QueryWord } from './terms.ts'

interface Highlight {
  start: number
  end: number
}

export interface Snippet {
  snippet: string
  /** The positions of the words in the snippet. */
  highlights: Highlight[]
}

const charactersBefore = 60
const maxLength = 220
/** Only the beginning of a very long message is searched for a snippet. */
const maxSearched = 200_000

/** The part of a text around the first of the words, in one line. */
export function makeSnippet(content: string, words: readonly QueryWord[]): Snippet {
  const text = content.slice(0, maxSearched)
  const matches = findHighlights(text, words)
  const first = matches[0]?.start ?? 0
  const start = first <= charactersBefore ? 0 : wordStart(text, first - charactersBefore)
  const end = text.length - start <= maxLength ? text.length : wordEnd(text, start + maxLength)
  const before = start > 0 ? '…' : ''
  // Replaces each white-space character by one space, so that positions do not change.
  const shown = text.slice(start, end).replace(/\s/g, ' ')
  const highlights = matches
    .filter((match) => match.start >= start && match.end <= end)
    .map((match) => ({ start: match.start - start + before.length, end: match.end - start + before.length }))
  return { snippet: `${before}${shown}${end < content.length ? '…' : ''}`, highlights }
}

function findHighlights(text: string, words: readonly QueryWord[]): Highlight[] {
  const highlights: Highlight[] = []
  const fold = (part: string) => foldDiacritics(part.normalize('NFKC').toLowerCase())
  eachTokenSpan(text, (start, end, isSpaceless) => {
    const token = fold(text.slice(start, end))
    for (const query of words) {
      if (query.isSpaceless !== isSpaceless) continue
      const at = isSpaceless ? token.indexOf(query.word) : token.startsWith(query.word) ? 0 : -1
      if (at < 0) continue
      highlights.push(isSpaceless ? { start: start + at, end: start + at + query.word.length } : { start, end })
      return
    }
  })
  return highlights
}

const wordStart = (text: string, at: number): number => {
  const space = text.slice(at, at + charactersBefore).search(/\s/)
  return space < 0 ? at : at + space + 1
}

const wordEnd = (text: string, at: number): number => {
  const space = text.lastIndexOf(' ', at)
  return space > at - charactersBefore ? space : at
}
