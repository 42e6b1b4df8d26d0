import type { ReadDocument } from '@parley/documents'
import type { Context } from '../../kernel/context.ts'
import type { Page } from '../../kernel/store/list.ts'

/** A document as it was read, with all that a search result says of it. */
export interface ParsedDocument extends Omit<ReadDocument, 'metadata'> {
  id: string
  sourceId: string
  /** What results name as their `source`: the name of a file, the title of a text, the address of a page. */
  label: string
  /** What the document says of itself, and what was given with it. */
  metadata: Record<string, unknown>
}

/** A passage of a document as a search finds it. */
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

/** Keeps every index over a source in step with its documents. Both must not mind being run twice. */
export interface Indexer {
  /** Puts the document's new text in the place of its old one, which serves until then. */
  put(ctx: Context, workspace: string, document: ParsedDocument, signal: AbortSignal): Promise<ChunkCounts>
  remove(ctx: Context, workspace: string, sourceId: string, documentIds: readonly string[]): Promise<ChunkCounts>
  /** Some passages of a document in the source's default index, in the order of the text. */
  passages(
    ctx: Context,
    workspace: string,
    document: { id: string; sourceId: string },
    stretch: { offset: number; limit: number },
  ): Promise<Page<Passage>>
  /** The source itself is gone. */
  drop(ctx: Context, workspace: string, sourceId: string): Promise<void>
}

const nothing: ChunkCounts = { embedded: 0, reused: 0, removed: 0 }

/** Stands in until the indexes feature, which comes later, puts its own at `ctx.state['knowledge-sources'].indexer`. */
export const noIndexer: Indexer = {
  put: async () => nothing,
  remove: async () => nothing,
  passages: async () => ({ rows: [], total: 0 }),
  drop: async () => {},
}
