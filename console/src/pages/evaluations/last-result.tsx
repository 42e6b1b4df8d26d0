import type { Schemas } from '@parley/client'
import { percent } from '../../ui/format.ts'
import { Badge } from '../../ui/page.tsx'
import { Verdict } from './summary.tsx'

export function LastResult({ run }: { run: Schemas['EvaluationRunInList'] | undefined }) {
  if (!run) return <span className="muted small">Never run</span>
  const { status, pass_rate: rate, verdict } = run
  if (status !== 'completed') return <Badge tone={status === 'failed' ? 'bad' : 'plain'}>{status}</Badge>
  return (
    <span className="row">
      {rate !== null && percent(rate)}
      <Verdict verdict={verdict} />
    </span>
  )
}
