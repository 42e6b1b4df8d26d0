import type { NewChunk } from '@parley/search'
import type { Context } from '../../kernel/context.ts'
import { reason } from '../../kernel/errors.ts'
import { Conflict } from '../../kernel/store/commits.ts'
import { statement } from '../../kernel/store/statement.ts'

declare module '../../kernel/store/database.ts' {
  interface Tables {
    memory_unindexed: { id: string; workspace_id: string; change: number }
  }
}

/** The index of all facts of a workspace. A document of it has the facts of one owner. */
export const memoryIndex = (workspace: string) => ({ workspace, key: 'memories' })

/** The person and the agent that facts belong to. */
export interface Owner {
  user_id: string | null
  agent_id: string | null
}

/** The document of an owner. An id can be any text. */
export const ownerKey = ({ user_id, agent_id }: Owner): string => JSON.stringify([user_id, agent_id])

const batchSize = 200

/**
 * Brings the search index up to date with the facts that have changed, of one workspace or of all. If that fails, a job
 * repeats it; until then a search may miss new facts, but never shows a deleted one, because it reads what it found.
 */
export async function indexMemories(ctx: Context, { workspace }: { workspace?: string } = {}): Promise<void> {
  if (ctx.search.problem !== null) return
  try {
    while (await indexBatch(ctx, workspace));
  } catch (error) {
    ctx.log.warn({ error: reason(error) }, 'memories could not be indexed; this is repeated')
  }
}

/** Returns whether there may be more. */
async function indexBatch(ctx: Context, workspace: string | undefined): Promise<boolean> {
  const queued = await ctx.db
    .selectFrom('memory_unindexed')
    .selectAll()
    .$if(workspace !== undefined, (query) => query.where('workspace_id', '=', workspace ?? ''))
    .orderBy('workspace_id')
    .orderBy('id')
    .limit(batchSize)
    .execute()
  if (queued.length === 0) return false
  for (const [of, changed] of Map.groupBy(queued, ({ workspace_id }) => workspace_id)) {
    const ids = changed.map(({ id }) => id)
    const existing = await ctx.db
      .selectFrom('memory')
      .select(['id', 'content', 'user_id', 'agent_id'])
      .where('workspace_id', '=', of)
      .where('id', 'in', ids)
      .execute()
    const kept = new Set(existing.map(({ id }) => id))
    const change = {
      index: memoryIndex(of),
      add: existing.map(toChunk),
      remove: { chunks: ids.filter((id) => !kept.has(id)) },
    }
    const dequeued = changed.map(({ id, change }) =>
      statement(
        ctx.db
          .deleteFrom('memory_unindexed')
          .where('id', '=', id)
          .where('workspace_id', '=', of)
          .where('change', '=', change),
        1,
      ),
    )
    try {
      await ctx.search.commit([change], dequeued)
    } catch (error) {
      if (!(error instanceof Conflict)) throw error // changed meanwhile: whoever changed it indexes it
    }
  }
  return queued.length === batchSize
}

const toChunk = ({ id, content, ...owner }: Owner & { id: string; content: string }): NewChunk => ({
  id,
  documentId: ownerKey(owner),
  source: id,
  page: null,
  headings: [],
  text: content,
  metadata: {},
})

/** Queues the facts of workspaces without an index: it was lost, or the data was moved to another database. */
export async function queueUnindexed(ctx: Context): Promise<void> {
  if (ctx.search.problem !== null) return
  const workspaces = await ctx.db.selectFrom('memory').select('workspace_id').distinct().execute()
  for (const { workspace_id } of workspaces) {
    if (((await ctx.search.describe(memoryIndex(workspace_id)))?.chunks ?? 0) > 0) continue
    await ctx.db
      .insertInto('memory_unindexed')
      .columns(['id', 'workspace_id', 'change'])
      .expression((is) =>
        is
          .selectFrom('memory')
          .select(['id', 'workspace_id', is.lit(1).as('change')])
          .where('workspace_id', '=', workspace_id),
      )
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
  }
}
