import { splitSentences } from '../text/sentences.ts'

/** How people speak of themselves in the languages that the model knows best. */
const aboutOneself =
  /\b(?:I am|I'm|I’m|I live|I have|I've|I like|I love|I prefer|I work|I play|I moved|I need|I use|my [\p{L} ]{2,30} (?:is|are)|call me|ich bin|ich heiße|ich wohne|ich habe|ich mag|ich arbeite|ich bevorzuge|meine? [\p{L} ]{2,30} (?:ist|heißt|sind)|nenn mich)\b/iu

/** The sentences in which a person says something about themselves. Questions are left out. */
export const statementsIn = (text: string): string[] =>
  splitSentences(text)
    .map(({ start, end }) => text.slice(start, end))
    .filter((sentence) => aboutOneself.test(sentence) && !sentence.trimEnd().endsWith('?'))

const maxSentence = 200

/** The beginning of each text, up to this many characters in all; the newest ones first to stay. */
export function joinBeginnings(texts: readonly string[], maxLength: number): string {
  const kept: string[] = []
  let length = 0
  for (const text of texts.toReversed()) {
    const [first] = splitSentences(text)
    const sentence = first ? text.slice(first.start, Math.min(first.end, first.start + maxSentence)) : ''
    length += sentence.length + 1
    if (length > maxLength) break
    if (sentence !== '') kept.unshift(sentence)
  }
  return kept.join(' ').toWellFormed()
}
