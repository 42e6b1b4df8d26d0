import type { ModelCall } from '../../../kernel/agent/loop.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Statement } from '../../../kernel/store/commits.ts'
import type { DatedMigration } from '../../../kernel/store/migrate.ts'
import type { MessageRow } from '../message-row.ts'

declare module '../../../kernel/store/database.ts' {
  interface Tables {
    turn_call: { message_id: string; workspace_id: string; calls: string }
  }
}

export const turnCallMigration: DatedMigration = {
  name: '2026-11-15-83-turn-calls',
  async up(db) {
    await db.schema
      .createTable('turn_call')
      .addColumn('message_id', 'text', (column) => column.primaryKey().references('message.id').onDelete('cascade'))
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
      .addColumn('calls', 'text', (column) => column.notNull())
      .execute()
  },
}

/** The model calls of a turn that are not in the ledger yet. */
export interface UnbilledCalls {
  finished: ModelCall[]
  /** The call that was started last and has not ended, with an estimate of its input. */
  open: ModelCall | null
}

type Of = Pick<MessageRow, 'id' | 'workspace_id'>

/** For the case that the process ends. */
export const saveUnbilledCalls = (ctx: Context, { id, workspace_id }: Of, calls: UnbilledCalls): Statement =>
  ctx.statements.raw(
    'insert into turn_call (message_id, workspace_id, calls) values (?, ?, ?) on conflict (message_id) do update set calls = excluded.calls',
    [id, workspace_id, JSON.stringify(calls)],
  )

export const deleteUnbilledCalls = (ctx: Context, { id }: Of): Statement =>
  ctx.statements.raw('delete from turn_call where message_id = ?', [id])

/** Null if none were stored: then the first call was running, or has just ended. */
export async function findUnbilledCalls({ db }: Context, { id, workspace_id }: Of): Promise<UnbilledCalls | null> {
  const found = await db
    .selectFrom('turn_call')
    .select('calls')
    .where('workspace_id', '=', workspace_id)
    .where('message_id', '=', id)
    .executeTakeFirst()
  if (!found) return null
  const calls = JSON.parse(found.calls) as UnbilledCalls | ModelCall[]
  return Array.isArray(calls) ? { finished: calls, open: null } : calls // as earlier versions stored them
}
