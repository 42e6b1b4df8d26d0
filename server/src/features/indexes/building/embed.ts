import { miniLmModel } from '@parley/embedding'
import type { Context } from '../../../kernel/context.ts'
import { reason } from '../../../kernel/errors.ts'
import { tokensByLength } from '../../../kernel/llm/estimate-usage.ts'
import { inTransaction } from '../../../kernel/store/database.ts'
import { minute, second } from '../../../kernel/time.ts'
import { billBuiltIn } from '../../models/calls.ts'
import { connectEmbeddings, type ModelRow } from '../../models/service.ts'
import type { Bill } from '../../usage/ledger.ts'
import { embed, isEmbeddedLater, modelOf } from '../embedding.ts'
import { enqueueLater } from '../queue.ts'
import { type EmbeddingRuns, invalidateDescription, nameOf } from '../state.ts'
import { claimEmbedding, findIndex, type IndexRow, setIndex } from '../store.ts'
import { indexing, onlyToolOf, setUpdated } from './indexer.ts'

/** Small, so that a stop takes effect soon and queries of other searches are embedded in between. */
const batchSize = 32

/** Embeds all pending passages of an index. One run of an index at a time; passages added meanwhile are part of it. */
export async function embedIndex(ctx: Context, workspace: string, id: string, signal: AbortSignal): Promise<void> {
  const { embeddingRuns } = ctx.state.indexes
  const runs: EmbeddingRuns = embeddingRuns.get(id) ?? { finished: 0, running: false, again: false }
  embeddingRuns.set(id, runs)
  if (runs.running) {
    runs.again = true
    return
  }
  runs.running = true
  try {
    do {
      runs.again = false
      await embedPending(ctx, workspace, id, signal)
    } while (runs.again)
  } finally {
    runs.running = false
    runs.finished++
  }
}

async function embedPending(ctx: Context, workspace: string, id: string, signal: AbortSignal): Promise<void> {
  const index = await findIndex(ctx.db, workspace, id)
  if (!index || !isEmbeddedLater(index)) return
  if (!(await claim(ctx, index)) && !(await takeOver(ctx, index)))
    return inTransaction(ctx.db, (tx) => enqueueLater(ctx, tx, index, retryDelay))
  const problem = await modelProblem(ctx, index)
  if (problem !== null) return setMessage(ctx, index, problem)
  try {
    while (await embedBatch(ctx, index, signal)) {
      signal.throwIfAborted()
      if (!(await claim(ctx, index))) return // this node was silent for so long that another one goes on
    }
    await setMessage(ctx, index, null)
  } catch (error) {
    if (!signal.aborted) await setMessage(ctx, index, `The embedding model failed: ${reason(error)}`)
    throw error
  } finally {
    await setIndex(ctx.db, index, { embedding_until: 0 })
  }
}

/** The time for one batch. After that, other nodes go on. */
const lease = 2 * minute
const retryDelay = 15 * second

/** Claims an index whose node has died. */
async function takeOver(ctx: Context, index: IndexRow): Promise<boolean> {
  const { embedding_node: owner } = index
  if (owner === null || !(await ctx.nodes.dead([owner])).includes(owner)) return false
  return claimEmbedding(ctx.db, index, { node: ctx.node, now: ctx.now(), until: ctx.now() + lease, from: owner })
}

/** Of all nodes, one calls the model for an index: no passage is paid for twice. */
const claim = (ctx: Context, index: IndexRow): Promise<boolean> =>
  claimEmbedding(ctx.db, index, { node: ctx.node, now: ctx.now(), until: ctx.now() + lease })

async function modelProblem(ctx: Context, index: IndexRow): Promise<string | null> {
  if (index.model === miniLmModel.id) return (await ctx.embedding.miniLm.availability()).reason ?? null
  return (await modelOf(ctx, index)) ? null : 'The embedding model was deleted or changed.'
}

async function setMessage(ctx: Context, index: IndexRow, message: string | null): Promise<void> {
  if (index.refine_message !== message) await setIndex(ctx.db, index, { refine_message: message })
}

/** Returns false when no passage was pending. */
async function embedBatch(ctx: Context, index: IndexRow, signal: AbortSignal): Promise<boolean> {
  const pending = await ctx.search.pendingChunks(nameOf(index), batchSize, index.model)
  invalidateDescription(ctx, index) // vectors of equal texts in other indexes were copied
  const model = pending.length > 0 && (await modelOf(ctx, index))
  if (!model) return false
  const texts = [...new Set(pending.map(({ text }) => text))]
  const { vectors, bill } = await embedPassages(ctx, index, model, texts, signal)
  const vectorOf = new Map(texts.map((text, at) => [text, vectors[at]]))
  const embedded = pending.flatMap(({ chunkId, text }) => {
    const vector = vectorOf.get(text)
    return vector ? [{ chunkId, vector }] : []
  })
  await setUpdated(ctx, index, bill) // before other nodes see the vectors
  await ctx.search.setVectors(nameOf(index), index.model, embedded)
  invalidateDescription(ctx, index)
  return true
}

/** The vectors of passages. Calls of an external model are billed at once, those of the built-in one with the result. */
async function embedPassages(
  ctx: Context,
  index: IndexRow,
  model: ModelRow,
  texts: string[],
  signal: AbortSignal,
): Promise<{ vectors: Float32Array[]; bill?: Bill }> {
  const who = { workspace: index.workspace_id, token: indexing }
  const purpose = { toolId: await onlyToolOf(ctx, index) }
  if (index.model !== miniLmModel.id) {
    return { vectors: await embed(ctx, { who, purpose, model, as: 'document' }, texts, signal) }
  }
  const { vectors } = await connectEmbeddings(ctx, index.workspace_id, model).embed(texts, signal, 'document')
  return { vectors, bill: await billBuiltIn(ctx, who, purpose, model, tokensByLength(texts)) }
}
