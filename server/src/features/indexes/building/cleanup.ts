import type { Context } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/store/database.ts'
import { hour } from '../../../kernel/time.ts'
import { sourceStatuses } from '../../knowledge-sources/contents.ts'
import { models } from '../../models/service.ts'
import { isEmbeddedLater, modelIdentity } from '../embedding.ts'
import { enqueueBuild, enqueueEmbedding } from '../queue.ts'
import { assignIndex } from '../service.ts'
import { describe } from '../state.ts'
import { allIndexes, deleteUnneeded, findSources, findUses, type IndexRow, setIndex } from '../store.ts'
import { dropIndex } from './indexer.ts'

/** How long an unneeded index is kept, for tools that are changed back. */
const gracePeriod = hour

/** Drops indexes that no tool needs and restarts work that has stopped. */
export async function cleanUpIndexes(ctx: Context): Promise<void> {
  for (const index of await allIndexes(ctx.db)) {
    if (await isNeeded(ctx, index)) await restartWork(ctx, index)
    else if (index.unneeded_since === null) await setIndex(ctx.db, index, { unneeded_since: ctx.now() })
    else if (ctx.now() - index.unneeded_since >= gracePeriod && (await deleteUnneeded(ctx.db, index)))
      await dropIndex(ctx, index)
  }
  await dropOrphans(ctx)
}

async function isNeeded(ctx: Context, index: IndexRow): Promise<boolean> {
  const sources = await findSources(ctx.db, index)
  const existing = await sourceStatuses(ctx.db, index.workspace_id, sources)
  if (existing.length === 0) return false
  return index.is_default || (await findUses(ctx.db, index)).length > 0
}

async function restartWork(ctx: Context, index: IndexRow): Promise<void> {
  const { workspace_id: workspace, id } = index
  if (index.unneeded_since !== null) await setIndex(ctx.db, index, { unneeded_since: null })
  const wanting = (await findUses(ctx.db, index)).filter(({ wanted_id }) => wanted_id === id)
  const model = wanting.length > 0 && (await models.find(ctx.db, { workspace }, index.model_id))
  if (model && modelIdentity(model) !== index.model) {
    const sources = await findSources(ctx.db, index)
    const settings = { sources, chunkSize: index.chunk_size, chunkOverlap: index.chunk_overlap, model }
    await inTransaction(ctx.db, async (tx) => {
      for (const { tool_id } of wanting) await assignIndex(ctx, tx, workspace, tool_id, settings)
    })
  } else if (index.status !== 'ready') {
    await inTransaction(ctx.db, (tx) => enqueueBuild(ctx, tx, index))
  } else if ((wanting.length > 0 || index.is_default) && isEmbeddedLater(index)) {
    const { chunks, embedded } = await describe(ctx, index)
    if (embedded < chunks) await inTransaction(ctx.db, (tx) => enqueueEmbedding(ctx, tx, index))
  }
}

/** Drops indexes of the search library that have no row: their workspace was deleted, or a crash left them behind. */
async function dropOrphans(ctx: Context): Promise<void> {
  // Other features have indexes, too, whose keys are no ids of rows.
  const names = (await ctx.search.listIndexes()).filter(({ key }) => key.startsWith('idx_'))
  const known = new Set((await allIndexes(ctx.db)).map(({ workspace_id, id }) => `${workspace_id} ${id}`))
  for (const name of names) if (!known.has(`${name.workspace} ${name.key}`)) await ctx.search.drop(name)
}
