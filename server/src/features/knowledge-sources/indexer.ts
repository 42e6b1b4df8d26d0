import type { OnProgress, ReadDocument } from '@parley/documents'
import type { Context } from '../../kernel/context.ts'
import type { Statement } from '../../kernel/store/commits.ts'
import type { Page } from '../../kernel/store/list.ts'
import type { IndexState } from './schema.ts'

/** A parsed document, with everything that a search result shows of it. */
export interface ParsedDocument extends Omit<ReadDocument, 'metadata'> {
  id: string
  sourceId: string
  /** The `source` of search results: the name of a file, the title of a text or the URL of a page. */
  label: string
  /** Metadata from the document and from the caller. */
  metadata: Record<string, unknown>
}

interface Passage {
  id: string
  text: string
  start: number
  end: number
  page: number | null
  headings: string[]
}

export interface ChunkCounts {
  embedded: number
  reused: number
  removed: number
}

/** Updates every index over a source. All methods are idempotent. */
export interface Indexer {
  /** Replaces the text of a document in one step, and commits statements with it. `onProgress` gets its passages. */
  put(
    ctx: Context,
    workspace: string,
    document: ParsedDocument,
    statements: (counts: ChunkCounts) => Statement[],
    signal: AbortSignal,
    onProgress: OnProgress,
  ): Promise<void>
  /** Removes documents, and commits statements with it. `removed` is the number of their passages. */
  remove(
    ctx: Context,
    workspace: string,
    sourceId: string,
    documentIds: readonly string[],
    statements?: (removed: number) => Statement[],
  ): Promise<void>
  /** Passages of a document in the default index of the source, in the order of the text. */
  passages(
    ctx: Context,
    workspace: string,
    document: { id: string; sourceId: string },
    range: { offset: number; limit: number },
  ): Promise<Page<Passage>>
  /** The state of the default index of a source, or null before its first document. */
  state(ctx: Context, workspace: string, sourceId: string): Promise<IndexState>
  /** Drops all indexes over a deleted source. */
  drop(ctx: Context, workspace: string, sourceId: string): Promise<void>
}

const noChunks: ChunkCounts = { embedded: 0, reused: 0, removed: 0 }

/** The initial indexer. The indexes feature, which comes later, replaces it. */
export const noIndexer: Indexer = {
  put: (ctx, _workspace, _document, statements) => ctx.commits.commit(statements(noChunks)),
  remove: (ctx, _workspace, _source, _documents, statements = () => []) => ctx.commits.commit(statements(0)),
  passages: async () => ({ rows: [], total: 0 }),
  state: async () => null,
  drop: async () => {},
}

export const getIndexer = (ctx: Context): Indexer => ctx.state['knowledge-sources'].indexer
