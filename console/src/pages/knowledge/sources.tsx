import { BookOpen } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { ListPage, nameColumn } from '../../parts/list-page.tsx'
import { SeenAsButton } from '../../parts/seen-as.tsx'
import { Badge } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import { NewSource } from './new-source.tsx'
import { sourceTones, sourceTypes } from './source-types.ts'

export default function Sources() {
  return (
    <ListPage
      title="Knowledge"
      lead="Documents, websites and folders your agents can search."
      resource={['knowledge-sources', 'list']}
      read={parley.knowledgeSources.list}
      shouldPoll={(rows) => rows.some(({ status }) => status === 'syncing')}
      actions={<SeenAsButton />}
      search="Search sources"
      none="No matching sources"
      create={{
        label: 'New source',
        may: 'write-configuration',
        dialog: (close) => <NewSource onClose={close} />,
      }}
      empty={{
        icon: BookOpen,
        title: 'No knowledge yet',
        text: 'Create a source and add documents. Then create a tool that searches it and add the tool to an agent. Answers cite the passages they use.',
      }}
      to={({ id }) => `/knowledge/${id}`}
      columns={[
        nameColumn,
        { title: 'Type', minor: true, cell: ({ type }) => sourceTypes[type].label },
        {
          title: 'Status',
          cell: ({ status, status_message: message }) => (
            <>
              <Badge tone={sourceTones[status]}>{status}</Badge>
              {message && <span className="muted small two-lines">{message}</span>}
            </>
          ),
        },
        {
          title: 'Last synced',
          minor: true,
          numeric: true,
          cell: ({ last_sync: last }) => (last ? <Ago at={last} /> : '–'),
        },
      ]}
    />
  )
}
