import { createHash } from 'node:crypto'
import { miniLmModel, staticModel } from '@parley/embedding'
import type { Context } from '../../kernel/context.ts'
import type { EmbeddingPurpose } from '../../kernel/llm/model.ts'
import { second } from '../../kernel/time.ts'
import { chargedCall } from '../models/calls.ts'
import { connectEmbeddings, type ModelRow, models } from '../models/service.ts'
import type { IndexRow } from './store.ts'

const isLocal = (model: Pick<ModelRow, 'provider'>): boolean => model.provider === 'local'

/** Vectors of one identity can be compared; whatever changes them changes it. */
export function identityOf(model: Pick<ModelRow, 'provider' | 'model_id' | 'endpoint' | 'options'>): string {
  if (isLocal(model)) return model.model_id === staticModel.id ? staticModel.id : miniLmModel.id
  const { provider, model_id, endpoint, options } = model
  const hash = createHash('sha256').update(JSON.stringify([provider, model_id, endpoint, options]))
  return `${provider} ${model_id} ${hash.digest('hex').slice(0, 12)}`
}

/** The built-in static model is in every index by itself. */
export const isRefinable = (index: Pick<IndexRow, 'model'>): boolean => index.model !== staticModel.id

const charactersPerToken = 4

/** The model behind an index, or undefined where it is gone or has become another. */
export async function modelOf(ctx: Context, index: IndexRow): Promise<ModelRow | undefined> {
  const model = await models.find(ctx.db, { workspace: index.workspace_id }, index.model_id)
  return model && identityOf(model) === index.model ? model : undefined
}

/** One call of the embedding model, with its row in the ledger. */
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

const mostKnownQueries = 500
/** After this the search goes on without the embedding model. */
const longestQuery = 5 * second

/** The query as the index's model sees it. The same query is asked for once. */
export function queryVector(
  ctx: Context,
  who: { workspace: string; token: string },
  index: IndexRow,
  toolId: string,
  query: string,
): Promise<Float32Array> {
  if (index.model === miniLmModel.id) return ctx.embedding.miniLm.embedQuery(query)
  const { queryVectors: known } = ctx.state.indexes
  const key = `${index.workspace_id} ${index.model} ${query}`
  let vector = known.get(key)
  if (vector) known.delete(key)
  else {
    vector = askModel(ctx, who, index, toolId, query)
    vector.catch((error) => {
      known.delete(key)
      ctx.log.warn({ err: error, index: index.id }, 'a query could not be embedded; the static model serves')
    })
  }
  known.set(key, vector) // the last one asked for goes last
  const [oldest] = known.keys()
  if (known.size > mostKnownQueries && oldest !== undefined) known.delete(oldest)
  return vector
}

async function askModel(
  ctx: Context,
  { workspace, token }: { workspace: string; token: string },
  index: IndexRow,
  toolId: string,
  query: string,
): Promise<Float32Array> {
  const model = await modelOf(ctx, index)
  if (!model) throw new Error('The embedding model of this index is gone or has become another.')
  const call = { workspace, token, toolId, model, purpose: 'query' } as const
  const [vector] = await embed(ctx, call, [query], AbortSignal.timeout(longestQuery))
  if (!vector) throw new Error('The embedding model gave no vector.')
  return vector
}
