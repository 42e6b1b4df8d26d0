import { sql } from 'kysely'
import type { Db } from '../../../kernel/store/database.ts'
import type { RunInList } from '../schema.ts'
import type { RunCells } from './store.ts'

const maxRecent = 10

/** The newest runs of each evaluation, newest first. */
export async function recentRuns(db: Db, workspace: string, ids: string[]): Promise<Map<string, RunInList[]>> {
  const byEvaluation = new Map<string, RunInList[]>()
  if (ids.length === 0) return byEvaluation
  const { rows } = await sql<Pick<RunCells, 'id' | 'evaluation_id' | 'status' | 'summary' | 'created_at'>>`
    select id, evaluation_id, status, summary, created_at from (
      select id, evaluation_id, status, summary, created_at,
        row_number() over (partition by evaluation_id order by id desc) as place
      from evaluation_run
      where workspace_id = ${workspace} and evaluation_id in (${sql.join(ids)})
    ) as run where place <= ${maxRecent} order by id desc`.execute(db)
  for (const { evaluation_id: evaluation, summary, ...run } of rows) {
    const { pass_rate = null, verdict = null } = (JSON.parse(summary) as RunInList | null) ?? {}
    const runs = byEvaluation.get(evaluation) ?? []
    runs.push({ ...run, pass_rate, verdict })
    byEvaluation.set(evaluation, runs)
  }
  return byEvaluation
}
