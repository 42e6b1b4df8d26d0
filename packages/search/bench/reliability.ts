/** A result of a search: its score, and whether it is relevant. */
export interface Outcome {
  score: number
  isRight: boolean
}

export interface Reliability {
  /** The mean difference of score and share of relevant results, over ten bands. */
  error: number
  bands: { from: number; count: number; score: number; right: number }[]
}

const bandStarts = [0, 0.1, 0.3, 0.5, 0.7, 0.85, 0.95]

export function reliability(outcomes: readonly Outcome[]): Reliability {
  const tenths = Array.from({ length: 10 }, (_, tenth) => band(outcomes, tenth / 10, (tenth + 1) / 10))
  const error = tenths.reduce((sum, { count, score, right }) => sum + count * Math.abs(score - right), 0)
  return {
    error: error / Math.max(1, outcomes.length),
    bands: bandStarts.map((from, at) => ({ from, ...band(outcomes, from, bandStarts[at + 1] ?? 1) })),
  }
}

function band(outcomes: readonly Outcome[], from: number, to: number) {
  const within = outcomes.filter(({ score }) => score >= from && (score < to || to === 1))
  const mean = (value: (outcome: Outcome) => number) =>
    within.reduce((sum, outcome) => sum + value(outcome), 0) / Math.max(1, within.length)
  return { count: within.length, score: mean(({ score }) => score), right: mean(({ isRight }) => Number(isRight)) }
}

/** "0.90 → 0.94 (32)": the mean score of a band, the share of relevant results, and how many there are. */
export const inWords = ({ bands }: Reliability): string =>
  bands.map(({ score, right, count }) => `${score.toFixed(2)} → ${right.toFixed(2)} (${count})`).join(', ')
