import type { Question } from './rank/question.ts'
import type { RankedSentence } from './rank/ranked-sentence.ts'

interface Weights {
  fit: number
  similarity: number
  missing: number
  required: number
}

/**
 * Fitted to one half of XQuAD, with the right passage and with only others of the same article, and to the development half
 * of the questions in `bench/answers`. `required` is a little higher than fitted: a wrong answer is worse than none.
 */
const byMeaning: Weights = { fit: 0.66, similarity: 0.34, missing: 1.38, required: 0.5 }
/** Without embeddings, synonyms are unknown: in German 75 in a hundred, and 8 from wrong passages. */
const byWords: Weights = { fit: 0.66, similarity: 0, missing: 2.1, required: 0.15 }

/** A sentence this near in meaning answers without the question's words. */
const minSimilarity = 0.65

/**
 * Whether the best sentences of documents answer a question: they fit it, and their passage contains all its terms. A term
 * that is missing in the whole passage is the best sign that it does not answer, especially if the question has few terms.
 */
export function documentsAnswer({ terms }: Question, top: RankedSentence[]): boolean {
  const [best] = top
  if (!best) return false
  const { fit, similarity, missing, required } = top.some((each) => each.similarity > 0) ? byMeaning : byWords
  const missingShare = (1 - best.passageCoverage) / Math.max(2, terms.length)
  const confidence = fit * Math.min(1, best.fit) + similarity * best.similarity - missing * missingShare
  return confidence >= required || best.similarity >= minSimilarity
}
