import { FlaskConical } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { ListPage, nameColumn } from '../../parts/list-page.tsx'
import { count } from '../../ui/format.ts'
import { Ago } from '../../ui/time.tsx'
import { LastResult } from './last-result.tsx'
import { NewEvaluation } from './new-evaluation.tsx'
import { scorerTypes } from './scorer-types.ts'
import { targetTypes, useTargetName } from './target.tsx'
import { Trend } from './trend.tsx'

export default function Evaluations() {
  const targetName = useTargetName()
  return (
    <ListPage
      title="Evaluations"
      lead="Test your agents, tools and models against the answers you expect."
      resource={['evaluations', 'list']}
      read={parley.evaluations.list}
      search="Search evaluations"
      none="No matching evaluations"
      create={{
        label: 'New evaluation',
        may: 'write-configuration',
        dialog: (close) => <NewEvaluation onClose={close} />,
      }}
      empty={{
        icon: FlaskConical,
        title: 'No evaluations yet',
        text: (
          <>
            <p>
              An evaluation asks an agent, tool or model a list of questions and scores the answers. Run it before and
              after a change to see whether results got better or worse.
            </p>
            <p>Start with five questions your users really ask. You can also add replies from conversations.</p>
          </>
        ),
      }}
      to={({ id }) => `/evaluations/${id}`}
      columns={[
        nameColumn,
        {
          title: 'Target',
          minor: true,
          cell: (row) => (
            <>
              {targetName(row)}{' '}
              <span className="muted small">
                {targetTypes.find(({ value }) => value === row.type)?.label.toLowerCase()}
              </span>
            </>
          ),
        },
        {
          title: 'Scorers',
          minor: true,
          cell: ({ scorers }) => scorers.map(({ type }) => scorerTypes[type].label).join(', '),
        },
        { title: 'Cases', minor: true, numeric: true, cell: ({ test_case_count: cases }) => count(cases) },
        { title: 'Last result', cell: ({ recent_runs: [last] }) => <LastResult run={last} /> },
        { title: 'Trend', minor: true, cell: ({ recent_runs: runs }) => <Trend runs={runs} /> },
        {
          title: 'Last run',
          minor: true,
          numeric: true,
          cell: ({ recent_runs: [last] }) => last && <Ago at={last.created_at} />,
        },
      ]}
    />
  )
}
