import type { Feature } from '../../kernel/feature.ts'
import { hour } from '../../kernel/time.ts'
import { runMigration } from './migrations.ts'
import { Runs } from './runs.ts'
import { removeExpired } from './waiting.ts'

export * from './events.ts'
export * from './failed-reply.ts'
export * from './history.ts'
export * from './reply.ts'
export * from './run.ts'
export * from './schema.ts'
export * from './setup.ts'
export * from './sink.ts'
export * from './unkept.ts'
export * from './waiting.ts'

declare module '../../kernel/context.ts' {
  interface FeatureState {
    runs: Runs
  }
}

/** One answer of an agent, wherever it is kept. */
export const runs: Feature = {
  name: 'runs',
  migrations: [runMigration],
  // Those in conversations go with them, or are cancelled with their approvals.
  personalData: [
    { table: 'waiting_run', person: 'user_id', unless: 'conversation_id', erased: 'rows', counted: 'waiting_chats' },
  ],
  state: (ctx) => new Runs(ctx),
  jobs: (ctx) => ctx.jobs.define({ queue: 'runs.expire-waiting', every: hour, run: () => removeExpired(ctx) }),
  close: (ctx, patience) => ctx.state.runs.close(patience),
}
