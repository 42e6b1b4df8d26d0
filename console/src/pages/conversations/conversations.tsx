import type { Schemas } from '@parley/client'
import { Bot, MessagesSquare } from 'lucide-react'
import { nameIn, useAgents } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { FilterSelect, useListAddress } from '../../ui/list.tsx'
import { Badge } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'

type Status = Schemas['Conversation']['status']

export default function Conversations() {
  const { search } = useListAddress()
  const { agent, status } = search
  const agents = useAgents()
  return (
    <ListPage
      title="Conversations"
      lead="Everything that was said, with every step that led to it."
      resource={['conversations', 'list', agent, status]}
      read={(asked, options) =>
        parley.conversations.list(
          { ...asked, sort: 'updated_at', agent_id: agent, status: status as Status | undefined },
          options,
        )
      }
      search="Search conversations"
      none="No conversation fits"
      filters={{
        names: ['agent', 'status'],
        controls: (
          <>
            <FilterSelect
              label="Agent"
              name="agent"
              all="Every agent"
              options={(agents.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            />
            <FilterSelect
              label="State"
              name="status"
              all="Active and completed"
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
        text: 'Talk to an agent and the conversation appears here.',
        action: (
          <LinkButton variant="primary" to="/agents" icon={Bot}>
            Choose an agent
          </LinkButton>
        ),
      }}
      to={({ id }) => `/conversations/${id}`}
      columns={[
        { title: 'Conversation', cell: ({ title }) => title ?? 'Without a title' },
        { title: 'Agent', minor: true, cell: ({ agent_id: id }) => nameIn(agents.data, id) },
        {
          title: 'User',
          minor: true,
          cell: ({ user_id: user, evaluation_id: by }) =>
            by ? <Badge tone="plain">an evaluation</Badge> : (user ?? '–'),
        },
        {
          title: 'State',
          minor: true,
          cell: ({ status: is }) => <Badge tone={is === 'active' ? 'accent' : 'plain'}>{is}</Badge>,
        },
        { title: 'Last message', numeric: true, cell: ({ updated_at: at }) => <Ago at={at} /> },
      ]}
    />
  )
}
