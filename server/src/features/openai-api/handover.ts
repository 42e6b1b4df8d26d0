import type { CitablePassage } from '../../kernel/agent/agent-tool.ts'
import type { HandedOver } from '../../kernel/agent/loop.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import type { DatedMigration } from '../../kernel/store/migrate.ts'
import { day } from '../../kernel/time.ts'

declare module '../../kernel/store/database.ts' {
  interface Tables {
    chat_handover: { id: string; workspace_id: string; agent_id: string; state: string; created_at: number }
  }
}

/** The passages that a call of one of the agent's tools has found. */
export interface Found {
  id: string
  toolId: string | null
  citations: CitablePassage[]
}

/** A chat that waits for the results of the client's tools: what the agent did meanwhile is not in the client's messages. */
export interface Handover {
  userId: string | null
  run: HandedOver
  found: Found[]
}

export const handoverMigration: DatedMigration = {
  name: '2026-11-17-12-chat-handovers',
  async up(db) {
    await db.schema
      .createTable('chat_handover')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
      .addColumn('agent_id', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('chat_handover_age').on('chat_handover').columns(['created_at']).execute()
  },
}

/** How long a client has time. Later its calls and results are still taken, without what the agent's own tools found. */
const keptFor = 7 * day
const removedAtOnce = 500

/** The id of a call as the client sees it. It names the handover, so that the next request finds it. */
export const clientCallId = (handover: string, index: number): string => `call_${handover}_${index}`

/** The handover that a call belongs to, undefined if the call is not from here. */
export const handoverIdIn = (callId: string): string | undefined => /^call_([0-9a-z]{26})_\d+$/.exec(callId)?.[1]

/** Stores a handover and returns its id. */
export async function storeHandover(ctx: Context, who: Caller, agentId: string, handover: Handover): Promise<string> {
  const id = ctx.newId('msg').slice('msg_'.length)
  const cells = {
    id,
    workspace_id: who.workspace,
    agent_id: agentId,
    state: JSON.stringify(handover),
    created_at: ctx.now(),
  }
  await ctx.commits.commit([ctx.statements.insert('chat_handover', cells)])
  return id
}

/** The handovers of an agent by their ids. A token of role `user` finds its own. */
export async function findHandovers(
  ctx: Context,
  who: Caller,
  agentId: string,
  ids: string[],
): Promise<Map<string, Handover>> {
  if (ids.length === 0) return new Map()
  const rows = await ctx.db
    .selectFrom('chat_handover')
    .select(['id', 'state'])
    .where('workspace_id', '=', who.workspace)
    .where('agent_id', '=', agentId)
    .where('id', 'in', ids)
    .execute()
  const found = rows.map(({ id, state }) => [id, JSON.parse(state) as Handover] as const)
  return new Map(found.filter(([, { userId }]) => who.role !== 'user' || userId === who.userId))
}

export async function removeOldHandovers(ctx: Context): Promise<void> {
  for (;;) {
    const old = await ctx.db
      .selectFrom('chat_handover')
      .select('id')
      .where('created_at', '<', ctx.now() - keptFor)
      .limit(removedAtOnce)
      .execute()
    if (old.length === 0) return
    const ids = old.map(({ id }) => id)
    await ctx.db.deleteFrom('chat_handover').where('id', 'in', ids).execute()
  }
}
