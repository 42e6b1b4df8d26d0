import type { Hit, SearchRequest } from '@parley/search'
import type { Context } from '../../kernel/context.ts'
import { rememberedUntil } from '../../kernel/store/memory.ts'
import { minute } from '../../kernel/time.ts'
import { chargedCall } from '../models/calls.ts'
import { connectReranker, type ModelRow } from '../models/service.ts'
import { isRefinable, queryVector } from './embedder.ts'
import type { Retrieval } from './retrieval.ts'
import { describe, nameOf } from './state.ts'
import { type IndexRow, setIndex } from './store.ts'
import { servingIndex } from './uses.ts'

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
  why: Why
}

/** What speaks for a passage. */
interface Why {
  keyword: number | null
  vector: number | null
  headings: string[]
  terms: string[]
}

/** Of how many passages a rerank model sees the text. */
const fewestToRerank = 50

const serving = rememberedUntil<IndexRow | undefined>('writes')

/** What a tool finds, the best first. */
export async function retrieve(
  ctx: Context,
  who: { workspace: string; token: string },
  toolId: string,
  retrieval: Retrieval,
  signal: AbortSignal,
): Promise<SearchResult[]> {
  const index = await serving(ctx, `${who.workspace} ${toolId}`, () => servingIndex(ctx, who.workspace, toolId))
  if (!index) return []
  noteUse(ctx, index)
  const { rerank = 'none', topK, threshold } = retrieval
  const isModel = typeof rerank === 'object'
  const request: SearchRequest = {
    query: retrieval.query,
    mode: retrieval.mode,
    topK: isModel ? Math.max(fewestToRerank, topK) : topK,
    filters: retrieval.filters,
    rerank: isModel ? 'none' : rerank,
    ...(retrieval.explained && { explain: true }),
    ...(retrieval.weights && { weights: retrieval.weights }),
    ...(threshold !== null && !isModel && { scoreThreshold: threshold }),
    ...(await fineQuery(ctx, who, index, toolId, retrieval)),
  }
  const found = (await ctx.search.search(nameOf(index), request)).map(toResult)
  if (!isModel) return found
  const ranked = await reranked(ctx, who, toolId, rerank, retrieval.query, found, signal)
  return ranked.filter(({ score }) => score >= (threshold ?? 0)).slice(0, topK)
}

/** The finer model is asked only where some passages have its vectors. */
async function fineQuery(
  ctx: Context,
  who: { workspace: string; token: string },
  index: IndexRow,
  toolId: string,
  { mode, query }: Retrieval,
): Promise<Pick<SearchRequest, 'embedding'>> {
  if (mode === 'keyword' || !isRefinable(index) || (await describe(ctx, index)).embedded === 0) return {}
  return { embedding: { model: index.model, vector: queryVector(ctx, who, index, toolId, query) } }
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

async function reranked(
  ctx: Context,
  { workspace, token }: { workspace: string; token: string },
  toolId: string,
  model: ModelRow,
  query: string,
  found: SearchResult[],
  signal: AbortSignal,
): Promise<SearchResult[]> {
  if (found.length === 0) return []
  const texts = found.map(({ content }) => content)
  const messages = [query, ...texts].map((content) => ({ role: 'user' as const, content }))
  const planned = { kind: 'rerank' as const, messages, tools: [], maxTokens: 0 }
  const scores = await chargedCall(ctx, { workspace, token }, { toolId }, model, planned, async () => {
    const { scores: given, tokens } = await connectReranker(ctx, workspace, model).rerank(query, texts, signal)
    const estimate = Math.ceil([query, ...texts].join('').length / 4)
    const usage = { input: tokens ?? estimate, cachedInput: 0, output: 0, reasoning: 0 }
    return { result: given, usage, estimated: tokens === null }
  })
  const isShare = scores.every((score) => score >= 0 && score <= 1)
  return found
    .map((result, at) => ({ ...result, score: isShare ? (scores[at] ?? 0) : logistic(scores[at] ?? 0) }))
    .sort((one, other) => other.score - one.score)
}

/** Some models give any number; this keeps the order and makes it a share. */
const logistic = (value: number): number => 1 / (1 + Math.exp(-value))

/** So that the next start loads first what was used last. */
function noteUse(ctx: Context, index: IndexRow): void {
  if (ctx.now() - index.used_at < 10 * minute) return
  setIndex(ctx.db, index, { used_at: ctx.now() }).catch((error) =>
    ctx.log.warn({ err: error, index: index.id }, 'the use of an index could not be noted'),
  )
}

const mostLoaded = 5

/** Brings what was searched lately into memory, while the service already answers. */
export async function loadRecent(ctx: Context): Promise<void> {
  const rows = await ctx.db
    .selectFrom('search_index')
    .innerJoin('search_index_use', 'search_index_use.serving_id', 'search_index.id')
    .select(['search_index.id', 'search_index.workspace_id'])
    .distinct()
    .select('used_at')
    .orderBy('used_at', 'desc')
    .limit(mostLoaded)
    .execute()
  for (const row of rows) await ctx.search.load(nameOf(row))
}
