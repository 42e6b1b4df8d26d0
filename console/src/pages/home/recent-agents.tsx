import { useQuery } from '@tanstack/react-query'
import { parley } from '../../api/parley.ts'
import { useMay } from '../../api/permissions.ts'
import { Card } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'

const maxRows = 6

/** The agents that were changed last. */
export function RecentAgents() {
  const may = useMay()
  const agents = useQuery({
    queryKey: ['agents', 'recent'],
    queryFn: ({ signal }) =>
      parley.agents.list({ limit: maxRows, sort: 'updated_at', order: 'desc', status: 'active' }, { signal }).page(),
    enabled: may('read-configuration'),
  })
  if (!agents.data || agents.data.data.length === 0) return null
  return (
    <Card title="Agents">
      <Table
        label="Agents"
        rows={agents.data.data}
        rowKey={({ id }) => id}
        to={({ id }) => `/agents/${id}`}
        columns={[
          { title: 'Agent', cell: ({ name }) => name },
          { title: 'Description', minor: true, cell: ({ description }) => description ?? '–' },
        ]}
      />
    </Card>
  )
}
