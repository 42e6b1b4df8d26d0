import { Split } from 'lucide-react'
import { nameById, useAgents } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { Ago } from '../../ui/time.tsx'
import { metricLabels, variantName } from './metrics.ts'
import { NewExperiment } from './new-experiment.tsx'
import { ExperimentStatus } from './status.tsx'

export default function Experiments() {
  const agents = useAgents()
  return (
    <ListPage
      title="Experiments"
      lead="Versions of an agent, compared on real conversations."
      resource={['experiments', 'list']}
      read={parley.experiments.list}
      search="Search experiments"
      none="No matching experiments"
      create={{
        label: 'New experiment',
        may: 'write-configuration',
        dialog: (close) => <NewExperiment onClose={close} />,
      }}
      empty={{
        icon: Split,
        title: 'No experiments yet',
        text: 'Let a new version of an agent answer some conversations, and see whether people like it more.',
      }}
      to={({ id }) => `/experiments/${id}`}
      columns={[
        {
          title: 'Name',
          cell: ({ name, agent_id }) => (
            <>
              {name}
              <span className="muted two-lines">{nameById(agents.data, agent_id)}</span>
            </>
          ),
        },
        { title: 'Variants', minor: true, cell: ({ variants }) => variants.map(variantName).join(', ') },
        { title: 'Metric', minor: true, cell: ({ metric }) => metricLabels[metric] ?? metric },
        { title: 'Status', cell: ({ status }) => <ExperimentStatus status={status} /> },
        { title: 'Started', minor: true, numeric: true, cell: ({ started_at: at }) => (at ? <Ago at={at} /> : '–') },
      ]}
    />
  )
}
