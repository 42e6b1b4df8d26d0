import type { Schemas } from '@parley/client'
import { compact, costText, count, milliseconds, percent, scoreText } from '../../ui/format.ts'
import { Badge, Stat } from '../../ui/page.tsx'
import type { Run } from './draft.ts'
import { scorerLabel } from './scorer-label.ts'

export const Verdict = ({ verdict }: { verdict: 'passed' | 'failed' | null }) =>
  verdict && <Badge tone={verdict === 'passed' ? 'good' : 'bad'}>{verdict}</Badge>

/** The figures of a run. */
export function Summary({ run, summary }: { run: Run; summary: Schemas['EvaluationSummary'] }) {
  const { passed, failed, errors, pass_rate: rate, pass_rate_ci95: interval, latency_ms: latency } = summary
  const [low, high] = interval ?? []
  return (
    <>
      <div className="columns stats">
        <Stat
          label="Pass rate"
          value={
            <span className="row">
              {rate === null ? '–' : percent(rate)}
              {run.status === 'cancelled' || run.status === 'failed' ? (
                <Badge tone="warn">{run.status}</Badge>
              ) : (
                <Verdict verdict={summary.verdict} />
              )}
            </span>
          }
          note={
            low !== undefined && high !== undefined
              ? `95% CI ${percent(low)}–${percent(high)}, required ${percent(run.pass_threshold)}`
              : `required ${percent(run.pass_threshold)}`
          }
        />
        <Stat
          label="Cases"
          value={count(summary.total)}
          note={`${count(passed)} passed, ${count(failed)} failed, ${count(errors)} ${errors === 1 ? 'error' : 'errors'}`}
        />
        <Stat
          label="Latency (p50)"
          value={latency.p50 === null ? '–' : milliseconds(latency.p50)}
          note={latency.p95 !== null && `p95 ${milliseconds(latency.p95)}`}
        />
        <Stat
          label="Cost"
          value={costText(summary.cost + summary.judge_cost, summary.unpriced_requests === 0)}
          note={`${compact(summary.tokens)} tokens${summary.judge_tokens > 0 ? `, ${compact(summary.judge_tokens)} for the judge` : ''}`}
        />
      </div>
      {Object.keys(summary.mean_scores).length > 0 && (
        <ul className="means" aria-label="Mean scores">
          {Object.entries(summary.mean_scores).map(([scorer, mean]) => (
            <li key={scorer} className="mean">
              <span>{scorerLabel(scorer)}</span>
              <progress className="share" aria-label={`Mean of ${scorerLabel(scorer)}`} max={1} value={mean} />
              <strong>{scoreText(mean)}</strong>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
