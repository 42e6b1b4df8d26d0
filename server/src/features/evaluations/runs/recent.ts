import type { Db } from '../../../kernel/store/database.ts'
import type { RunInList } from '../schema.ts'

const maxRecent = 10

/** The newest runs of each evaluation, newest first. */
export async function recentRuns(db: Db, workspace: string, ids: string[]): Promise<Map<string, RunInList[]>> {
  const byEvaluation = new Map<string, RunInList[]>()
  if (ids.length === 0) return byEvaluation
  const numbered = db
    .selectFrom('evaluation_run')
    .select(['id', 'evaluation_id', 'status', 'summary', 'created_at'])
    .select(({ fn }) =>
      fn
        .agg<number>('row_number')
        .over((runs) => runs.partitionBy('evaluation_id').orderBy('id', 'desc'))
        .as('place'),
    )
    .where('workspace_id', '=', workspace)
    .where('evaluation_id', 'in', ids)
  const rows = await db
    .selectFrom(numbered.as('run'))
    .select(['id', 'evaluation_id', 'status', 'summary', 'created_at'])
    .where('place', '<=', maxRecent)
    .orderBy('id', 'desc')
    .execute()
  for (const { evaluation_id: evaluation, summary, ...run } of rows) {
    const { pass_rate = null, verdict = null } = (JSON.parse(summary) as RunInList | null) ?? {}
    const runs = byEvaluation.get(evaluation) ?? []
    runs.push({ ...run, pass_rate, verdict })
    byEvaluation.set(evaluation, runs)
  }
  return byEvaluation
}
