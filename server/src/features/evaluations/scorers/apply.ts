import type { Score } from '../schema.ts'
import { errorMessage, type Observation, type ScoringContext } from './scorer.ts'
import { type SettledScorer, scorerKinds, scorerLabels } from './scorers.ts'

interface ScorerError {
  scorer: string
  message: string
  error: unknown
}

export interface Applied {
  scores: Score[]
  errors: ScorerError[]
}

/** Scores an answer by all scorers. One that fails does not keep the others from scoring. */
export async function applyScorers(
  scorers: SettledScorer[],
  seen: Observation,
  scoring: ScoringContext,
): Promise<Applied> {
  const labels = scorerLabels(scorers)
  const scores: Score[] = []
  const errors: ScorerError[] = []
  for (const [index, scorer] of scorers.entries()) {
    const label = labels[index] ?? scorer.type
    try {
      const mark = await scorerKinds[scorer.type].score(scorer.config, seen, scoring)
      scores.push({ scorer: label, ...mark, passed: mark.score >= scorer.threshold })
    } catch (error) {
      scoring.signal.throwIfAborted()
      errors.push({ scorer: label, message: errorMessage(error), error })
    }
  }
  return { scores, errors }
}
