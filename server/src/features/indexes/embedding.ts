import { createHash } from 'node:crypto'
import { miniLmModel, staticModel } from '@parley/embedding'
import type { Context } from '../../kernel/context.ts'
import type { EmbeddingPurpose } from '../../kernel/llm/model.ts'
import { second } from '../../kernel/time.ts'
import { chargedCall } from '../models/calls.ts'
import { connectEmbeddings, type ModelRow, models } from '../models/service.ts'
import type { IndexRow } from './store.ts'

/** Identifies the vector space of a model: vectors of one identity can be compared. */
export function identityOf(model: Pick<ModelRow, 'provider' | 'model_id' | 'endpoint' | 'options'>): string {
  if (model.provider === 'local') return model.model_id === staticModel.id ? staticModel.id : miniLmModel.id
  const { provider, model_id, endpoint, options } = model
  const hash = createHash('sha256').update(JSON.stringify([provider, model_id, endpoint, options]))
  return `${provider} ${model_id} ${hash.digest('hex').slice(0, 12)}`
}

/** Every index has vectors of the static model. Any other model embeds its passages in the background. */
export const isEmbeddedLater = (index: Pick<IndexRow, 'model'>): boolean => index.model !== staticModel.id

/** The model of an index, or undefined if it was deleted or now has another identity. */
export async function modelOf(ctx: Context, index: IndexRow): Promise<ModelRow | undefined> {
  const model = await models.find(ctx.db, { workspace: index.workspace_id }, index.model_id)
  return model && identityOf(model) === index.model ? model : undefined
}

const charactersPerToken = 4

/** Calls the embedding model and records the call in the ledger. */
export async function embed(
  ctx: Context,
  call: { workspace: string; token: string; toolId: string | null; model: ModelRow; purpose: EmbeddingPurpose },
  texts: string[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const { workspace, token, toolId, model, purpose } = call
  const messages = texts.map((content) => ({ role: 'user' as const, content }))
  const planned = { kind: 'embedding' as const, messages, tools: [], maxTokens: 0 }
  return chargedCall(ctx, { workspace, token }, { toolId }, model, planned, async () => {
    const { vectors, tokens } = await connectEmbeddings(ctx, workspace, model).embed(texts, signal, purpose)
    const estimate = Math.ceil(texts.reduce((sum, text) => sum + text.length, 0) / charactersPerToken)
    const usage = { input: tokens ?? estimate, cachedInput: 0, output: 0, reasoning: 0 }
    return { result: vectors, usage, estimated: tokens === null }
  })
}

/** After this time a search goes on without the embedding model. */
const queryTimeout = 5 * second

/** Embeds a query with the model of an index. */
export function queryVector(
  ctx: Context,
  who: { workspace: string; token: string },
  index: IndexRow,
  toolId: string,
  query: string,
): Promise<Float32Array> {
  if (index.model === miniLmModel.id) return ctx.embedding.miniLm.embedQuery(query)
  const { queryVectors } = ctx.state.indexes
  const key = `${index.workspace_id} ${index.model} ${query}`
  let vector = queryVectors.get(key)
  if (!vector) {
    vector = embedQuery(ctx, who, index, toolId, query)
    vector.catch((error) => {
      queryVectors.delete(key)
      ctx.log.warn({ err: error, index: index.id }, 'a query could not be embedded; searching with the static model')
    })
    queryVectors.set(key, vector)
  }
  return vector
}

async function embedQuery(
  ctx: Context,
  { workspace, token }: { workspace: string; token: string },
  index: IndexRow,
  toolId: string,
  query: string,
): Promise<Float32Array> {
  const model = await modelOf(ctx, index)
  if (!model) throw new Error('The embedding model of this index was deleted or changed.')
  const call = { workspace, token, toolId, model, purpose: 'query' } as const
  const [vector] = await embed(ctx, call, [query], AbortSignal.timeout(queryTimeout))
  if (!vector) throw new Error('The embedding model returned no vector.')
  return vector
}
