import type { Pause } from '../../../kernel/agent/approval.ts'
import type { AgentRun } from '../../../kernel/agent/loop.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import type { JsonFormat } from '../../../kernel/llm/model.ts'
import type { Statement } from '../../../kernel/store/commits.ts'
import type { Db } from '../../../kernel/store/database.ts'
import type { DatedMigration } from '../../../kernel/store/migrate.ts'
import { upToDate } from '../../sessions/up-to-date.ts'
import type { MessageRow } from '../message-row.ts'
import type { ConversationRow } from '../store.ts'

declare module '../../../kernel/store/database.ts' {
  interface Tables {
    paused_turn: { message_id: string; workspace_id: string; state: string }
  }
}

type Settings = Pick<AgentRun, 'maxSteps' | 'temperature' | 'maxTokens' | 'sampling'>

type Asker = Pick<Caller, 'role' | 'token' | 'session' | 'userId' | 'groups' | 'session' | 'rateLimit'>

/** What it takes to resume a turn, at any time and on any node. */
export interface PausedTurn extends Settings {
  /** Who asked. The turn goes on with their rights, whoever decides. Turns of older versions have none. */
  asker?: Asker
  pause: Pause
  modelIds: string[]
  toolIds: string[]
  format?: JsonFormat | null
}

export const pausedTurnMigration: DatedMigration = {
  name: '2026-11-15-60-paused-turns',
  async up(db) {
    await db.schema
      .createTable('paused_turn')
      .addColumn('message_id', 'text', (column) => column.primaryKey().references('message.id').onDelete('cascade'))
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
      .addColumn('state', 'text', (column) => column.notNull())
      .execute()
  },
}

export function insertPausedTurn(
  ctx: Context,
  { role, token, session, userId, groups, rateLimit }: Caller,
  row: MessageRow,
  run: Pick<AgentRun, 'models' | 'tools' | 'output'> & Settings,
  pause: Pause,
): Statement {
  const { maxSteps, temperature, maxTokens, sampling = {}, output } = run
  const modelIds = run.models.map(({ id }) => id)
  const toolIds = [...new Set(run.tools.map(({ id }) => id))]
  const state: PausedTurn = {
    asker: { role, token, ...(session !== undefined && { session }), userId, groups, rateLimit },
    pause,
    modelIds,
    toolIds,
    maxSteps,
    temperature,
    maxTokens,
    sampling,
    format: output?.format ?? null,
  }
  const cells = { message_id: row.id, workspace_id: row.workspace_id, state: JSON.stringify(state) }
  return ctx.statements.insert('paused_turn', cells)
}

export async function findPausedTurn(db: Db, workspace: string, messageId: string): Promise<PausedTurn | undefined> {
  const found = await db
    .selectFrom('paused_turn')
    .select('state')
    .where('workspace_id', '=', workspace)
    .where('message_id', '=', messageId)
    .executeTakeFirst()
  return found && (JSON.parse(found.state) as PausedTurn)
}

/** Who a turn goes on for, with the groups that they have by now. */
export async function askerOf(
  ctx: Context,
  { asker }: Pick<PausedTurn, 'asker'>,
  { workspace_id: workspace, user_id: userId }: Pick<ConversationRow, 'workspace_id' | 'user_id'>,
): Promise<Caller> {
  if (!asker) return { workspace, role: 'user', token: 'unknown', userId, groups: [], rateLimit: null }
  const { groups } = await upToDate(ctx, { workspace, ...asker })
  return { workspace, ...asker, groups }
}

export async function deletePausedTurn(tx: Db, workspace: string, messageId: string): Promise<void> {
  await tx.deleteFrom('paused_turn').where('workspace_id', '=', workspace).where('message_id', '=', messageId).execute()
}
