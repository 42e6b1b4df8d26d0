import { type Question, yearsIn } from './question.ts'
import type { RankablePassage, RankedSentence } from './ranked-sentence.ts'

/** Added to the score for the newest period, so that it decides between sentences that fit about as well. */
const newestBonus = 0.08
/** Only sentences with this share of the best score are compared. */
const minRelativeScore = 0.75

/** Where reports have several periods and the question names none, people mean the latest. */
export function preferNewest(
  sentences: RankedSentence[],
  passages: readonly RankablePassage[],
  { years, expected }: Question,
): void {
  if (years.length > 0 || (expected !== 'number' && expected !== 'money')) return
  const best = Math.max(...sentences.map(({ score }) => score))
  const dated = sentences.flatMap((sentence) => {
    const latest = sentence.score >= minRelativeScore * best ? latestYear(sentence, passages) : null
    return latest === null ? [] : [{ sentence, latest }]
  })
  const newest = Math.max(...dated.map(({ latest }) => latest))
  const oldest = Math.min(...dated.map(({ latest }) => latest))
  if (newest === oldest) return
  for (const { sentence, latest } of dated) sentence.score += newestBonus * ((latest - oldest) / (newest - oldest))
}

/** The latest year in a sentence, or in the header of a row. */
function latestYear({ passage, text, header }: RankedSentence, passages: readonly RankablePassage[]): number | null {
  const columns = header ? (passages[passage]?.content.slice(header.start, header.end) ?? '') : ''
  const years = yearsIn(`${text} ${columns}`).map(Number)
  return years.length === 0 ? null : Math.max(...years)
}
