import { folded } from '../text/words.ts'
import type { Question } from './question.ts'
import type { RankablePassage } from './ranked-sentence.ts'
import type { Sentence } from './read-sentences.ts'

/** A word that matches a name this well means the same: "Europe" and "EUR". */
const minStrength = 0.4

/** The passages that contain every name of the question, in their text, their headings or the name of their document. */
export function passagesWithNames(
  { names }: Question,
  passages: readonly RankablePassage[],
  sentences: readonly Sentence[],
): Set<number> {
  const knowing = new Set<number>()
  for (const [index, { content, source, headings = [] }] of passages.entries()) {
    const text = folded([source ?? '', ...headings, content].join(' ')).replace(/[\s-]+/g, ' ')
    const isSynonymKnown = (term: number) =>
      sentences.some(({ passage, hits }) => passage === index && (hits?.[term] ?? 0) >= minStrength)
    if (names.every((name) => text.includes(name.text) || (!/\d/.test(name.text) && isSynonymKnown(name.term))))
      knowing.add(index)
  }
  return knowing
}
