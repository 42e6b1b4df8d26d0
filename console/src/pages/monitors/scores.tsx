import { Gauge } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { Listing, useList } from '../../parts/list-page.tsx'
import { scoreText } from '../../ui/format.ts'
import { Badge } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { Ago } from '../../ui/time.tsx'
import { scorerLabel } from '../evaluations/scorer-label.ts'
import type { Monitor } from './draft.ts'

/** The scores of a monitor, newest first. Each leads to its reply. */
export function Scores({ monitor: { id } }: { monitor: Monitor }) {
  const list = useList({
    resource: ['monitors', id, 'scores'],
    read: ({ page, limit }, options) => parley.monitors.scores(id, { page, limit }, options),
  })
  return (
    <Listing
      list={list}
      label="Scores"
      empty={
        <Empty icon={Gauge} title="No scores yet">
          Replies are scored a few seconds after they are given.
        </Empty>
      }
      to={({ conversation_id, message_id }) => `/conversations/${conversation_id}?message=${message_id}`}
      columns={[
        {
          title: 'Scorer',
          cell: ({ scorer, reason }) => (
            <>
              {scorerLabel(scorer)}
              {reason && <span className="muted two-lines">{reason}</span>}
            </>
          ),
        },
        {
          title: 'Score',
          cell: ({ score, passed }) => <Badge tone={passed ? 'good' : 'bad'}>{scoreText(score)}</Badge>,
        },
        { title: 'Version', minor: true, numeric: true, cell: ({ agent_version }) => agent_version ?? '–' },
        { title: 'Reply', minor: true, numeric: true, cell: ({ replied_at }) => <Ago at={replied_at} /> },
      ]}
    />
  )
}
