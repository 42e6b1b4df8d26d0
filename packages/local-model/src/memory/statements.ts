import { splitSentences } from '../text/sentences.ts'

/** How people speak of themselves in the languages that the model knows best. */
const aboutOneself =
  /\b(?:I am|I'm|I’m|I was born|I live|I have|I've|I like|I love|I hate|I prefer|I (?:don't|do not|never|always) (?:eat|drink|like|use|work)|I work|I play|I moved|I need|I use|I drive|I study|I speak|my [\p{L} ]{2,30} (?:is|are|lives?|works?)|call me|ich bin|ich heiße|ich wohne|ich habe|ich mag|ich arbeite|ich bevorzuge|ich esse|ich spreche|meine? [\p{L} ]{2,30} (?:ist|heißt|sind|wohnt|arbeitet)|nenn mich)\b/iu

/** Sentences that matter in this conversation alone. */
const passing =
  /\b(?:I have (?:a|another|one more) (?:question|problem|request)|I need (?:help|to know|your)|I(?: am|'m|’m) (?:not sure|trying|looking|wondering|having|sorry|afraid)|ich habe (?:eine|noch eine) frage|ich bin (?:nicht sicher|mir nicht sicher))\b/iu

/** A request to remember something, with what stands after it. */
const request =
  /^(?:please |bitte )?(?:remember|note|keep in mind|don't forget|do not forget|merk(?:e)? dir|denk daran)(?: bitte)?(?:,? (?:that|dass)\b|:|,)?\s+(?=\S)/iu

/**
 * Returns the facts that a person wants remembered: the rest of a sentence such as "Remember that …", else the sentences in
 * which they say something about themselves. Questions are left out.
 */
export const statementsIn = (text: string): string[] =>
  splitSentences(text)
    .map(({ start, end }) => text.slice(start, end).trim())
    .filter((sentence) => !sentence.endsWith('?'))
    .flatMap((sentence) => {
      if (request.test(sentence)) return [capitalized(sentence.replace(request, ''))]
      return aboutOneself.test(sentence) && !passing.test(sentence) ? [sentence] : []
    })

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

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
