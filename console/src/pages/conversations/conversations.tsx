import type { Schemas } from '@parley/client'
import { Bot, MessagesSquare } from 'lucide-react'
import { nameById, useAgents } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { FilterSelect, useListParams } from '../../ui/list.tsx'
import { Badge } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'

type Status = Schemas['Conversation']['status']

export default function Conversations() {
  const { search } = useListParams()
  const { agent, status } = search
  const agents = useAgents()
  return (
    <ListPage
      title="Conversations"
      lead="All conversations with your agents, step by step."
      resource={['conversations', 'list', agent, status]}
      read={(query, options) =>
        parley.conversations.list(
          { ...query, sort: 'updated_at', agent_id: agent, status: status as Status | undefined },
          options,
        )
      }
      search="Search conversations"
      none="No matching conversations"
      filters={{
        names: ['agent', 'status'],
        controls: (
          <>
            <FilterSelect
              label="Agent"
              name="agent"
              all="All agents"
              options={(agents.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            />
            <FilterSelect
              label="Status"
              name="status"
              all="All statuses"
              options={[
                { value: 'active', label: 'Active' },
                { value: 'completed', label: 'Completed' },
              ]}
            />
          </>
        ),
      }}
      empty={{
        icon: MessagesSquare,
        title: 'No conversations yet',
        text: 'Conversations with your agents appear here.',
        action: (
          <LinkButton variant="primary" to="/agents" icon={Bot}>
            Choose an agent
          </LinkButton>
        ),
      }}
      to={({ id }) => `/conversations/${id}`}
      columns={[
        { title: 'Conversation', cell: ({ title }) => title ?? 'Untitled' },
        { title: 'Agent', minor: true, cell: ({ agent_id: id }) => nameById(agents.data, id) },
        {
          title: 'User',
          minor: true,
          cell: ({ user_id: user, evaluation_id: by }) => (by ? <Badge tone="plain">evaluation</Badge> : (user ?? '–')),
        },
        {
          title: 'Status',
          minor: true,
          cell: ({ status: is }) => <Badge tone={is === 'active' ? 'accent' : 'plain'}>{is}</Badge>,
        },
        { title: 'Last message', numeric: true, cell: ({ updated_at: at }) => <Ago at={at} /> },
      ]}
    />
  )
}
