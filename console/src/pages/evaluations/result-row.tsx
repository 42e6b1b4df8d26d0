import { Link } from '@tanstack/react-router'
import { CircleAlert, CircleCheck, CircleX } from 'lucide-react'
import { useMay } from '../../api/permissions.ts'
import { withoutIds } from '../../ui/errors.ts'
import { costOfCalls, count, milliseconds, scoreText } from '../../ui/format.ts'
import { Badge } from '../../ui/page.tsx'
import type { Result } from './draft.ts'
import { scorerLabel } from './scorer-label.ts'

const describeOutcome = ({ error, passed }: Result) =>
  error !== undefined
    ? { Icon: CircleAlert, label: 'Error', tone: 'warn-text' }
    : passed
      ? { Icon: CircleCheck, label: 'Passed', tone: 'good-text' }
      : { Icon: CircleX, label: 'Failed', tone: 'bad-text' }

/** One result. Expanded, it shows the answer and the scores. */
export function ResultRow({ result, change }: { result: Result; change?: 'fixed' | 'broken' | undefined }) {
  const { Icon, label, tone } = describeOutcome(result)
  const may = useMay()
  return (
    <details className="step result">
      <summary>
        <Icon size={17} className={tone} role="img" aria-label={label} />
        <span className="muted small">{result.case + 1}</span>
        <span className="grow clip">{result.input}</span>
        {change && <Badge tone={change === 'fixed' ? 'good' : 'bad'}>{change}</Badge>}
        <span className="row nowrap scores">
          {result.scores.map(({ scorer, score, passed }) => (
            <Badge key={scorer} tone={passed ? 'plain' : 'bad'}>
              {scorerLabel(scorer)} {scoreText(score)}
            </Badge>
          ))}
        </span>
      </summary>
      <div>
        {result.error !== undefined && <p className="notice bad">{withoutIds(result.error)}</p>}
        <h3>Question</h3>
        <p className="said">{result.input}</p>
        <div className="columns">
          <div className="stack tight">
            <h3>Expected</h3>
            <p className="said">{result.expected_output ?? <span className="muted">None</span>}</p>
          </div>
          <Answer result={result} title="Answer" />
        </div>
        <p className="muted small row">
          <span>
            {[
              result.latency_ms !== null && milliseconds(result.latency_ms),
              `${count(result.tokens)} tokens`,
              costOfCalls(result),
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
          {result.conversation_id && may('converse') && (
            <Link to={`/conversations/${result.conversation_id}`}>Open conversation</Link>
          )}
        </p>
      </div>
    </details>
  )
}

/** The answer with every score and its reason. */
export const Answer = ({ result, title }: { result: Result; title: string }) => (
  <div className="stack tight">
    <h3>{title}</h3>
    <p className="said">{result.actual_output ?? <span className="muted">No answer</span>}</p>
    <ul className="reasons">
      {result.scores.map(({ scorer, score, passed, reason }) => (
        <li key={scorer} className="reason">
          <Badge tone={passed ? 'good' : 'bad'}>
            {scorerLabel(scorer)} {scoreText(score)}
          </Badge>
          {reason && <span className="small muted">{reason}</span>}
        </li>
      ))}
    </ul>
  </div>
)
