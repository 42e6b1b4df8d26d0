import { useQuery } from '@tanstack/react-query'
import { Bot, MessagesSquare } from 'lucide-react'
import { nameIn, useAgents } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { useMay } from '../../app/permissions.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Badge, Card } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'

const most = 6

export function Recent() {
  const may = useMay()
  const agents = useAgents()
  const conversations = useQuery({
    queryKey: ['conversations', 'recent'],
    queryFn: ({ signal }) => parley.conversations.list({ limit: 50, sort: 'updated_at' }, { signal }).page(),
    enabled: may('converse'),
  })
  if (!may('converse') || !conversations.data) return null
  // What evaluations asked is theirs to show.
  const recent = conversations.data.data.filter(({ metadata }) => !metadata.evaluation_id).slice(0, most)
  if (recent.length === 0) {
    return (
      <Empty
        icon={MessagesSquare}
        title="No conversations yet"
        action={
          <LinkButton variant="primary" to="/agents" icon={Bot}>
            Choose an agent
          </LinkButton>
        }
      >
        Talk to an agent, here or from your own program, and the conversation appears here.
      </Empty>
    )
  }
  return (
    <Card title="Recent conversations">
      <Table
        label="Recent conversations"
        rows={recent}
        keyOf={({ id }) => id}
        to={({ id }) => `/conversations/${id}`}
        columns={[
          { title: 'Conversation', cell: ({ title }) => title ?? 'Without a title' },
          { title: 'Agent', minor: true, cell: ({ agent_id }) => nameIn(agents.data, agent_id) },
          {
            title: 'State',
            minor: true,
            cell: ({ status }) => <Badge tone={status === 'active' ? 'accent' : 'plain'}>{status}</Badge>,
          },
          { title: 'Last message', numeric: true, cell: ({ updated_at }) => <Ago at={updated_at} /> },
        ]}
      />
    </Card>
  )
}
