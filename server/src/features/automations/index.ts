import type { Feature } from '../../kernel/feature.ts'
import { followResumed } from './execution/settle.ts'
import { defineJobs, onEvent } from './jobs.ts'
import { automationMigration, unpricedRunsMigration } from './migrations.ts'
import { routes } from './routes.ts'
import { receivedText, removeOldRuns } from './runs/store.ts'
import { schedules } from './schedules/service.ts'
import { triggerSecret, triggers } from './triggers/service.ts'

/** Work that agents do by themselves: at times (schedules), and when a webhook comes in (triggers). */
export const automations: Feature = {
  name: 'automations',
  migrations: [automationMigration, unpricedRunsMigration],
  sealed: [triggerSecret.sealed],
  resources: [schedules, triggers],
  personalData: [
    { table: 'schedule', person: 'actor_user', erased: { changedAt: 'updated_at' }, counted: 'schedules' },
    { table: 'schedule', person: 'actor_token', identity: true, erased: {} },
    { table: 'trigger', person: 'actor_user', erased: { changedAt: 'updated_at' }, counted: 'triggers' },
    { table: 'trigger', person: 'actor_token', identity: true, erased: {} },
    // The last one is erased first: it needs the name that the others replace.
    receivedText,
  ],
  retention: [{ what: 'runs of schedules and triggers', remove: removeOldRuns }],
  events: onEvent,
  jobs(ctx) {
    defineJobs(ctx)
    ctx.state.runs.onResumed = ({ row, finished }) => {
      followResumed(ctx, row, finished).catch((error) =>
        ctx.log.warn({ err: error, message: row.id }, 'the run of a resumed reply is settled later'),
      )
    }
  },
  routes,
}
