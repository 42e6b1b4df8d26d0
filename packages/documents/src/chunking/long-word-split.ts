import { countTokens } from '../tokens/tokens.ts'

// Created on first use: it is rarely needed and takes a fifth of a second.
let graphemes: Intl.Segmenter | undefined

/** Whether a split here would separate a letter from its accents, or the parts of an emoji. */
export const joinsToPrevious = (text: string, at: number): boolean =>
  text[at - 1] === '\u200d' || /^[\p{M}\p{Emoji_Modifier}\u200d]/u.test(text.slice(at, at + 2))

/** Where to split a word that is longer than a chunk: between graphemes if possible. */
export function splitLongWord(text: string, start: number, end: number, size: number): number {
  const word = text.slice(start, end)
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  const fitting = lastFitting(
    Array.from(graphemes.segment(word), ({ segment }) => segment),
    size,
  )
  return start + (fitting || lastFitting([...word], size) || String.fromCodePoint(word.codePointAt(0) ?? 0).length)
}

/** The length of the first parts that fit together. */
function lastFitting(parts: string[], size: number): number {
  let text = ''
  for (const part of parts) {
    if (countTokens(text + part) > size) break
    text += part
  }
  return text.length
}
