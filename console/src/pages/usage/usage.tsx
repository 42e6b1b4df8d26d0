import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChartColumn, X } from 'lucide-react'
import { isPriced, useAgents, useModels } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { ExportCsv } from '../../parts/export-csv.tsx'
import { Button } from '../../ui/button.tsx'
import { dailyUsage } from '../../ui/days.ts'
import { labelsOf } from '../../ui/distinct.ts'
import { CheckField } from '../../ui/field.tsx'
import { compact, costText, count, dollars, isoDay } from '../../ui/format.ts'
import { useListParams } from '../../ui/list.tsx'
import { PageFrame, Stat } from '../../ui/page.tsx'
import { Empty, Loading } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Budgets } from './budgets.tsx'
import { Shares } from './shares.tsx'
import { UsageCharts } from './usage-charts.tsx'

type Kind = 'model' | 'agent' | 'user'

const ranges = [
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
]
const kinds: { value: Kind; label: string }[] = [
  { value: 'model', label: 'By model' },
  { value: 'agent', label: 'By agent' },
  { value: 'user', label: 'By user' },
]

export default function Usage() {
  const { search, change } = useListParams()
  const days = Number(ranges.find(({ value }) => value === search.days)?.value ?? 30)
  const kind: Kind = kinds.find(({ value }) => value === search.by)?.value ?? 'model'
  const only = search.only
  const agents = useAgents()
  const models = useModels()
  const dates = { start_date: isoDay(days - 1), end_date: isoDay() }
  const isCompared = search.compare === 'yes'
  const all = useQuery({
    queryKey: ['usage', 'costs', days, 'by', kind],
    queryFn: ({ signal }) => parley.usage.costs({ ...dates, group_by: kind }, { signal }),
    placeholderData: keepPreviousData,
  })
  const filter = only === undefined ? {} : { entity_type: kind, entity_id: only }
  const before = useQuery({
    queryKey: ['usage', 'costs', days, 'before', kind, only],
    queryFn: ({ signal }) =>
      parley.usage.costs({ start_date: isoDay(2 * days - 1), end_date: isoDay(days), ...filter }, { signal }),
    enabled: isCompared,
  })
  const part = useQuery({
    queryKey: ['usage', 'costs', days, kind, only],
    queryFn: ({ signal }) => parley.usage.costs({ ...dates, entity_type: kind, entity_id: only }, { signal }),
    enabled: only !== undefined,
  })
  const names = new Map([...labelsOf(agents.data ?? []), ...labelsOf(models.data ?? [])])
  const shown = only === undefined ? all.data : part.data
  if (all.error) return <ErrorPanel error={all.error} onRetry={() => void all.refetch()} />

  const daily = shown ? dailyUsage(shown, days) : []
  const previous = isCompared && before.data ? dailyUsage(before.data, days, days) : undefined
  const requests = Object.values(shown?.by_model ?? {}).reduce((sum, each) => sum + each.requests, 0)
  const nameOf = (id: string) => names.get(id) ?? id
  const unpriced = Object.keys(shown?.by_model ?? {}).filter((id) => !isPriced(models.data, id))
  const tokens = daily.reduce((sum, each) => sum + each.tokens, 0)
  return (
    <PageFrame
      title="Usage"
      lead="Tokens and cost of every model call. Days are in UTC."
      actions={
        <>
          {shown && requests > 0 && (
            <ExportCsv
              name={`usage-${dates.start_date}-${dates.end_date}.csv`}
              rows={() => [
                ['Date', kinds.find(({ value }) => value === kind)?.label.slice(3) ?? '', 'Tokens', 'Cost (USD)'],
                ...daily.flatMap(({ date, tokens: all, cost, groups }): (string | number)[][] =>
                  groups.length > 0
                    ? groups.map((group) => [date, nameOf(group.id), group.tokens, group.cost])
                    : [[date, '', all, cost]],
                ),
              ]}
            />
          )}
          <CheckField
            label="Compare with previous period"
            value={isCompared}
            onChange={(is) => change({ compare: is ? 'yes' : undefined })}
          />
          <select aria-label="Period" value={String(days)} onChange={(event) => change({ days: event.target.value })}>
            {ranges.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </>
      }
    >
      {!shown && <Loading />}
      {shown && requests === 0 && only === undefined && (
        <Empty icon={ChartColumn} title="No usage in this period">
          Model calls are counted here by model, agent and user. Local models are free.
        </Empty>
      )}
      {shown && (requests > 0 || only !== undefined) && (
        <>
          {only !== undefined && (
            <p className="notice">
              <span className="grow">
                Filtered by <strong>{names.get(only) ?? only}</strong>
              </span>
              <Button small icon={X} onClick={() => change({ only: undefined })}>
                Show all
              </Button>
            </p>
          )}
          <div className="columns stats">
            <Stat
              label="Cost"
              value={costText(shown.total_cost, unpriced.length === 0)}
              note={
                isCompared && before.data
                  ? `${dollars(before.data.total_cost)} before`
                  : unpriced.length > 0 && `The price of ${unpriced.map(nameOf).join(', ')} is not known.`
              }
            />
            <Stat
              label="Tokens"
              value={compact(tokens)}
              note={previous && `${compact(previous.reduce((sum, each) => sum + each.tokens, 0))} before`}
            />
            <Stat label="Model calls" value={count(requests)} />
            {shown.saved_by_cache !== 0 && (
              <Stat
                label="Saved by caching"
                value={dollars(shown.saved_by_cache)}
                note="Less the cost of cache writes"
              />
            )}
          </div>
          <UsageCharts daily={daily} previous={previous} isGrouped={only === undefined} nameOf={nameOf} />
          <Tabs
            label="Usage breakdown"
            value={kind}
            onChange={(by) => change({ by, only: undefined })}
            tabs={kinds.map(({ value, label }) => ({
              value,
              label,
              content: all.data && (
                <Shares
                  label={label}
                  figures={value === 'model' ? all.data.by_model : (all.data.by_entity[value] ?? {})}
                  nameOf={nameOf}
                  isCostKnown={(id) => value !== 'model' || isPriced(models.data, id)}
                  onChoose={(id) => change({ only: id })}
                />
              ),
            }))}
          />
        </>
      )}
      {only === undefined && <Budgets nameOf={nameOf} />}
    </PageFrame>
  )
}
