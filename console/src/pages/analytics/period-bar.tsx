import { X } from 'lucide-react'
import { useAgents } from '../../api/lookups.ts'
import { Button } from '../../ui/button.tsx'
import { optionsOf } from '../../ui/distinct.ts'
import { CheckField, Options } from '../../ui/field.tsx'
import { isoDay } from '../../ui/format.ts'
import { intervals, type Period } from './period.ts'

const ranges = [
  { value: '1', label: 'Today' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
]
const names = { hour: 'By hour', day: 'By day', week: 'By week' }

export function PeriodBar({ days, start, end, agent, user, interval, withEvaluations, isCompared, change }: Period) {
  const agents = useAgents().data ?? []
  return (
    <div className="toolbar">
      <select
        aria-label="Period"
        value={days === null ? '' : String(days)}
        onChange={(event) => change({ days: event.target.value, from: undefined, to: undefined })}
      >
        {days === null && <option value="">Custom</option>}
        {ranges.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <span className="dates">
        <input
          type="date"
          aria-label="From"
          value={start}
          max={end}
          onChange={(event) => event.target.value && change({ from: event.target.value, to: end })}
        />
        <span className="muted">–</span>
        <input
          type="date"
          aria-label="To"
          value={end}
          min={start}
          max={isoDay()}
          onChange={(event) => event.target.value && change({ from: start, to: event.target.value })}
        />
      </span>
      <select aria-label="Interval" value={interval} onChange={(event) => change({ interval: event.target.value })}>
        {intervals.map((each) => (
          <option key={each} value={each}>
            {names[each]}
          </option>
        ))}
      </select>
      <select
        aria-label="Agent"
        value={agent ?? ''}
        onChange={(event) => change({ agent: event.target.value || undefined })}
      >
        <option value="">All agents</option>
        <Options options={optionsOf(agents)} />
      </select>
      <CheckField
        label="Compare with previous period"
        value={isCompared}
        onChange={(is) => change({ compare: is ? 'yes' : undefined })}
      />
      <CheckField
        label="Include evaluations"
        value={withEvaluations}
        onChange={(is) => change({ evaluations: is ? 'yes' : undefined })}
      />
      {user && (
        <Button small icon={X} onClick={() => change({ user: undefined })}>
          User: {user}
        </Button>
      )}
    </div>
  )
}
