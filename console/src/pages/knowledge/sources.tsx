import { BookOpen } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { ListPage, nameColumn } from '../../parts/list-page.tsx'
import { Badge } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import { kinds, sourceTones } from './kinds.ts'
import { NewSource } from './new-source.tsx'

export default function Sources() {
  return (
    <ListPage
      title="Knowledge"
      lead="What agents can look up: documents, texts, web sites and folders, read and made searchable."
      resource={['knowledge-sources', 'list']}
      read={parley.knowledgeSources.list}
      isMoving={(rows) => rows.some(({ status }) => status === 'syncing')}
      search="Search sources"
      none="No source is called that"
      create={{
        label: 'New source',
        may: 'write-configuration',
        dialog: (close) => <NewSource onClose={close} />,
      }}
      empty={{
        icon: BookOpen,
        title: 'No knowledge yet',
        text: 'Make a source, put documents in, then make a tool that searches it and give the tool to an agent: its answers will cite the passages they rest on.',
      }}
      to={({ id }) => `/knowledge/${id}`}
      columns={[
        nameColumn,
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
  )
}
