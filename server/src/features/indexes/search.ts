import type { Filters, Hit, SearchRequest } from '@parley/search'
import { isBound } from '../../kernel/access.ts'
import type { CallPurpose } from '../../kernel/agent/tools.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { Problem } from '../../kernel/errors.ts'
import { tokensByLength } from '../../kernel/llm/estimate-usage.ts'
import { minute } from '../../kernel/time.ts'
import { type SearchedDocuments, searchedDocuments, seenAmong } from '../knowledge-sources/access/visible.ts'
import type { ModelRow } from '../models/service.ts'
import { upToDate } from '../sessions/authenticate.ts'
import { type Payer, type Purpose, storeBill } from '../usage/ledger.ts'
import { billStatic, isEmbeddedLater, type QueryEmbedding, queryVector } from './embedding.ts'
import { modelCandidates, rerankByModel } from './rerank.ts'
import { describe, indexName } from './state.ts'
import {
  findIndex,
  findIndexOfTool,
  findServingIndex,
  findSources,
  type IndexRow,
  recentIndexes,
  setIndex,
} from './store.ts'

export interface Retrieval {
  query: string
  topK: number
  mode: 'hybrid' | 'vector' | 'keyword'
  /** Filters that a passage must match, all of them. */
  filters: Filters[]
  threshold: number | null
  weights?: { vector: number; keyword: number } | null
  rerank?: 'none' | 'mmr' | ModelRow
  /** Whether results list the words of the query that they contain. */
  explained?: boolean
  /** Searches this index instead of the one that serves the tool now. */
  indexId?: string | null
}

export interface SearchResult {
  content: string
  score: number
  metadata: Record<string, unknown> & {
    source: string
    page: number
    document_id: string
    chunk_id: string
    start: number
    end: number
  }
  why: { keyword: number | null; vector: number | null; headings: string[]; terms: string[] }
}

/** Why results may be worse than usual. */
interface Degradation {
  code: 'index_not_ready' | 'index_loading' | 'embedding_pending' | 'embedding_failed'
  message: string
}

/** The results of a search, the best first, and the state of what they come from. */
export interface Found {
  results: SearchResult[]
  index: { status: IndexRow['status'] }
  degraded: Degradation[]
}

interface ToolSettings {
  top_k: number
  search_mode: Retrieval['mode']
  filters: Filters
  score_threshold: number | null
}

/** A search with the settings of a tool. */
export const toRetrieval = (tool: ToolSettings, query: string): Retrieval => ({
  query,
  topK: tool.top_k,
  mode: tool.search_mode,
  filters: [tool.filters],
  threshold: tool.score_threshold,
})

/** Applies what a request asks for to the settings of the tool. */
export const withOverrides = (
  retrieval: Retrieval,
  body: { top_k?: number | null; filters?: Filters | null },
): Retrieval => ({
  ...retrieval,
  topK: body.top_k ?? retrieval.topK,
  filters: [...retrieval.filters, body.filters ?? {}],
  explained: true,
})

async function indexFor(
  ctx: Context,
  workspace: string,
  toolId: string,
  { indexId = null }: Retrieval,
): Promise<IndexRow | undefined> {
  if (indexId === null) return findServingIndex(ctx.db, workspace, toolId)
  const index = await findIndex(ctx.db, workspace, indexId)
  if (index) return index
  throw new Problem('not_found', 'The tool was changed, and the index that it had before is deleted. Start a new run.')
}

/** Searches the index of a tool for passages that the caller may see now, and reports what is missing or failed. */
export async function search(
  ctx: Context,
  who: Caller,
  toolId: string,
  retrieval: Retrieval,
  signal: AbortSignal,
  caller: CallPurpose,
): Promise<Found> {
  const [index, current] = await Promise.all([
    indexFor(ctx, who.workspace, toolId, retrieval),
    findIndexOfTool(ctx.db, who.workspace, toolId),
  ])
  const status = (retrieval.indexId ? index?.status : current?.tool_status) ?? 'pending'
  const degraded = status === 'ready' ? [] : [notReady(status)]
  if (!index) return { results: [], index: { status }, degraded }
  noteUse(ctx, index)
  const viewer = await upToDate(ctx, who)
  const documents = isBound(viewer) ? await searchedDocuments(ctx, viewer, await findSources(ctx.db, index)) : null
  if (isNone(documents)) return { results: [], index: { status }, degraded }
  const purpose = { ...caller, toolId }
  const { rerank = 'none', topK, threshold } = retrieval
  const reranker = typeof rerank === 'object' ? rerank : null
  const embedding = await embedQuery(ctx, who, index, purpose, retrieval)
  const request: SearchRequest = {
    query: retrieval.query,
    mode: retrieval.mode,
    topK: reranker ? Math.max(modelCandidates, topK) : topK,
    filters: retrieval.filters,
    rerank: rerank === 'mmr' ? 'mmr' : 'none',
    ...(documents && { documents }),
    ...(retrieval.explained && { explain: true }),
    ...(retrieval.weights && { weights: retrieval.weights }),
    ...(threshold !== null && !reranker && { scoreThreshold: threshold }),
    ...(embedding.vector && { embedding: { model: index.model, vector: embedding.vector } }),
  }
  const step = caller.step?.part('search')
  const since = performance.now()
  const result = await ctx.search.search(indexName(index), request)
  const hits = result.map(toResult)
  // Checks the hits again, because access may have changed during the search.
  const sees = await seenAmong(
    ctx,
    viewer,
    hits.map(({ metadata }) => metadata.document_id),
  )
  const results = hits.filter(({ metadata }) => sees(metadata.document_id))
  step?.end({ results: results.length })
  ctx.metrics.searched(retrieval.mode, (performance.now() - since) / 1000)
  if (result.some(({ wordsOnly }) => wordsOnly)) {
    degraded.push(loading)
    embedding.billed?.catch((error) => ctx.log.warn({ err: error }, 'a query without its vector could not be billed'))
  } else {
    await embedding.billed
    degraded.push(...(await embeddingGaps(ctx, index, retrieval, embedding, documents !== null)))
  }
  const state = { index: { status }, degraded }
  if (!reranker) return { results, ...state }
  const reranked = await rerankByModel(ctx, who, purpose, reranker, retrieval.query, results, signal)
  return { results: reranked.filter(({ score }) => score >= (threshold ?? 0)).slice(0, topK), ...state }
}

const isNone = (documents: SearchedDocuments | null): boolean =>
  documents !== null && 'only' in documents && documents.only.length === 0

const notReady = (status: IndexRow['status']): Degradation => ({
  code: 'index_not_ready',
  message:
    status === 'error'
      ? 'The index could not be built completely; some documents cannot be found.'
      : 'The index is still being built; some documents cannot be found yet.',
})

const loading: Degradation = {
  code: 'index_loading',
  message: 'The index is being loaded after a start; only keywords were used for this search.',
}

/** Without a vector of the embedding model, passages and queries are compared by the built-in static vectors. */
async function embeddingGaps(
  ctx: Context,
  index: IndexRow,
  { mode }: Retrieval,
  { vector }: Partial<QueryEmbedding>,
  isRestricted: boolean,
): Promise<Degradation[]> {
  if (mode === 'keyword' || !isEmbeddedLater(index)) return []
  const hasFailed = await (vector?.then(
    () => false,
    () => true,
  ) ?? false)
  if (hasFailed) {
    return [
      { code: 'embedding_failed', message: 'The embedding model failed for this query; static vectors were used.' },
    ]
  }
  const { chunks, embedded } = await describe(ctx, index)
  if (embedded >= chunks) return []
  // The numbers would count passages that the caller may not see.
  const progress = isRestricted ? 'some' : `${embedded} of ${chunks}`
  const message = `The embedding model has embedded ${progress} passages; static vectors were used for the others.`
  return [{ code: 'embedding_pending', message }]
}

/**
 * Embeds the query with the model of the index if some passages have its vectors, otherwise with the static model, which the
 * search does itself. The search starts without waiting for it.
 */
async function embedQuery(
  ctx: Context,
  who: Payer,
  index: IndexRow,
  purpose: Purpose,
  { mode, query }: Retrieval,
): Promise<Partial<QueryEmbedding>> {
  if (mode === 'keyword') return {}
  if (isEmbeddedLater(index) && (await describe(ctx, index)).embedded > 0) {
    return queryVector(ctx, who, index, purpose, query)
  }
  const bill = await billStatic(ctx, who, purpose, tokensByLength([query]))
  return { billed: storeBill(ctx, bill, who.tab) }
}

const toResult = ({ chunk, matched, score, parts }: Hit): SearchResult => ({
  content: chunk.text,
  score,
  metadata: {
    ...chunk.metadata,
    source: chunk.source,
    page: chunk.page ?? 1,
    document_id: chunk.documentId,
    chunk_id: chunk.id,
    start: chunk.span?.start ?? 0,
    end: chunk.span?.end ?? chunk.text.length,
  },
  why: {
    keyword: parts.keyword > 0 ? parts.keyword : null,
    vector: parts.vector > 0 ? parts.vector : null,
    headings: chunk.headings,
    terms: matched ?? [],
  },
})

/** Indexes that somebody searches are embedded first, and the next start loads the most recently used ones first. */
function noteUse(ctx: Context, index: IndexRow): void {
  const runs = ctx.state.indexes.embeddingRuns.get(index.id)
  if (runs) runs.usedAt = ctx.now()
  if (ctx.now() - index.used_at < minute) return
  setIndex(ctx.db, index, { used_at: ctx.now() }).catch((error) =>
    ctx.log.warn({ err: error, index: index.id }, 'the time of use of an index could not be stored'),
  )
}

/** Loads recently searched indexes into memory. */
export async function loadRecentIndexes(ctx: Context): Promise<void> {
  for (const index of await recentIndexes(ctx.db, 5)) await ctx.search.load(indexName(index))
}
