import { createHash } from 'node:crypto'
import { miniLmModel, staticModel } from '@parley/embedding'
import type { Context } from '../../kernel/context.ts'
import { inputUsage, tokensByLength } from '../../kernel/llm/estimate-usage.ts'
import type { EmbeddingPurpose } from '../../kernel/llm/model.ts'
import { second } from '../../kernel/time.ts'
import { billBuiltIn, chargedCall, modelFacts } from '../models/calls.ts'
import { builtInModel, connectEmbeddings, type ModelRow, models } from '../models/service.ts'
import { type Bill, type Payer, type Purpose, storeBill } from '../usage/ledger.ts'
import type { IndexRow } from './store.ts'

/** Identifies the vector space of a model: vectors of one identity can be compared. */
export function modelIdentity(model: Pick<ModelRow, 'provider' | 'model_id' | 'endpoint' | 'options'>): string {
  if (model.provider === 'local') return model.model_id === staticModel.id ? staticModel.id : miniLmModel.id
  const { provider, model_id, endpoint, options } = model
  const hash = createHash('sha256').update(JSON.stringify([provider, model_id, endpoint, options]))
  return `${provider} ${model_id} ${hash.digest('hex').slice(0, 12)}`
}

/** Every index has vectors of the static model. Any other model embeds its passages in the background. */
export const isEmbeddedLater = (index: Pick<IndexRow, 'model'>): boolean => index.model !== staticModel.id

/** The model of an index, or undefined if it was deleted or now has another identity. */
export async function findModel(ctx: Context, index: IndexRow): Promise<ModelRow | undefined> {
  const model = await models.find(ctx.db, { workspace: index.workspace_id }, index.model_id)
  return model && modelIdentity(model) === index.model ? model : undefined
}

interface EmbeddingCall {
  who: Payer
  purpose: Purpose
  model: ModelRow
  as: EmbeddingPurpose
}

/** Calls an external embedding model, within the budgets, and bills the call. */
export async function embed(
  ctx: Context,
  { who, purpose, model, as }: EmbeddingCall,
  texts: string[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const messages = texts.map((content) => ({ role: 'user' as const, content }))
  const planned = { kind: 'embedding' as const, messages, tools: [], maxTokens: 0, signal }
  const { result } = await chargedCall(ctx, who, purpose, model, planned, async () => {
    const { vectors, tokens } = await connectEmbeddings(ctx, who.workspace, model).embed(texts, signal, as)
    return { result: vectors, usage: tokens === null ? null : inputUsage(tokens) }
  })
  return result
}

/** The bill of texts that the static model has embedded: with every index, and for queries that no other model embeds. */
export async function billStatic(ctx: Context, who: Payer, purpose: Purpose, tokens: number): Promise<Bill> {
  const load = () => builtInModel(ctx.db, who, staticModel.id)
  return billBuiltIn(ctx, who, purpose, await ctx.cache.get(who, 'static model', load), tokens)
}

/** After this time a search continues without the embedding model. */
const queryTimeout = 5 * second

export interface QueryEmbedding {
  vector: Promise<Float32Array>
  /** Resolves when the call is in the ledger. */
  billed: Promise<unknown>
}

/** Embeds a query with the model of an index. A repeated query is embedded and paid for once. */
export function queryVector(
  ctx: Context,
  who: Payer,
  index: IndexRow,
  purpose: Purpose,
  query: string,
): QueryEmbedding {
  const { queryVectors } = ctx.state.indexes
  const key = `${index.workspace_id} ${index.model} ${query}`
  const known = queryVectors.get(key)
  if (known) return { vector: known, billed: known.catch(() => undefined) }
  const { promise: vector, resolve, reject } = Promise.withResolvers<Float32Array>()
  queryVectors.set(key, vector)
  // The search continues with the vector while the call is billed.
  const billed = embedQuery(ctx, who, index, purpose, query, resolve).catch((error) => {
    reject(error)
    queryVectors.delete(key)
    ctx.log.warn({ err: error, index: index.id }, 'a query could not be embedded; searching with the static model')
  })
  vector.catch(() => undefined)
  return { vector, billed }
}

async function embedQuery(
  ctx: Context,
  who: Payer,
  index: IndexRow,
  purpose: Purpose,
  query: string,
  onVector: (vector: Float32Array) => void,
): Promise<void> {
  const model = await findModel(ctx, index)
  if (!model) throw new Error('The embedding model of this index was deleted or changed.')
  if (index.model === miniLmModel.id) {
    const usage = inputUsage(tokensByLength([query]))
    const step = purpose.step?.part('embedding', { ...modelFacts(model), usage, estimated: true, cost: 0 })
    onVector(await ctx.embedding.miniLm.embedQuery(query))
    step?.end()
    return storeBill(ctx, await billBuiltIn(ctx, who, purpose, model, usage.input), who.tab)
  }
  const [vector] = await embed(ctx, { who, purpose, model, as: 'query' }, [query], AbortSignal.timeout(queryTimeout))
  if (!vector) throw new Error('The embedding model returned no vector.')
  onVector(vector)
}
