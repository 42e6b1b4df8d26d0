import type { Db } from '../../kernel/store/database.ts'

export const runningSync = (db: Db, workspace: string, sourceId: string) =>
  db
    .selectFrom('knowledge_sync')
    .select(['id', 'asked_for', 'job_id'])
    .where('workspace_id', '=', workspace)
    .where('knowledge_source_id', '=', sourceId)
    .where('status', '=', 'running')
    .executeTakeFirst()
