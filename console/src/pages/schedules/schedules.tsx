import { CalendarClock } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { isActive, RunStatus } from '../../parts/run-status.tsx'
import { Ago } from '../../ui/time.tsx'
import { actionLabels } from './labels.ts'
import { NewSchedule } from './new-schedule.tsx'
import { ScheduleStatus } from './status.tsx'

export default function Schedules() {
  return (
    <ListPage
      title="Schedules"
      lead="Messages, syncs and evaluations at set times."
      resource={['schedules', 'list']}
      read={parley.schedules.list}
      shouldPoll={(rows) => rows.some(({ last_run: run }) => run !== null && isActive(run))}
      search="Search schedules"
      none="No matching schedules"
      create={{
        label: 'New schedule',
        may: 'write-configuration',
        dialog: (close) => <NewSchedule onClose={close} />,
      }}
      empty={{
        icon: CalendarClock,
        title: 'No schedules yet',
        text: 'Let an agent write a report every morning, sync a source every hour, or run an evaluation every night.',
      }}
      to={({ id }) => `/schedules/${id}`}
      columns={[
        {
          title: 'Name',
          cell: ({ name, action }) => (
            <>
              {name}
              <span className="muted two-lines">{actionLabels[action.type]}</span>
            </>
          ),
        },
        {
          title: 'Times',
          minor: true,
          cell: ({ cron, cron_description: words, timezone }) => (
            <>
              <span title={cron ?? undefined}>{words ?? 'Once'}</span>
              <span className="muted two-lines">{timezone}</span>
            </>
          ),
        },
        { title: 'Status', cell: (schedule) => <ScheduleStatus schedule={schedule} /> },
        { title: 'Last run', cell: ({ last_run: run }) => (run ? <RunStatus run={run} /> : '–') },
        {
          title: 'Next run',
          minor: true,
          numeric: true,
          cell: ({ next_run_at: at }) => (at ? <Ago at={at} /> : '–'),
        },
      ]}
    />
  )
}
