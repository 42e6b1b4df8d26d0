import { Bot } from 'lucide-react'
import { nameById, useModels } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { ListPage, nameColumn } from '../../parts/list-page.tsx'
import { SeenAsButton } from '../../parts/seen-as.tsx'
import { FilterSelect, useListParams } from '../../ui/list.tsx'
import { Ago } from '../../ui/time.tsx'
import { NewAgent } from './new-agent.tsx'

export default function Agents() {
  const models = useModels()
  const status = useListParams().search.status === 'archived' ? 'archived' : 'active'
  const read: typeof parley.agents.list = (query, options) => parley.agents.list({ ...query, status }, options)
  return (
    <ListPage
      title="Agents"
      lead="Instructions, a model and tools that answer your users."
      resource={['agents', 'list', status]}
      read={read}
      filters={{
        names: ['status'],
        controls: (
          <FilterSelect
            label="Status"
            name="status"
            all="Active"
            options={[{ value: 'archived', label: 'Archived' }]}
          />
        ),
      }}
      actions={<SeenAsButton />}
      search="Search agents"
      none="No matching agents"
      create={{
        label: 'New agent',
        may: 'write-configuration',
        dialog: (close) => <NewAgent onClose={close} />,
      }}
      empty={{
        icon: Bot,
        title: 'No agents yet',
        text: 'Create an agent with instructions and a model, then chat with it.',
      }}
      to={({ id }) => `/agents/${id}`}
      columns={[
        nameColumn,
        {
          title: 'Model',
          minor: true,
          cell: ({ model_id: id }) => (id ? nameById(models.data, id) : <span className="muted">default</span>),
        },
        { title: 'Tools', minor: true, numeric: true, cell: ({ tools }) => tools.length || '–' },
        { title: 'Created', minor: true, numeric: true, cell: ({ created_at: at }) => <Ago at={at} /> },
      ]}
    />
  )
}
