import type { Feature } from '../../kernel/feature.ts'
import { jsonLines } from '../../kernel/personal-data.ts'
import type { Db } from '../../kernel/store/database.ts'
import { minute } from '../../kernel/time.ts'
import { indexMemories, queueUnindexed } from './indexing.ts'
import { memoryMigration, memoryVersionsMigration } from './migrations.ts'
import { routes } from './routes.ts'
import { memories as service } from './service.ts'
import type { WrittenMessage } from './write.ts'

export * from './access.ts'
export * from './recall.ts'
export * from './settings.ts'
export * from './sources.ts'
export * from './tool.ts'
export * from './write.ts'

declare module '../../kernel/context.ts' {
  interface FeatureState {
    memories: {
      /** Reads the messages that the person of a conversation wrote. Conversations set it. */
      writtenBy(workspace: string, conversationId: string): Promise<WrittenMessage[]>
      /** Locks a message, and returns whether it still has this text. Conversations set it. */
      lockWritten(tx: Db, workspace: string, message: WrittenMessage): Promise<boolean>
    }
  }
}

/** Facts that agents remember. */
export const memories: Feature = {
  name: 'memories',
  migrations: [memoryMigration, memoryVersionsMigration],
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
    {
      async *files({ db }, { workspace, userId }) {
        const rows = await db
          .selectFrom('memory_version')
          .innerJoin('memory', 'memory.id', 'memory_version.memory_id')
          .select(['memory_id', 'memory_version.content', 'memory_version.created_at', 'replaced_at'])
          .where('memory_version.workspace_id', '=', workspace)
          .where('memory.user_id', '=', userId)
          .orderBy('memory_id')
          .orderBy('memory_version.revision')
          .execute()
        yield { name: 'memory-versions.jsonl', content: jsonLines(rows) }
      },
      compact: (ctx) => indexMemories(ctx),
    },
  ],
  state: () => ({ writtenBy: async () => [], lockWritten: async () => false }),
  jobs: (ctx) => ctx.jobs.define({ queue: 'memories.index', every: minute, run: () => indexMemories(ctx) }),
  prepare: queueUnindexed,
  routes,
}
