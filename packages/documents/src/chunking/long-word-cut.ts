import { countTokens } from '../tokens/tokens.ts'

// Made when it is first needed, which is rarely, as it takes a fifth of a second.
let graphemes: Intl.Segmenter | undefined

/** Whether a cut would part a character from its accents, or a picture from what it is made of. */
export const joinsToPrevious = (text: string, at: number): boolean =>
  text[at - 1] === '\u200d' || /^[\p{M}\p{Emoji_Modifier}\u200d]/u.test(text.slice(at, at + 2))

/** Where to cut a run without any space that alone is more than a chunk: between characters as people see them. */
export function cutWithinRun(text: string, start: number, end: number, size: number): number {
  const run = text.slice(start, end)
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  const seen = lastFitting(
    Array.from(graphemes.segment(run), ({ segment }) => segment),
    size,
  )
  return start + (seen || lastFitting([...run], size) || String.fromCodePoint(run.codePointAt(0) ?? 0).length)
}

/** The length of as many parts from the first as there is room for. */
function lastFitting(parts: string[], size: number): number {
  let text = ''
  for (const part of parts) {
    if (countTokens(text + part) > size) break
    text += part
  }
  return text.length
}
