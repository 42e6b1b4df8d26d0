import { miniLmModel } from '@parley/embedding'
import type { Context } from '../../../kernel/context.ts'
import { reason } from '../../../kernel/errors.ts'
import { tokensByLength } from '../../../kernel/llm/estimate-usage.ts'
import { inTransaction } from '../../../kernel/store/database.ts'
import { minute, second } from '../../../kernel/time.ts'
import { billBuiltIn } from '../../models/calls.ts'
import { connectEmbeddings, defaultModel, type ModelRow } from '../../models/service.ts'
import type { Bill } from '../../usage/ledger.ts'
import { embed, findModel, isEmbeddedLater } from '../embedding.ts'
import { enqueueEmbedding, enqueueLater } from '../queue.ts'
import { describe, type EmbeddingRuns, indexName, invalidateDescription } from '../state.ts'
import { claimEmbedding, findIndex, findUses, type IndexRow, setIndex } from '../store.ts'
import { findOnlyTool, indexing, setUpdated } from './indexer.ts'

/** Small, so that a stop takes effect soon and more urgent indexes wait only shortly. An external model is called less often. */
const batchSizes = { builtIn: 16, external: 32 }
/** After this time the job goes to the end of its queue. */
const maxRunTime = minute

/** Embeds all pending passages of an index. One run of an index at a time; passages added meanwhile are part of it. */
export async function embedIndex(ctx: Context, workspace: string, id: string, signal: AbortSignal): Promise<void> {
  const { embeddingRuns } = ctx.state.indexes
  const runs: EmbeddingRuns = embeddingRuns.get(id) ?? newRuns()
  embeddingRuns.set(id, runs)
  if (runs.running) {
    runs.again = true
    return
  }
  runs.running = true
  let end: End = 'done'
  try {
    do {
      runs.again = false
      end = await embedPending(ctx, workspace, id, runs, signal)
    } while (runs.again && end === 'done')
  } finally {
    runs.running = false
    runs.finished++
  }
  if (end === 'yielded') await inTransaction(ctx.db, (tx) => enqueueEmbedding(ctx, tx, { workspace_id: workspace, id }))
}

/** `yielded`: its time was up. */
type End = 'done' | 'yielded'

const newRuns = (): EmbeddingRuns => ({ finished: 0, running: false, again: false, usedAt: 0, pending: 0 })

async function embedPending(
  ctx: Context,
  workspace: string,
  id: string,
  runs: EmbeddingRuns,
  signal: AbortSignal,
): Promise<End> {
  const index = await findIndex(ctx.db, workspace, id)
  if (!index || !isEmbeddedLater(index)) return 'done'
  if (!(await isNeeded(ctx, index))) return 'done'
  const { chunks, embedded } = await describe(ctx, index)
  if (embedded === chunks) {
    await setMessage(ctx, index, null)
    return 'done'
  }
  const speed = new Speed(index.embedding_rate)
  if (!(await claim(ctx, index, speed)) && !(await takeOver(ctx, index))) {
    await inTransaction(ctx.db, (tx) => enqueueLater(ctx, tx, index, retryDelay))
    return 'done'
  }
  Object.assign(runs, { usedAt: Math.max(runs.usedAt, index.used_at), pending: chunks - embedded })
  let end: End = 'done'
  try {
    const problem = await modelProblem(ctx, index)
    if (problem === null) end = await embedBatches(ctx, index, runs, speed, signal)
    if (end === 'done') await setMessage(ctx, index, problem)
  } catch (error) {
    if (!signal.aborted) await setMessage(ctx, index, `The embedding model failed: ${reason(error)}`)
    throw error
  } finally {
    await setIndex(ctx.db, index, { embedding_until: 0, ...(end !== 'yielded' && { embedding_rate: null }) })
  }
  return end
}

/** The index of a source without a tool is embedded only if a tool with default settings would use it. */
async function isNeeded(ctx: Context, index: IndexRow): Promise<boolean> {
  if ((await findUses(ctx.db, index)).length > 0) return true
  const byDefault = index.is_default && (await defaultModel(ctx.db, { workspace: index.workspace_id }, 'embedding'))
  return byDefault ? byDefault.id === index.model_id : false
}

async function embedBatches(
  ctx: Context,
  index: IndexRow,
  runs: EmbeddingRuns,
  speed: Speed,
  signal: AbortSignal,
): Promise<End> {
  const lane = index.model === miniLmModel.id ? index.model : `${index.workspace_id} ${index.model}`
  const started = performance.now()
  for (;;) {
    const embedded = await ctx.state.indexes.embeddingTurns.run(lane, runs, signal, async () => {
      signal.throwIfAborted()
      const claimed = await claim(ctx, index, speed)
      if (!claimed) return 0 // the lease expired and another node took over
      runs.usedAt = Math.max(runs.usedAt, claimed.used_at)
      return embedBatch(ctx, index, signal)
    })
    if (embedded === 0) return 'done'
    speed.add(embedded)
    runs.pending -= embedded
    if (performance.now() - started > maxRunTime) return 'yielded'
    if (!(await isNeeded(ctx, index))) return 'done'
  }
}

/** A moving average of passages a second. The time that others had their turns counts too. */
class Speed {
  #secondsEach: number | null
  #since = performance.now()

  constructor(rate: number | null) {
    this.#secondsEach = rate === null ? null : 1 / rate
  }

  get rate(): number | null {
    return this.#secondsEach === null ? null : 1 / this.#secondsEach
  }

  add(passages: number): void {
    const each = Math.max(1e-6, (performance.now() - this.#since) / second / passages)
    this.#secondsEach = this.#secondsEach === null ? each : 0.8 * this.#secondsEach + 0.2 * each
    this.#since = performance.now()
  }
}

/** The lease for one batch. After it expires, another node may take over. */
const lease = 2 * minute
const retryDelay = 15 * second

/** Claims an index whose node has died. */
async function takeOver(ctx: Context, index: IndexRow): Promise<boolean> {
  const { embedding_node: from, embedding_rate: rate } = index
  if (from === null || !(await ctx.nodes.dead([from])).includes(from)) return false
  const now = ctx.now()
  return (await claimEmbedding(ctx.db, index, { node: ctx.node, now, until: now + lease, rate, from })) !== undefined
}

/** Only one node embeds an index at a time, so that no passage is paid for twice. */
const claim = (ctx: Context, index: IndexRow, { rate }: Speed) =>
  claimEmbedding(ctx.db, index, { node: ctx.node, now: ctx.now(), until: ctx.now() + lease, rate })

async function modelProblem(ctx: Context, index: IndexRow): Promise<string | null> {
  if (index.model === miniLmModel.id) {
    const { miniLm } = ctx.embedding
    const pending = await ctx.search.pendingChunks(indexName(index), batchSize(index), index.model)
    // The model is loaded only if it is needed.
    return miniLm.knows(pending.map(({ text }) => text)) ? null : ((await miniLm.availability()).reason ?? null)
  }
  return (await findModel(ctx, index)) ? null : 'The embedding model was deleted or changed.'
}

async function setMessage(ctx: Context, index: IndexRow, message: string | null): Promise<void> {
  if (index.refine_message !== message) await setIndex(ctx.db, index, { refine_message: message })
}

const batchSize = ({ model }: IndexRow): number => (model === miniLmModel.id ? batchSizes.builtIn : batchSizes.external)

/** Returns how many passages it has embedded. */
async function embedBatch(ctx: Context, index: IndexRow, signal: AbortSignal): Promise<number> {
  const pending = await ctx.search.pendingChunks(indexName(index), batchSize(index), index.model)
  invalidateDescription(ctx, index) // vectors of equal texts in other indexes were copied
  const model = pending.length > 0 && (await findModel(ctx, index))
  if (!model) return 0
  const texts = [...new Set(pending.map(({ text }) => text))]
  const { vectors, bill } = await embedPassages(ctx, index, model, texts, signal)
  const vectorByText = new Map(texts.map((text, at) => [text, vectors[at]]))
  const embedded = pending.flatMap(({ chunkId, text }) => {
    const vector = vectorByText.get(text)
    return vector ? [{ chunkId, vector }] : []
  })
  await setUpdated(ctx, index, bill) // before other nodes see the vectors
  await ctx.search.setVectors(indexName(index), index.model, embedded)
  invalidateDescription(ctx, index)
  return pending.length
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
  const purpose = { toolId: await findOnlyTool(ctx, index) }
  if (index.model !== miniLmModel.id) {
    return { vectors: await embed(ctx, { who, purpose, model, as: 'document' }, texts, signal) }
  }
  const { vectors } = await connectEmbeddings(ctx, index.workspace_id, model).embed(texts, signal, 'document')
  if (ctx.embedding.miniLm.knows(texts)) return { vectors } // no call was made
  return { vectors, bill: await billBuiltIn(ctx, who, purpose, model, tokensByLength(texts)) }
}
