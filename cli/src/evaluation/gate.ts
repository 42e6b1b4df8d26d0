import type { Schemas } from '../client.ts'

interface Gate {
  passed: boolean
  reason: string | null
}

/** Decides whether a run lets a release pass. `threshold` overrides the pass rate that the evaluation requires. */
export function decideGate(
  { status, error, pass_threshold }: Schemas['EvaluationRun'],
  { pass_rate }: Schemas['EvaluationSummary'],
  comparison: Schemas['EvaluationComparison'] | undefined,
  threshold: number | null,
): Gate {
  const wanted = threshold ?? pass_threshold
  const reasons = [
    status !== 'completed' && `the run ended as ${status}${error ? `: ${error}` : ''}`,
    (pass_rate ?? 0) < wanted && `the pass rate ${pass_rate ?? 0} is below ${wanted}`,
    comparison?.regression && `it is significantly worse than ${comparison.run_id}`,
  ].filter((reason) => typeof reason === 'string')
  return { passed: reasons.length === 0, reason: reasons.join('; ') || null }
}
