import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChartColumn, X } from 'lucide-react'
import { isPriced, useAgents, useModels } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { ExportCsv } from '../../parts/export-csv.tsx'
import { CompareField, PeriodFields, periodBefore, usePeriod } from '../../parts/period.tsx'
import { Button } from '../../ui/button.tsx'
import { tonesById } from '../../ui/chart/tones.ts'
import { dailyUsage } from '../../ui/days.ts'
import { labelsOf } from '../../ui/distinct.ts'
import { compact, costText, count, dollars } from '../../ui/format.ts'
import { PageFrame, Stat } from '../../ui/page.tsx'
import { Empty, Loading } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Budgets } from './budgets.tsx'
import { Shares } from './shares.tsx'
import { UsageCharts } from './usage-charts.tsx'

/** In the order in which they were created. */
const inOrder = (rows: readonly { id: string; created_at?: string | undefined }[] = []): string[] =>
  [...rows].sort((one, other) => (one.created_at ?? '').localeCompare(other.created_at ?? '')).map(({ id }) => id)

type Kind = 'model' | 'agent' | 'user'

const kinds: { value: Kind; label: string }[] = [
  { value: 'model', label: 'By model' },
  { value: 'agent', label: 'By agent' },
  { value: 'user', label: 'By user' },
]

export default function Usage() {
  const period = usePeriod()
  const { start, end, isCompared, search, change } = period
  const kind: Kind = kinds.find(({ value }) => value === search.by)?.value ?? 'model'
  const only = search.only
  const agents = useAgents()
  const models = useModels()
  const dates = { start_date: start, end_date: end }
  const earlier = periodBefore(start, end)
  const all = useQuery({
    queryKey: ['usage', 'costs', start, end, 'by', kind],
    queryFn: ({ signal }) => parley.usage.costs({ ...dates, group_by: kind }, { signal }),
    placeholderData: keepPreviousData,
  })
  const filter = only === undefined ? {} : { entity_type: kind, entity_id: only }
  const before = useQuery({
    queryKey: ['usage', 'costs', start, end, 'before', kind, only],
    queryFn: ({ signal }) =>
      parley.usage.costs({ start_date: earlier.start, end_date: earlier.end, ...filter }, { signal }),
    enabled: isCompared,
  })
  const part = useQuery({
    queryKey: ['usage', 'costs', start, end, kind, only],
    queryFn: ({ signal }) => parley.usage.costs({ ...dates, entity_type: kind, entity_id: only }, { signal }),
    enabled: only !== undefined,
  })
  const names = new Map([...labelsOf(agents.data ?? []), ...labelsOf(models.data ?? [])])
  const shown = only === undefined ? all.data : part.data
  const daily = shown ? dailyUsage(shown, start, end) : []
  const previous = isCompared && before.data ? dailyUsage(before.data, earlier.start, earlier.end) : undefined
  const requests = Object.values(shown?.by_model ?? {}).reduce((sum, each) => sum + each.requests, 0)
  const tones = tonesById(
    kind === 'user'
      ? Object.keys(all.data?.by_entity.user ?? {}).sort()
      : inOrder(kind === 'agent' ? agents.data : models.data),
  )
  const nameOf = (id: string) => names.get(id) ?? id
  const unpriced = Object.keys(shown?.by_model ?? {}).filter((id) => !isPriced(models.data, id))
  const tokens = daily.reduce((sum, each) => sum + each.tokens, 0)
  return (
    <PageFrame
      title="Usage"
      lead="Tokens and cost of every model call. Days are in UTC."
      actions={
        shown &&
        requests > 0 && (
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
        )
      }
    >
      <div className="toolbar">
        <PeriodFields {...period} />
        <CompareField {...period} />
      </div>
      {all.error && <ErrorPanel error={all.error} onRetry={() => void all.refetch()} />}
      {!shown && !all.error && <Loading />}
      {!all.error && shown && requests === 0 && only === undefined && (
        <Empty icon={ChartColumn} title="No usage in this period">
          Model calls are counted here by model, agent and user. Local models are free.
        </Empty>
      )}
      {requests === 0 && only === undefined && <Budgets nameOf={nameOf} />}
      {!all.error && shown && (requests > 0 || only !== undefined) && (
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
          {only === undefined && <Budgets nameOf={nameOf} />}
          <UsageCharts daily={daily} previous={previous} isGrouped={only === undefined} nameOf={nameOf} tones={tones} />
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
                  tones={tones}
                  onChoose={(id) => change({ only: id })}
                />
              ),
            }))}
          />
        </>
      )}
    </PageFrame>
  )
}
