import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChartColumn, X } from 'lucide-react'
import { Fragment } from 'react'
import { deletedName, isPriced, useAgents, useModels, useTokens } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { usePersonName } from '../../api/people.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { ExportCsv } from '../../parts/export-csv.tsx'
import { CompareField, PeriodFields, periodBefore, usePeriod } from '../../parts/period.tsx'
import { Button } from '../../ui/button.tsx'
import { dailyUsage } from '../../ui/days.ts'
import { toLabels } from '../../ui/distinct.ts'
import { compact, costText, count, dollars } from '../../ui/format.ts'
import { PageFrame, Stat } from '../../ui/page.tsx'
import { Empty, Loading } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Budgets } from './budgets.tsx'
import { type Figures, Shares } from './shares.tsx'
import { UsageCharts } from './usage-charts.tsx'

const UnknownPrices = ({ ids, findName }: { ids: string[]; findName: (id: string) => string }) => (
  <>
    Enter the price of{' '}
    {ids.map((id, at) => (
      <Fragment key={id}>
        {at > 0 && ', '}
        <Link to="/models" search={{ model: id } as never}>
          {findName(id)}
        </Link>
      </Fragment>
    ))}
    , which is not known.
  </>
)

/** A cost that is not known is an empty cell, not 0. */
const cells = ({ tokens, cost, unpriced_requests: unpriced }: Omit<Figures, 'requests'>): (string | number)[] => [
  tokens,
  unpriced > 0 && cost === 0 ? '' : cost,
  unpriced,
]

const isId = (text: string): boolean => /^(agt|mdl|tok)_/.test(text)

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
  const tokens = useTokens()
  const personName = usePersonName()
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
  const names = new Map([
    ...toLabels(agents.data ?? []),
    ...toLabels(models.data ?? []),
    ...toLabels(tokens.data ?? []),
  ])
  const shown = only === undefined ? all.data : part.data
  const daily = shown ? dailyUsage(shown, start, end) : []
  const previous = isCompared && before.data ? dailyUsage(before.data, earlier.start, earlier.end) : undefined
  const requests = Object.values(shown?.by_model ?? {}).reduce((sum, each) => sum + each.requests, 0)
  const findName = (id: string) => names.get(id) ?? (isId(id) ? deletedName(id) : personName(id))
  // Models that still have no price are listed, so that it can be entered.
  const unpriced = Object.entries(shown?.by_model ?? {}).flatMap(([id, { unpriced_requests: n }]) =>
    n > 0 && !isPriced(models.data, id) ? id : [],
  )
  const allTokens = daily.reduce((sum, each) => sum + each.tokens, 0)
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
              [
                'Date',
                kinds.find(({ value }) => value === kind)?.label.slice(3) ?? '',
                'Tokens',
                'Cost (USD)',
                'Calls without a price',
              ],
              ...daily.flatMap(({ date, groups, ...day }): (string | number)[][] =>
                groups.length > 0
                  ? groups.map((group) => [date, findName(group.id), ...cells(group)])
                  : [[date, '', ...cells(day)]],
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
      {!all.error && shown && (requests > 0 || only !== undefined) && (
        <>
          {only !== undefined && (
            <p className="notice">
              <span className="grow">
                Filtered by <strong>{findName(only)}</strong>
              </span>
              <Button small icon={X} onClick={() => change({ only: undefined })}>
                Show all
              </Button>
            </p>
          )}
          <div className="columns stats">
            <Stat
              label="Cost"
              value={costText(shown.total_cost, shown.unpriced_requests === 0)}
              note={
                isCompared && before.data
                  ? `${costText(before.data.total_cost, before.data.unpriced_requests === 0)} before`
                  : unpriced.length > 0 && <UnknownPrices ids={unpriced} findName={findName} />
              }
            />
            <Stat
              label="Tokens"
              value={compact(allTokens)}
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
        </>
      )}
      {/* In one place, so that a budget that is being edited stays open while the figures load. */}
      {only === undefined && <Budgets findName={findName} />}
      {!all.error && shown && (requests > 0 || only !== undefined) && (
        <>
          <UsageCharts daily={daily} previous={previous} isGrouped={only === undefined} findName={findName} />
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
                  findName={findName}
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
