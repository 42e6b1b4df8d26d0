import type { Caller, Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { providerProblem } from '../../kernel/llm/provider-errors.ts'
import { type Change, collection } from '../../kernel/store/collection.ts'
import type { Db } from '../../kernel/store/database.ts'
import type { Stored } from '../../kernel/store/table.ts'
import { type Retrieval, retrievalOf, search as searchIndex, withOverrides } from '../indexes/search.ts'
import { applySettings, type PinnedTool, pinTool, toolOptions, withIndexState } from '../indexes/tools/settings.ts'
import { knowledgeToolbox } from '../indexes/tools/toolbox.ts'
import { sourceKind } from '../knowledge-sources/service.ts'
import { models, resolve } from '../models/service.ts'
import { RetrievalTool, type SearchBody } from './schema.ts'

/** The ids of the models that the caller named. */
interface Resolved extends Record<string, unknown> {
  resolved_embedding_id: string
  resolved_rerank_id: string | null
}
type RetrievalToolRow = Stored<RetrievalTool & Resolved>

const rows = collection<typeof RetrievalTool, Resolved>({
  name: 'retrieval_tool',
  shape: RetrievalTool,
  prefix: 'ret',
  kind: 'retrieval tool',
  ...toolOptions('retrieval_tool'),
  async complete(change) {
    checkSources(change.next.knowledge_source_ids)
    checkWeights(change.next.weights)
    await resolveRerank(change)
    await applySettings(change, change.next.knowledge_source_ids)
  },
  references: (tool) => [
    ...tool.knowledge_source_ids.map((target, at) => ({
      field: `knowledge_source_ids[${at}]`,
      target,
      kind: sourceKind,
    })),
    { field: 'embedding_model', target: tool.resolved_embedding_id },
    ...(tool.resolved_rerank_id === null ? [] : [{ field: 'rerank', target: tool.resolved_rerank_id }]),
  ],
})

export const retrievalTools = {
  ...withIndexState(rows),
  prefix: rows.prefix,
  table: rows.table,
  find: rows.find,
  first: rows.first,
  count: rows.count,
  unseen: rows.unseen,
}

function checkSources(ids: string[]): void {
  const repeated = ids.findIndex((id, at) => ids.indexOf(id) !== at)
  if (repeated >= 0) invalid(`knowledge_source_ids[${repeated}]`, 'is listed twice')
}

function checkWeights(weights: RetrievalTool['weights']): void {
  if (weights !== null && weights.vector + weights.keyword === 0) invalid('weights', 'must not both be 0')
}

const builtInRerankers: readonly string[] = ['none', 'mmr']

async function resolveRerank({ tx, who, next, previous }: Change<RetrievalToolRow>): Promise<void> {
  if (previous && previous.rerank === next.rerank) return
  const isBuiltIn = builtInRerankers.includes(next.rerank)
  next.resolved_rerank_id = isBuiltIn ? null : (await resolve(tx, who, 'rerank', next.rerank, 'rerank')).id
}

async function retrievalWith(ctx: Context, who: Caller, tool: RetrievalToolRow, query: string): Promise<Retrieval> {
  const reranker = tool.resolved_rerank_id === null ? null : await models.get(ctx, who, tool.resolved_rerank_id)
  return {
    ...retrievalOf(tool, query),
    weights: tool.weights,
    rerank: reranker ?? (tool.rerank === 'mmr' ? 'mmr' : 'none'),
  }
}

export type PinnedRetrievalTool = PinnedTool<RetrievalToolRow>

/** The tool as it is now. */
export async function pinRetrievalTool(tx: Db, who: Caller, id: string): Promise<PinnedRetrievalTool | null> {
  const tool = await rows.find(tx, who, id)
  return tool ? pinTool(tx, who, tool) : null
}

/** Searches with the tool as it is or as it was pinned. */
export async function search(
  ctx: Context,
  who: Caller,
  id: string,
  body: SearchBody,
  signal: AbortSignal,
  pinned: PinnedRetrievalTool | null = null,
) {
  const started = performance.now()
  const tool = pinned?.tool ?? (await rows.get(ctx, who, id))
  const retrieval = withOverrides(await retrievalWith(ctx, who, tool, body.query), body)
  try {
    const exactly = { mode: body.search_mode ?? retrieval.mode, indexId: pinned?.indexId ?? null }
    const found = await searchIndex(ctx, who, id, { ...retrieval, ...exactly }, signal, { userId: who.userId })
    return { query: body.query, ...found, took_ms: Math.round((performance.now() - started) * 100) / 100 }
  } catch (error) {
    throw providerProblem(error)
  }
}

export const toolbox = knowledgeToolbox('ret', {
  find: rows.find,
  retrievalOf: retrievalWith,
  sourcesOf: (tool) => tool.knowledge_source_ids,
})
