import { Bot, MessagesSquare } from 'lucide-react'
import { nameById, useAgents } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { usePersonName } from '../../api/people.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { conversationPath, Snippet } from '../../parts/snippet.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { useListParams } from '../../ui/list.tsx'
import { Badge } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import { conversationQuery, Filters, filterNames } from './filters.tsx'

export default function Conversations() {
  const { search } = useListParams()
  const agents = useAgents()
  const personName = usePersonName()
  const filters = conversationQuery(search)
  return (
    <ListPage
      title="Conversations"
      lead="All conversations with your agents, step by step."
      resource={['conversations', 'list', filters]}
      read={({ q, ...query }, options) =>
        parley.conversations.list({ ...query, ...filters, sort: 'updated_at', search: q }, options)
      }
      search="Search messages and titles"
      none="No matching conversations"
      filters={{ names: filterNames, controls: <Filters /> }}
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
      to={({ id, matches = [] }) => conversationPath(id, matches)}
      columns={[
        {
          title: 'Conversation',
          cell: ({ title, matches = [] }) => (
            <>
              <bdi>{title ?? 'Untitled'}</bdi>
              {matches.slice(0, 2).map((match) => (
                <Snippet key={match.message_id} match={match} />
              ))}
            </>
          ),
        },
        { title: 'Agent', minor: true, cell: ({ agent_id: id }) => nameById(agents.data, id) },
        {
          title: 'User',
          minor: true,
          cell: ({ user_id: user, evaluation_id: by }) =>
            by ? <Badge tone="plain">evaluation</Badge> : user === null ? '–' : personName(user),
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
