import type { Feature } from '../../kernel/feature.ts'
import { hour } from '../../kernel/time.ts'
import { runMigration } from './migrations.ts'
import { Runs } from './runs.ts'
import { removeExpired } from './waiting.ts'

export * from './ending.ts'
export * from './event-schema.ts'
export * from './events.ts'
export * from './history.ts'
export * from './reply.ts'
export * from './run.ts'
export * from './schema.ts'
export * from './setup.ts'
export * from './sink.ts'
export * from './tool-call-views.ts'
export * from './unkept.ts'
export * from './waiting.ts'
export * from './waiting-kinds.ts'

declare module '../../kernel/context.ts' {
  interface FeatureState {
    runs: Runs
  }
}

/** Runs produce one reply of an agent each. Sinks decide where it is stored. */
export const runs: Feature = {
  name: 'runs',
  migrations: [runMigration],
  // Waiting runs in conversations are deleted with these or cancelled with their approvals.
  personalData: [
    { table: 'waiting_run', person: 'user_id', unless: 'conversation_id', erased: 'rows', counted: 'waiting_chats' },
  ],
  state: (ctx) => new Runs(ctx),
  jobs: (ctx) => ctx.jobs.define({ queue: 'runs.expire-waiting', every: hour, run: () => removeExpired(ctx) }),
  close: (ctx, timeout) => ctx.state.runs.close(timeout),
}
