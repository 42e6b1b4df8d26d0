import type { IndexDescription } from '@parley/search'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../kernel/context.ts'
import { EmbeddingTurns, type Urgency } from './building/turns.ts'
import type { IndexRow } from './store.ts'

/** In-memory state of this process: caches, embedding runs and locks. */
export interface IndexesState {
  /** Sizes of indexes. Counting is linear in the index, so every change invalidates its entry. */
  descriptions: LRUCache<string, Promise<IndexDescription>>
  /** Vectors of recent queries by external embedding models, so that a repeated query is paid for once. */
  queryVectors: LRUCache<string, Promise<Float32Array>>
  /** Embedding runs by index id. */
  embeddingRuns: Map<string, EmbeddingRuns>
  embeddingTurns: EmbeddingTurns
  /** By id of an index being built: documents that a sync changed meanwhile. The build must not overwrite them. */
  changedDuringBuild: Map<string, Set<string>>
  /** The last change of each document; the next one waits for it. */
  documentLocks: Map<string, Promise<unknown>>
}

export interface EmbeddingRuns extends Urgency {
  finished: number
  running: boolean
  /** Passages were added while a run was going on, so it looks again before it ends. */
  again: boolean
}

export const createState = (ctx: Context): IndexesState => ({
  descriptions: new LRUCache({ max: 1000 }),
  queryVectors: new LRUCache({ max: 500 }),
  embeddingRuns: new Map(),
  embeddingTurns: new EmbeddingTurns(ctx.now),
  changedDuringBuild: new Map(),
  documentLocks: new Map(),
})

/** The name of an index in the search library. */
export const indexName = (index: Pick<IndexRow, 'workspace_id' | 'id'>) => ({
  workspace: index.workspace_id,
  key: index.id,
})

const empty: IndexDescription = { documents: 0, chunks: 0, embedded: 0, model: null }

/** The size of an index. */
export function describe(ctx: Context, index: Pick<IndexRow, 'workspace_id' | 'id'>): Promise<IndexDescription> {
  // On Postgres other nodes change the index and the counts are stored, so they are not cached.
  if (ctx.search.engine === 'postgres') return ctx.search.describe(indexName(index)).then((known) => known ?? empty)
  const { descriptions } = ctx.state.indexes
  let description = descriptions.get(index.id)
  if (!description) {
    description = ctx.search.describe(indexName(index)).then((known) => known ?? empty)
    description.catch(() => descriptions.delete(index.id))
    descriptions.set(index.id, description)
  }
  return description
}

export const invalidateDescription = (ctx: Context, index: Pick<IndexRow, 'id'>): void =>
  void ctx.state.indexes.descriptions.delete(index.id)

/** Runs `work` after every earlier change of the same document in this process. */
export async function withDocumentLock<T>(ctx: Context, documentId: string, work: () => Promise<T>): Promise<T> {
  const { documentLocks } = ctx.state.indexes
  const result = (documentLocks.get(documentId) ?? Promise.resolve()).then(work, work)
  documentLocks.set(documentId, result)
  try {
    return await result
  } finally {
    if (documentLocks.get(documentId) === result) documentLocks.delete(documentId)
  }
}

/** Takes the locks in order, so that two callers never wait for each other. */
export const withDocumentLocks = <T>(
  ctx: Context,
  documentIds: readonly string[],
  work: () => Promise<T>,
): Promise<T> => [...documentIds].sort().reduceRight((next, id) => () => withDocumentLock(ctx, id, next), work)()
