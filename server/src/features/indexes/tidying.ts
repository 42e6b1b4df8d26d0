import type { Context } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/store/database.ts'
import { hour } from '../../kernel/time.ts'
import { models } from '../models/service.ts'
import { identityOf, isRefinable } from './embedder.ts'
import { dropIndex } from './indexing.ts'
import { queueRefinement, queues } from './queues.ts'
import { describe } from './state.ts'
import { allIndexes, deleteUnneeded, type IndexRow, setIndex, sourceStates, sourcesOf, usesOf } from './store.ts'
import { useIndex } from './uses.ts'

/** A tool that is set back to what it was finds its index still there for so long. */
const grace = hour

/** Drops what nobody needs and sets going again what has stopped. */
export async function tidy(ctx: Context): Promise<void> {
  for (const index of await allIndexes(ctx.db)) {
    if (await isNeeded(ctx, index)) await keepUp(ctx, index)
    else if (index.unneeded_since === null) await setIndex(ctx.db, index, { unneeded_since: ctx.now() })
    else if (ctx.now() - index.unneeded_since >= grace && (await deleteUnneeded(ctx.db, index)))
      await dropIndex(ctx, index)
  }
  await dropUnknown(ctx)
}

async function isNeeded(ctx: Context, index: IndexRow): Promise<boolean> {
  const sources = await sourcesOf(ctx.db, index)
  const there = await sourceStates(ctx.db, index.workspace_id, sources)
  if (there.length === 0) return false
  return index.is_default || (await usesOf(ctx.db, index)).length > 0
}

async function keepUp(ctx: Context, index: IndexRow): Promise<void> {
  const { workspace_id: workspace, id } = index
  if (index.unneeded_since !== null) await setIndex(ctx.db, index, { unneeded_since: null })
  const wanting = (await usesOf(ctx.db, index)).filter(({ wanted_id }) => wanted_id === id)
  const model = wanting.length > 0 && (await models.find(ctx.db, { workspace }, index.model_id))
  if (model && identityOf(model) !== index.model) {
    const spec = { chunkSize: index.chunk_size, chunkOverlap: index.chunk_overlap, model }
    const sources = await sourcesOf(ctx.db, index)
    await inTransaction(ctx.db, async (tx) => {
      for (const { tool_id } of wanting) await useIndex(ctx, tx, workspace, tool_id, { ...spec, sources })
    })
  } else if (index.status !== 'ready') {
    await inTransaction(ctx.db, (tx) =>
      ctx.jobs.enqueue(tx, queues.build, { workspace, payload: { index: id }, key: `build ${id}` }),
    )
  } else if (wanting.length > 0 && isRefinable(index)) {
    const { chunks, embedded } = await describe(ctx, index)
    if (embedded < chunks) await inTransaction(ctx.db, (tx) => queueRefinement(ctx, tx, index))
  }
}

/** What a crash or the end of a workspace has left in the search alone. */
async function dropUnknown(ctx: Context): Promise<void> {
  const names = await ctx.search.listIndexes()
  const known = new Set((await allIndexes(ctx.db)).map(({ workspace_id, id }) => `${workspace_id} ${id}`))
  for (const name of names) if (!known.has(`${name.workspace} ${name.key}`)) await ctx.search.drop(name)
}
