import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { FlaskConical, Plus } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { useMay } from '../../app/permissions.ts'
import { Button } from '../../ui/button.tsx'
import { count } from '../../ui/format.ts'
import { Pager, SearchBox, useListAddress } from '../../ui/list.tsx'
import { PageFrame } from '../../ui/page.tsx'
import { Empty, ErrorPanel, Loading } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'
import { NewEvaluation } from './new-evaluation.tsx'
import { scorerKinds } from './scorer-kinds.ts'
import { targetTypes, useTargetName } from './target.tsx'

export default function Evaluations() {
  const may = useMay()
  const { search, page, q, change } = useListAddress()
  const nameOf = useTargetName()
  const evaluations = useQuery({
    queryKey: ['evaluations', 'list', page, q],
    queryFn: ({ signal }) => parley.evaluations.list({ page, limit: 25, q: q || undefined }, { signal }).page(),
    placeholderData: keepPreviousData,
  })
  const create = may('write-configuration') && (
    <Button variant="primary" icon={Plus} onClick={() => change({ new: 'yes' })}>
      New evaluation
    </Button>
  )
  return (
    <PageFrame
      title="Evaluations"
      lead="Questions with the answers you want, asked again whenever something changes."
      actions={create}
    >
      <div className="toolbar">
        <SearchBox label="Search evaluations" value={q} onChange={(text) => change({ q: text, page: undefined })} />
      </div>
      {evaluations.error && <ErrorPanel error={evaluations.error} onRetry={() => void evaluations.refetch()} />}
      {evaluations.isPending && <Loading />}
      {evaluations.data?.data.length === 0 && (
        <Empty
          icon={FlaskConical}
          title={q ? 'No evaluation is called that' : 'No evaluations yet'}
          action={!q && create}
        >
          {q ? (
            'Try other words.'
          ) : (
            <>
              <p>
                An evaluation asks an agent, a tool or a model a list of questions and scores the answers. Run it before
                and after a change, and see whether things became better or worse.
              </p>
              <p>Begin with five questions your users really ask. A reply in a conversation can become a case too.</p>
            </>
          )}
        </Empty>
      )}
      {evaluations.data && evaluations.data.data.length > 0 && (
        <>
          <Table
            label="Evaluations"
            rows={evaluations.data.data}
            keyOf={({ id }) => id}
            to={({ id }) => `/evaluations/${id}`}
            columns={[
              {
                title: 'Name',
                cell: ({ name, description }) => (
                  <>
                    {name}
                    {description && <span className="muted two-lines">{description}</span>}
                  </>
                ),
              },
              {
                title: 'Tests',
                minor: true,
                cell: (row) => (
                  <>
                    {nameOf(row)}{' '}
                    <span className="muted small">
                      {targetTypes.find(({ value }) => value === row.type)?.label.toLowerCase()}
                    </span>
                  </>
                ),
              },
              {
                title: 'Scored by',
                minor: true,
                cell: ({ scorers }) => scorers.map(({ type }) => scorerKinds[type].label).join(', '),
              },
              { title: 'Cases', numeric: true, cell: ({ test_case_count: cases }) => count(cases) },
              { title: 'Changed', minor: true, numeric: true, cell: ({ updated_at: at }) => <Ago at={at} /> },
            ]}
          />
          <Pager pagination={evaluations.data.pagination} onPage={(next) => change({ page: String(next) })} />
        </>
      )}
      {search.new === 'yes' && <NewEvaluation onClose={() => change({ new: undefined })} />}
    </PageFrame>
  )
}
