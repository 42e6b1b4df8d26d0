import type { Context } from '../../kernel/context.ts'
import type { Db } from '../../kernel/store/database.ts'
import type { IndexRow } from './store.ts'

export const queues = { build: 'indexes.build', embed: 'indexes.refine', cleanup: 'indexes.tidy' } as const

type Target = Pick<IndexRow, 'id' | 'workspace_id'>

const enqueue = (ctx: Context, tx: Db, queue: string, index: Target, key: string, delay = 0) =>
  ctx.jobs.enqueue(tx, queue, { workspace: index.workspace_id, payload: { index: index.id }, key, delay })

export const enqueueBuild = (ctx: Context, tx: Db, index: Target) =>
  enqueue(ctx, tx, queues.build, index, `build ${index.id}`)

/**
 * Has the embedding model embed the pending passages of an index, in the background. A run in this process looks again
 * before it ends. Its job may still hold its key when the next one is enqueued, so each run has a key of its own.
 */
export async function enqueueEmbedding(ctx: Context, tx: Db, index: Target, delay = 0): Promise<void> {
  const runs = ctx.state.indexes.embeddingRuns.get(index.id)
  if (runs?.running) runs.again = true
  else await enqueue(ctx, tx, queues.embed, index, `refine ${index.id} ${runs?.finished ?? 0} ${delay}`, delay)
}

/**
 * Looks again whether passages are pending, when the node that embeds them now may be done. One job for each span of the
 * delay: every put enqueues a run that may end here, and each of them would go on looking.
 */
export const enqueueLater = async (ctx: Context, tx: Db, index: Target, delay: number): Promise<void> => {
  const span = Math.ceil((ctx.now() + delay) / delay)
  await enqueue(ctx, tx, queues.embed, index, `refine ${index.id} later ${span}`, delay)
}
