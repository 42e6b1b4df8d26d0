import type { Caller, Context } from '../../kernel/context.ts'
import { providerProblem } from '../../kernel/llm/provider-errors.ts'
import type { Db } from '../../kernel/store/database.ts'
import { type Found, type Retrieval, search as searchIndex, toRetrieval, withOverrides } from '../indexes/search.ts'
import { findServingIndex, indexesWithDefault } from '../indexes/service.ts'
import { knowledgeSources } from '../knowledge-sources/service.ts'
import { defaultModel, models } from '../models/service.ts'
import { writeAnswer } from './answer.ts'
import type { QueryBody, SearchBody } from './schema.ts'
import { type KnowledgeTools, ragTools, retrievalTools, type ToolRow } from './tools.ts'

export { ragTools, retrievalTools, sourceIds, type ToolRow } from './tools.ts'

/** A tool as it was at one time, and the index that served it. */
export interface PinnedTool {
  tool: ToolRow
  indexId: string | null
}

/** The tool as it is now, with the model that writes its answers. */
export async function pinTool(tx: Db, who: Caller, tools: KnowledgeTools, id: string): Promise<PinnedTool | null> {
  const tool = await tools.find(tx, who, id)
  if (!tool) return null
  if (tool.kind === 'rag') tool.resolved_model_id ??= (await defaultModel(tx, who, 'chat')).id
  return { tool, indexId: (await findServingIndex(tx, who.workspace, id))?.id ?? null }
}

/** A search with the settings of a tool. */
export async function retrievalWith(ctx: Context, who: Caller, tool: ToolRow, query: string): Promise<Retrieval> {
  const reranker = tool.resolved_rerank_id === null ? null : await models.get(ctx, who, tool.resolved_rerank_id)
  return {
    ...toRetrieval(tool, query),
    weights: tool.weights ?? null,
    rerank: reranker ?? (tool.rerank === 'mmr' ? 'mmr' : 'none'),
  }
}

async function searchWith(
  ctx: Context,
  who: Caller,
  tool: ToolRow,
  body: SearchBody,
  signal: AbortSignal,
  indexId: string | null = null,
): Promise<Found> {
  const retrieval = withOverrides(await retrievalWith(ctx, who, tool, body.query), body)
  const exactly = { ...retrieval, mode: body.search_mode ?? retrieval.mode, indexId }
  return searchIndex(ctx, who, tool.id, exactly, signal, { userId: who.userId }).catch((error) => {
    throw providerProblem(error)
  })
}

/** Searches with a retrieval tool as it is or as it was pinned. */
export async function search(
  ctx: Context,
  who: Caller,
  id: string,
  body: SearchBody,
  signal: AbortSignal,
  pinned: PinnedTool | null = null,
) {
  const started = performance.now()
  const tool = pinned?.tool ?? (await retrievalTools.getRow(ctx, who, id))
  const result = await searchWith(ctx, who, tool, body, signal, pinned?.indexId)
  return { query: body.query, ...result, took_ms: Math.round((performance.now() - started) * 100) / 100 }
}

const defaultResults = 10

/** Searches a source that needs no tool, in the index that every source has. */
export async function searchSource(ctx: Context, who: Caller, id: string, body: SearchBody, signal: AbortSignal) {
  const started = performance.now()
  await knowledgeSources.get(ctx, who, id)
  const index = (await indexesWithDefault(ctx, who.workspace, id)).find((each) => each.is_default)
  const retrieval: Retrieval = {
    query: body.query,
    topK: body.top_k ?? defaultResults,
    mode: body.search_mode ?? 'hybrid',
    filters: [body.filters ?? {}],
    threshold: null,
    explained: true,
    indexId: index?.id ?? null,
  }
  const found = await searchIndex(ctx, who, id, retrieval, signal, { userId: who.userId })
  return { query: body.query, ...found, took_ms: Math.round((performance.now() - started) * 100) / 100 }
}

/** Finds passages and answers from them, with a RAG tool as it is or as it was pinned. */
export async function query(
  ctx: Context,
  who: Caller,
  id: string,
  body: QueryBody,
  signal: AbortSignal,
  pinned: PinnedTool | null = null,
) {
  const tool = pinned?.tool ?? (await ragTools.getRow(ctx, who, id))
  const { results, ...state } = await searchWith(ctx, who, tool, body, signal, pinned?.indexId)
  if (!body.answer) return { query: body.query, results, answer: null, citations: [], ...state }
  const model =
    tool.resolved_model_id === null
      ? await defaultModel(ctx.db, who, 'chat')
      : await models.get(ctx, who, tool.resolved_model_id)
  const answered = await writeAnswer(ctx, who, { toolId: id, model, question: body.query, results }, signal)
  return { query: body.query, results, ...answered, ...state }
}
