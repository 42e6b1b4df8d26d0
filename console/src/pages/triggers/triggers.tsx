import { Zap } from 'lucide-react'
import { nameById, useAgents } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { Ago } from '../../ui/time.tsx'
import { NewTrigger } from './new-trigger.tsx'
import { TriggerStatus } from './status.tsx'

export default function Triggers() {
  const agents = useAgents().data
  return (
    <ListPage
      title="Triggers"
      lead="Start an agent when another service sends a webhook."
      resource={['triggers', 'list']}
      read={parley.triggers.list}
      search="Search triggers"
      none="No matching triggers"
      create={{
        label: 'New trigger',
        may: 'write-configuration',
        dialog: (close) => <NewTrigger onClose={close} />,
      }}
      empty={{
        icon: Zap,
        title: 'No triggers yet',
        text: 'Let an agent work on each new ticket, order or alert. Webhooks are signed, and each one starts one run.',
      }}
      to={({ id }) => `/triggers/${id}`}
      columns={[
        { title: 'Name', cell: ({ name }) => name },
        { title: 'Agent', minor: true, cell: ({ agent_id: agent }) => nameById(agents, agent) },
        { title: 'Status', cell: (trigger) => <TriggerStatus trigger={trigger} /> },
        { title: 'Created', minor: true, numeric: true, cell: ({ created_at: at }) => <Ago at={at} /> },
      ]}
    />
  )
}
