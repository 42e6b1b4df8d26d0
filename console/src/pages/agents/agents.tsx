import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Bot, Plus } from 'lucide-react'
import { nameIn, useModels } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { useMay } from '../../app/permissions.ts'
import { Button } from '../../ui/button.tsx'
import { Pager, SearchBox, useListAddress } from '../../ui/list.tsx'
import { PageFrame } from '../../ui/page.tsx'
import { Empty, ErrorPanel, Loading } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'
import { NewAgent } from './new-agent.tsx'

export default function Agents() {
  const may = useMay()
  const { search, page, q, change } = useListAddress()
  const models = useModels()
  const agents = useQuery({
    queryKey: ['agents', 'list', page, q],
    queryFn: ({ signal }) => parley.agents.list({ page, limit: 25, q: q || undefined }, { signal }).page(),
    placeholderData: keepPreviousData,
  })
  const create = may('write-configuration') && (
    <Button variant="primary" icon={Plus} onClick={() => change({ new: 'yes' })}>
      New agent
    </Button>
  )
  return (
    <PageFrame title="Agents" lead="Who answers: instructions, a model and the tools they may use." actions={create}>
      <div className="toolbar">
        <SearchBox label="Search agents" value={q} onChange={(text) => change({ q: text, page: undefined })} />
      </div>
      {agents.error && <ErrorPanel error={agents.error} onRetry={() => void agents.refetch()} />}
      {agents.isPending && <Loading />}
      {agents.data?.data.length === 0 && (
        <Empty icon={Bot} title={q ? 'No agent is called that' : 'No agents yet'} action={!q && create}>
          {q ? 'Try other words.' : 'An agent is a name, instructions and a model. Make one and talk to it at once.'}
        </Empty>
      )}
      {agents.data && agents.data.data.length > 0 && (
        <>
          <Table
            label="Agents"
            rows={agents.data.data}
            keyOf={({ id }) => id}
            to={({ id }) => `/agents/${id}`}
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
                title: 'Model',
                minor: true,
                cell: ({ model_id }) =>
                  model_id ? nameIn(models.data, model_id) : <span className="muted">default</span>,
              },
              { title: 'Tools', minor: true, numeric: true, cell: ({ tools }) => tools.length || '–' },
              { title: 'Created', minor: true, numeric: true, cell: ({ created_at }) => <Ago at={created_at} /> },
            ]}
          />
          <Pager pagination={agents.data.pagination} onPage={(next) => change({ page: String(next) })} />
        </>
      )}
      <NewAgent open={search.new === 'yes'} onClose={() => change({ new: undefined })} />
    </PageFrame>
  )
}
