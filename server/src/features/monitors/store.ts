import type { Db } from '../../kernel/store/database.ts'
import { resourceTable } from '../../kernel/store/table.ts'
import { MonitorScore } from './schema.ts'

/**
 * A reply in the sample: it `waits` until it has ended, is `queued` until its job runs, and ends as `scored` or with the
 * reason why a scorer is missing.
 */
export type ReplyState = 'waiting' | 'queued' | 'scored' | 'over_budget' | 'hidden' | 'failed'

interface MonitorReplyRow {
  monitor_id: string
  message_id: string
  workspace_id: string
  state: ReplyState
  replied_at: string
}

interface MonitorScoreRow {
  id: string
  workspace_id: string
  monitor_id: string
  agent_id: string
  agent_version: number | null
  label: string | null
  conversation_id: string
  message_id: string
  scorer: string
  score: number
  passed: boolean
  replied_at: string
  revision: number
  created_at: string
  updated_at: string
}

declare module '../../kernel/store/database.ts' {
  interface Tables {
    monitor_reply: MonitorReplyRow
    monitor_score: MonitorScoreRow
  }
}

/** Reasons are in the reply alone, so that they go with its text. */
export const scoreTable = resourceTable({ name: 'monitor_score', shape: MonitorScore, computed: ['reason'] })

/** Changes the state of a reply. Returns false if it was not in the expected one. */
export async function changeState(
  tx: Db,
  { workspace_id, monitor_id, message_id }: Pick<MonitorReplyRow, 'workspace_id' | 'monitor_id' | 'message_id'>,
  expected: ReplyState,
  state: ReplyState,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('monitor_reply')
    .set({ state })
    .where('workspace_id', '=', workspace_id)
    .where('monitor_id', '=', monitor_id)
    .where('message_id', '=', message_id)
    .where('state', '=', expected)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Whether a reply has not been scored yet. */
export async function isQueued(db: Db, workspace: string, monitor: string, message: string): Promise<boolean> {
  const row = await db
    .selectFrom('monitor_reply')
    .select('state')
    .where('workspace_id', '=', workspace)
    .where('monitor_id', '=', monitor)
    .where('message_id', '=', message)
    .executeTakeFirst()
  return row?.state === 'queued'
}

/** The newest scores of a scorer, at most `limit`. */
export async function lastScores(
  tx: Db,
  { workspace_id, monitor_id, scorer }: Pick<MonitorScoreRow, 'workspace_id' | 'monitor_id' | 'scorer'>,
  limit: number,
): Promise<number[]> {
  const rows = await tx
    .selectFrom('monitor_score')
    .select('score')
    .where('workspace_id', '=', workspace_id)
    .where('monitor_id', '=', monitor_id)
    .where('scorer', '=', scorer)
    .orderBy('message_id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ score }) => score)
}
