import type { Generated } from 'kysely'
import type { Caller, Context } from '../../kernel/context.ts'
import { forbidden, invalid, notFound, unknownReference } from '../../kernel/errors.ts'
import { collection } from '../../kernel/store/collection.ts'
import { inTransaction } from '../../kernel/store/database.ts'
import type { Stored } from '../../kernel/store/table.ts'
import { agents } from '../agents/service.ts'
import { isAdministrator, narrow, seesFact } from './access.ts'
import { indexMemories } from './indexing.ts'
import { Memory, type MemoryVersion } from './schema.ts'
import { takeBack } from './write.ts'

/** The source message once more, as a column that refers to it. */
type Hidden = { message_id: string | null }
type MemoryRow = Stored<Memory & Hidden>

declare module '../../kernel/store/database.ts' {
  interface Tables {
    memory: Omit<MemoryRow, 'source'> & { workspace_id: string; source: string }
    memory_version: {
      memory_id: string
      revision: number
      workspace_id: string
      content: string
      source: string
      message_id: string | null
      edited: Generated<boolean>
      created_at: string
      replaced_at: string
    }
  }
}

const rows = collection<typeof Memory, Hidden>({
  name: 'memory',
  shape: Memory,
  prefix: 'mem',
  kind: 'memory',
  narrow,
  async complete({ tx, who, next, previous }) {
    if (previous && (next.user_id !== previous.user_id || next.agent_id !== previous.agent_id))
      invalid(next.user_id === previous.user_id ? 'agent_id' : 'user_id', 'of a memory cannot be changed')
    if (!previous) {
      if (who.role === 'user') next.user_id = who.userId
      if (!seesFact(who, next)) forbidden('Only administrators write memories about other people.')
      if (next.user_id === null && next.agent_id === null)
        invalid('user_id', 'is required: a memory is about a person, or belongs to an agent')
      const agent = next.agent_id === null ? undefined : await agents.find(tx, who, next.agent_id)
      if (next.agent_id !== null && !(agent && agents.sees(who, agent)))
        unknownReference('agent_id', 'agent', next.agent_id)
      Object.assign(next, { source: null, message_id: null, last_recalled_at: null })
    }
    next.edited = true
  },
})

async function get(ctx: Context, who: Caller, id: string): Promise<MemoryRow> {
  const row = await rows.get(ctx, who, id)
  return seesFact(who, row) ? row : notFound('memory', id)
}

async function create(ctx: Context, who: Caller, body: object): Promise<MemoryRow> {
  const row = await rows.create(ctx, who, body)
  await indexMemories(ctx, who)
  return row
}

async function update(ctx: Context, who: Caller, id: string, body: object, ifMatch?: string): Promise<MemoryRow> {
  await get(ctx, who, id)
  const row = await rows.update(ctx, who, id, body, ifMatch)
  await indexMemories(ctx, who)
  return row
}

async function remove(ctx: Context, who: Caller, id: string, ifMatch?: string): Promise<void> {
  await get(ctx, who, id)
  await rows.remove(ctx, who, id, ifMatch)
  await indexMemories(ctx, who)
}

/** Deletes everything that is known of a person. Returns how much that was. */
async function removeAll(ctx: Context, who: Caller, userId: string | undefined): Promise<number> {
  const user = userId ?? (isAdministrator(who) ? undefined : who.userId) ?? invalid('user_id', 'is required')
  if (!seesFact(who, { user_id: user })) forbidden('Only administrators delete what is known of other people.')
  const count = await inTransaction(ctx.db, async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('memory')
      .where('workspace_id', '=', who.workspace)
      .where('user_id', '=', user)
      .executeTakeFirst()
    await ctx.audit.record(tx, who, { action: 'delete', kind: 'memory', id: null })
    return Number(numDeletedRows)
  })
  await indexMemories(ctx, who)
  return count
}

/** The facts that this one has replaced, newest first. */
async function versions(ctx: Context, who: Caller, id: string): Promise<MemoryVersion[]> {
  await get(ctx, who, id)
  const earlier = await ctx.db
    .selectFrom('memory_version')
    .select(['content', 'source', 'edited', 'created_at', 'replaced_at'])
    .where('workspace_id', '=', who.workspace)
    .where('memory_id', '=', id)
    .orderBy('revision', 'desc')
    .execute()
  return earlier.map((version) => ({
    ...version,
    edited: Boolean(version.edited),
    source: JSON.parse(version.source) as MemoryVersion['source'],
  }))
}

/** Takes the last change back. Returns the memory as it was before, null if there was none. */
async function undo(ctx: Context, who: Caller, id: string): Promise<MemoryRow | null> {
  await get(ctx, who, id)
  const isLeft = await inTransaction(ctx.db, async (tx) => {
    if (!(await rows.table.lock(tx, who.workspace, id))) notFound('memory', id)
    await ctx.audit.record(tx, who, { action: 'undo', kind: 'memory', id })
    return takeBack(tx, who.workspace, id)
  })
  await indexMemories(ctx, who)
  return isLeft ? get(ctx, who, id) : null
}

export const memories = {
  kind: rows.kind,
  prefix: rows.prefix,
  table: rows.table,
  list: rows.list,
  get,
  create,
  update,
  remove,
  removeAll,
  versions,
  undo,
}
