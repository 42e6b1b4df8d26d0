import { dollars } from '../../usage/cost.ts'
import type { Summary } from '../schema.ts'
import { mean, percentile, wilson } from '../statistics.ts'
import type { CaseOutcome, RunRow } from './store.ts'

export function summarize(run: Pick<RunRow, 'status' | 'pass_threshold'>, outcomes: CaseOutcome[]): Summary {
  const count = (outcome: CaseOutcome['outcome']) => outcomes.filter((each) => each.outcome === outcome).length
  const sum = (of: (outcome: CaseOutcome) => number) => outcomes.reduce((total, each) => total + of(each), 0)
  const passed = count('passed')
  const total = outcomes.length
  const latencies = outcomes
    .flatMap(({ latency_ms }) => (latency_ms === null ? [] : [latency_ms]))
    .sort((one, other) => one - other)
  const passRate = total === 0 ? null : passed / total
  return {
    total,
    passed,
    failed: count('failed'),
    errors: count('error'),
    pass_rate: passRate,
    pass_rate_ci95: wilson(passed, total),
    mean_scores: meanScores(outcomes),
    latency_ms: { p50: percentile(latencies, 0.5), p95: percentile(latencies, 0.95) },
    tokens: sum(({ tokens }) => tokens),
    cost: dollars(sum(({ cost_nano }) => cost_nano)),
    unpriced_requests: sum((each) => each.unpriced_requests + each.judge_unpriced_requests),
    judge_tokens: sum(({ judge_tokens }) => judge_tokens),
    judge_cost: dollars(sum(({ judge_cost_nano }) => judge_cost_nano)),
    verdict: runVerdict(run, passRate),
  }
}

function meanScores(outcomes: Pick<CaseOutcome, 'scores'>[]): Record<string, number> {
  const byScorer = new Map<string, number[]>()
  for (const { scores } of outcomes) {
    for (const { scorer, score } of scores) {
      const values = byScorer.get(scorer)
      if (values) values.push(score)
      else byScorer.set(scorer, [score])
    }
  }
  return Object.fromEntries([...byScorer].map(([scorer, values]) => [scorer, mean(values)]))
}

/** Only a completed run with enough passed cases passes. */
function runVerdict(
  { status, pass_threshold }: Pick<RunRow, 'status' | 'pass_threshold'>,
  passRate: number | null,
): Summary['verdict'] {
  if (status === 'queued' || status === 'running') return null
  return status === 'completed' && passRate !== null && passRate >= pass_threshold ? 'passed' : 'failed'
}
