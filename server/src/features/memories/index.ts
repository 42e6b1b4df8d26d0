import type { Feature } from '../../kernel/feature.ts'
import { minute } from '../../kernel/time.ts'
import { indexMemories, queueUnindexed } from './indexing.ts'
import { memoryMigration } from './migrations.ts'
import { routes } from './routes.ts'
import { memories as service } from './service.ts'
import type { WrittenMessage } from './write.ts'

export * from './recall.ts'
export * from './settings.ts'
export * from './tool.ts'
export * from './write.ts'

declare module '../../kernel/context.ts' {
  interface FeatureState {
    memories: {
      /** Reads the messages that the person of a conversation wrote. Conversations set it. */
      writtenBy(workspace: string, conversationId: string): Promise<WrittenMessage[]>
    }
  }
}

/** Facts that agents remember. */
export const memories: Feature = {
  name: 'memories',
  migrations: [memoryMigration],
  resources: [service],
  personalData: [
    {
      table: 'memory',
      person: 'user_id',
      exported: {
        file: 'memories.jsonl',
        columns: ['id', 'content', 'agent_id', 'source', 'edited', 'created_at', 'updated_at', 'last_recalled_at'],
        json: ['source'],
      },
      erased: 'rows',
      counted: 'memories',
    },
    { compact: (ctx) => indexMemories(ctx) },
  ],
  state: () => ({ writtenBy: async () => [] }),
  jobs: (ctx) => ctx.jobs.define({ queue: 'memories.index', every: minute, run: () => indexMemories(ctx) }),
  prepare: queueUnindexed,
  routes,
}
