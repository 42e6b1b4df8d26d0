import { FlaskConical } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { ListPage, nameColumn } from '../../parts/list-page.tsx'
import { count } from '../../ui/format.ts'
import { Ago } from '../../ui/time.tsx'
import { NewEvaluation } from './new-evaluation.tsx'
import { scorerKinds } from './scorer-kinds.ts'
import { targetTypes, useTargetName } from './target.tsx'

export default function Evaluations() {
  const nameOf = useTargetName()
  return (
    <ListPage
      title="Evaluations"
      lead="Questions with the answers you want, asked again whenever something changes."
      resource={['evaluations', 'list']}
      read={parley.evaluations.list}
      search="Search evaluations"
      none="No evaluation is called that"
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
              An evaluation asks an agent, a tool or a model a list of questions and scores the answers. Run it before
              and after a change, and see whether things became better or worse.
            </p>
            <p>Begin with five questions your users really ask. A reply in a conversation can become a case too.</p>
          </>
        ),
      }}
      to={({ id }) => `/evaluations/${id}`}
      columns={[
        nameColumn,
        {
          title: 'Tests',
          minor: true,
          cell: (row) => (
            <>
              {nameOf(row)}{' '}
              <span className="muted small">
                {targetTypes.find(({ value }) => value === row.type)?.label.toLowerCase()}
              </span>
            </>
          ),
        },
        {
          title: 'Scored by',
          minor: true,
          cell: ({ scorers }) => scorers.map(({ type }) => scorerKinds[type].label).join(', '),
        },
        { title: 'Cases', numeric: true, cell: ({ test_case_count: cases }) => count(cases) },
        { title: 'Changed', minor: true, numeric: true, cell: ({ updated_at: at }) => <Ago at={at} /> },
      ]}
    />
  )
}
