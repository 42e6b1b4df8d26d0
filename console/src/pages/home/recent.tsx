import { useQuery } from '@tanstack/react-query'
import { Bot, MessagesSquare } from 'lucide-react'
import { nameById, useAgents } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { useMay } from '../../api/permissions.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'

const maxRows = 6

export function Recent() {
  const may = useMay()
  const agents = useAgents()
  const conversations = useQuery({
    queryKey: ['conversations', 'recent'],
    queryFn: ({ signal }) => parley.conversations.list({ limit: 50, sort: 'updated_at' }, { signal }).page(),
    enabled: may('converse'),
  })
  if (!may('converse') || !conversations.data) return null
  // Conversations of evaluations are shown with their results.
  const recent = conversations.data.data.filter(({ metadata }) => !metadata.evaluation_id).slice(0, maxRows)
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
        Chat with an agent here or through the API.
      </Empty>
    )
  }
  return (
    <Card title="Recent conversations">
      <Table
        label="Recent conversations"
        rows={recent}
        rowKey={({ id }) => id}
        to={({ id }) => `/conversations/${id}`}
        columns={[
          {
            title: 'Conversation',
            cell: ({ title, agent_id: agent }) => (
              <>
                {title ?? 'Untitled'}
                <span className="muted two-lines">{nameById(agents.data, agent)}</span>
              </>
            ),
          },
          { title: 'Last message', numeric: true, cell: ({ updated_at }) => <Ago at={updated_at} /> },
        ]}
      />
    </Card>
  )
}
