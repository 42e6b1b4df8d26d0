import { Gauge } from 'lucide-react'
import { useAgents } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { dollars, percent } from '../../ui/format.ts'
import { Badge } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import { NewMonitor } from './new-monitor.tsx'

export default function Monitors() {
  const agents = new Map(useAgents().data?.map(({ id, name }) => [id, name]))
  return (
    <ListPage
      title="Monitors"
      lead="Scores for a sample of the replies that people get."
      resource={['monitors', 'list']}
      read={parley.monitors.list}
      search="Search monitors"
      none="No matching monitors"
      create={{ label: 'New monitor', may: 'write-configuration', dialog: (close) => <NewMonitor onClose={close} /> }}
      empty={{
        icon: Gauge,
        title: 'No monitors yet',
        text: 'Let a judge score a share of the replies of an agent, within a daily budget, and get an alert when scores fall.',
      }}
      to={({ id }) => `/monitors/${id}`}
      columns={[
        {
          title: 'Name',
          cell: ({ name, agent_id, alerting }) => (
            <>
              {name} {alerting.length > 0 && <Badge tone="bad">low scores</Badge>}
              <span className="muted two-lines">{agents.get(agent_id) ?? agent_id}</span>
            </>
          ),
        },
        {
          title: 'Sample',
          cell: ({ sample_rate }) => (sample_rate > 0 ? percent(sample_rate) : <Badge>paused</Badge>),
        },
        {
          title: 'Spent today',
          numeric: true,
          cell: ({ spent_today, daily_budget }) => `${dollars(spent_today)} of ${dollars(daily_budget)}`,
        },
        { title: 'Created', minor: true, numeric: true, cell: ({ created_at }) => <Ago at={created_at} /> },
      ]}
    />
  )
}
