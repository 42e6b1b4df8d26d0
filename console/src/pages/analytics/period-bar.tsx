import { SlidersHorizontal, X } from 'lucide-react'
import { useState } from 'react'
import { useAgents } from '../../api/lookups.ts'
import { usePersonName } from '../../api/people.ts'
import { CompareField, PeriodFields } from '../../parts/period.tsx'
import { Button } from '../../ui/button.tsx'
import { toOptions } from '../../ui/distinct.ts'
import { CheckField } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { intervals, type Period } from './period.ts'

const names = { hour: 'By hour', day: 'By day', week: 'By week' }

export function PeriodBar(period: Period) {
  const { agent, user, interval, withEvaluations, change } = period
  const agents = useAgents().data ?? []
  const personName = usePersonName()
  const [isWanted, setWanted] = useState(false)
  const isOpen = isWanted || agent !== undefined || withEvaluations
  return (
    <div className="toolbar">
      <PeriodFields {...period} />
      <select aria-label="Interval" value={interval} onChange={(event) => change({ interval: event.target.value })}>
        {intervals.map((each) => (
          <option key={each} value={each}>
            {names[each]}
          </option>
        ))}
      </select>
      <CompareField {...period} />
      <Button icon={SlidersHorizontal} aria-expanded={isOpen} onClick={() => setWanted(!isOpen)}>
        Filters
      </Button>
      {isOpen && (
        <div className="toolbar more-filters">
          <Select
            aria-label="Agent"
            value={agent ?? ''}
            onChange={(chosen) => change({ agent: chosen || undefined })}
            options={[{ value: '', label: 'All agents' }, ...toOptions(agents)]}
          />
          <CheckField
            label="Include evaluations"
            value={withEvaluations}
            onChange={(is) => change({ evaluations: is ? 'yes' : undefined })}
          />
        </div>
      )}
      {user && (
        <Button small icon={X} onClick={() => change({ user: undefined })}>
          User: {personName(user)}
        </Button>
      )}
    </div>
  )
}
