import { History } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { Listing, useList } from '../../parts/list-page.tsx'
import { RunDuration, RunResult, RunStatus } from '../../parts/run-status.tsx'
import { costOfCalls } from '../../ui/format.ts'
import { Empty } from '../../ui/states.tsx'
import { Ago } from '../../ui/time.tsx'
import type { Schedule } from './draft.ts'

/** The runs of a schedule with outcome, cost and result. */
export function Runs({ schedule: { id, action, last_run: last } }: { schedule: Schedule }) {
  const list = useList({
    resource: ['schedules', id, 'runs', last?.id, last?.status], // the page polls the schedule
    read: ({ page, limit }, options) => parley.schedules.runs(id, { page, limit }, options),
  })
  return (
    <Listing
      list={list}
      label="Runs"
      empty={
        <Empty icon={History} title="No runs yet">
          Runs are listed here with their outcome and cost.
        </Empty>
      }
      columns={[
        { title: 'Due', cell: ({ due_at: at }) => <Ago at={at} /> },
        { title: 'Status', cell: (run) => <RunStatus run={run} withError /> },
        { title: 'Result', cell: (run) => <RunResult run={run} action={action} /> },
        { title: 'Duration', minor: true, numeric: true, cell: (run) => <RunDuration run={run} /> },
        { title: 'Cost', minor: true, numeric: true, cell: costOfCalls },
      ]}
    />
  )
}
