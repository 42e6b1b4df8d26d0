import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { BookOpen, Plus } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { useMay } from '../../app/permissions.ts'
import { Button } from '../../ui/button.tsx'
import { Pager, SearchBox, useListAddress } from '../../ui/list.tsx'
import { Badge, PageFrame } from '../../ui/page.tsx'
import { Empty, ErrorPanel, Loading } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'
import { kinds, sourceTones } from './kinds.ts'
import { NewSource } from './new-source.tsx'

const slowly = 5000

export default function Sources() {
  const may = useMay()
  const { search, page, q, change } = useListAddress()
  const sources = useQuery({
    queryKey: ['knowledge-sources', 'list', page, q],
    queryFn: ({ signal }) => parley.knowledgeSources.list({ page, limit: 25, q: q || undefined }, { signal }).page(),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => state.data?.data.some(({ status }) => status === 'syncing') && slowly,
  })
  const create = may('write-configuration') && (
    <Button variant="primary" icon={Plus} onClick={() => change({ new: 'yes' })}>
      New source
    </Button>
  )
  return (
    <PageFrame
      title="Knowledge"
      lead="What agents can look up: documents, texts, web sites and folders, read and made searchable."
      actions={create}
    >
      <div className="toolbar">
        <SearchBox label="Search sources" value={q} onChange={(text) => change({ q: text, page: undefined })} />
      </div>
      {sources.error && <ErrorPanel error={sources.error} onRetry={() => void sources.refetch()} />}
      {sources.isPending && <Loading />}
      {sources.data?.data.length === 0 && (
        <Empty icon={BookOpen} title={q ? 'No source is called that' : 'No knowledge yet'} action={!q && create}>
          {q
            ? 'Try other words.'
            : 'Make a source, put documents in, then make a tool that searches it and give the tool to an agent: its answers will cite the passages they rest on.'}
        </Empty>
      )}
      {sources.data && sources.data.data.length > 0 && (
        <>
          <Table
            label="Knowledge sources"
            rows={sources.data.data}
            keyOf={({ id }) => id}
            to={({ id }) => `/knowledge/${id}`}
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
              { title: 'Kind', minor: true, cell: ({ type }) => kinds[type].label },
              {
                title: 'State',
                cell: ({ status, status_message: message }) => (
                  <>
                    <Badge tone={sourceTones[status]}>{status}</Badge>
                    {message && <span className="muted small two-lines">{message}</span>}
                  </>
                ),
              },
              {
                title: 'Last read',
                minor: true,
                numeric: true,
                cell: ({ last_sync: last }) => (last ? <Ago at={last} /> : '–'),
              },
            ]}
          />
          <Pager pagination={sources.data.pagination} onPage={(next) => change({ page: String(next) })} />
        </>
      )}
      <NewSource open={search.new === 'yes'} onClose={() => change({ new: undefined })} />
    </PageFrame>
  )
}
