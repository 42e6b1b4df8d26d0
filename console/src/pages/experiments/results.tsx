import type { Schemas } from '@parley/client'
import { useQuery } from '@tanstack/react-query'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { count, fixed } from '../../ui/format.ts'
import { Badge, Card } from '../../ui/page.tsx'
import { Loading } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { differenceText, type Experiment, meanText, metricLabels, valueText, variantName } from './metrics.ts'

type Found = Schemas['ExperimentResults']

const pollInterval = 15_000

export function Results({ experiment, mayWrite }: { experiment: Experiment; mayWrite: boolean }) {
  const { id, metric, status } = experiment
  const results = useQuery({
    queryKey: ['experiments', id, 'results', status],
    queryFn: ({ signal }) => parley.experiments.results(id, { signal }),
    refetchInterval: status === 'running' ? pollInterval : false,
  })
  if (results.error) return <ErrorPanel error={results.error} onRetry={() => void results.refetch()} />
  if (!results.data) return <Loading />
  const { variants, differences, conclusion, unpriced_requests: unpriced } = results.data
  return (
    <>
      <p className="notice" role="status">
        {conclusion}
      </p>
      {unpriced > 0 && (
        <p className="notice warn">
          The price of {unpriced === 1 ? 'one call' : `${count(unpriced)} calls`} was not known, so costs, intervals and
          differences leave them out.
        </p>
      )}
      <Card title={metricLabels[metric] ?? metric}>
        <Table
          label="Variants"
          rows={variants}
          rowKey={variantName}
          columns={[
            {
              title: 'Variant',
              cell: (variant) => (
                <>
                  {variantName(variant)}
                  {variant.label && variant.version && (
                    <span className="muted two-lines">now version {variant.version}</span>
                  )}
                </>
              ),
            },
            { title: 'Weight', numeric: true, minor: true, cell: ({ weight }) => weight },
            { title: 'Conversations', numeric: true, minor: true, cell: (variant) => count(variant.conversations) },
            { title: 'People', numeric: true, minor: true, cell: ({ people }) => count(people) },
            { title: 'Mean', numeric: true, cell: ({ mean }) => meanText(metric, mean, unpriced) },
            { title: '95 %', numeric: true, cell: ({ ci95 }) => interval(ci95, (value) => valueText(metric, value)) },
            ...(mayWrite
              ? [{ title: '', cell: (variant: Found['variants'][number]) => <Promote id={id} variant={variant} /> }]
              : []),
          ]}
        />
      </Card>
      <Card title="Differences">
        <Table
          label="Differences"
          rows={differences}
          rowKey={({ variant }) => variant}
          columns={[
            {
              title: 'Variant',
              cell: ({ variant, against }) => `${inWords(variant)} compared with ${inWords(against)}`,
            },
            {
              title: 'Difference',
              numeric: true,
              cell: ({ difference }) => (difference === null ? '–' : differenceText(metric, difference)),
            },
            {
              title: '95 %',
              numeric: true,
              minor: true,
              cell: ({ ci95 }) => interval(ci95, (value) => differenceText(metric, value)),
            },
            { title: 'p', numeric: true, minor: true, cell: ({ p_value: p }) => (p === null ? '–' : pText(p)) },
            { title: 'Result', cell: ({ better }) => <Verdict better={better} /> },
          ]}
        />
      </Card>
      <p className="muted small">
        Look as often as you like: the intervals hold for all looks together. Each person counts once.
      </p>
    </>
  )
}

/** Labels begin with a letter. */
const inWords = (variant: string): string => (/^\d/.test(variant) ? `Version ${variant}` : variant)

const interval = (ends: number[] | null, text: (value: number) => string): string =>
  ends ? ends.map(text).join(' to ') : '–'

const pText = (p: number): string => (p < 0.001 ? `< ${fixed(0.001, 3)}` : fixed(p, 3))

const Verdict = ({ better }: { better: boolean | null }) =>
  better === null ? (
    <Badge>not known yet</Badge>
  ) : (
    <Badge tone={better ? 'good' : 'bad'}>{better ? 'better' : 'worse'}</Badge>
  )

function Promote({ id, variant }: { id: string; variant: Found['variants'][number] }) {
  const name = variant.label ?? String(variant.version)
  const promote = useSave({
    invalidates: ['experiments', 'agents'],
    run: () => parley.experiments.promote(id, { variant: name }),
    toast: `${variantName(variant)} is in production`,
  })
  if (name === 'production') return null
  return (
    <Confirm
      trigger={<Button small>Promote</Button>}
      title={`Promote ${variantName(variant)}?`}
      text="Its version gets the label production, and the experiment stops. New conversations get it at once."
      action="Promote"
      onConfirm={() => promote.mutateAsync(undefined).catch(() => {})}
    />
  )
}
