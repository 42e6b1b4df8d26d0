import type { AnalysedText } from './analysis/analyse.ts'

/** A hybrid search index. Every engine passes the suite in `test/conformance.ts`. */
export interface SearchIndex {
  /** Adds and removes in one transaction. A chunk replaces the one with the same id. */
  update(index: IndexName, change: IndexChange): Promise<{ added: number; removed: number }>
  /** Stores vectors of the index's embedding model. Chunks that were removed meanwhile are skipped. */
  setVectors(index: IndexName, model: string, vectors: readonly ChunkVector[]): Promise<{ stored: number }>
  /**
   * Chunks without a vector of the embedding model, with the text to embed, newest first, because people soon search for
   * documents they have just added. With `model`, chunks first reuse the vectors that other chunks of the workspace have for
   * the same text.
   */
  pendingChunks(index: IndexName, limit: number, model?: string): Promise<{ chunkId: string; text: string }[]>
  /** The best passages. Passages with the same text are one hit. */
  search(index: IndexName, request: SearchRequest): Promise<Hit[]>
  /** All chunks of a document, in the order in which they were added. */
  documentChunks(index: IndexName, documentId: string): Promise<Chunk[]>
  /** One page of a document's chunks in text order, and their total number. */
  documentPage(index: IndexName, documentId: string, page: Page): Promise<{ chunks: Chunk[]; total: number }>
  describe(index: IndexName): Promise<IndexDescription | undefined>
  /** The indexes of all workspaces. */
  listIndexes(): Promise<IndexName[]>
  /** Loads the index before the first search needs it. */
  load(index: IndexName): Promise<void>
  drop(index: IndexName): Promise<void>
  dropWorkspace(workspace: string): Promise<void>
  close(): Promise<void>
}

export interface IndexName {
  workspace: string
  key: string
}

export interface Chunk {
  id: string
  documentId: string
  source: string
  page: number | null
  /** The headings above it, outermost first. They are searched with the text and count double. */
  headings: string[]
  text: string
  /** The document's metadata, for filters. */
  metadata: Record<string, unknown>
  /** Its place in the text of the document. */
  span?: { start: number; end: number }
}

/** Computed from the text of a passage alone, so any thread can do it. */
export interface Preparation extends AnalysedText {
  /** By the static model. */
  vector: Uint8Array
}

export interface NewChunk extends Chunk {
  /** The result of `prepare`, if another thread has computed it already. */
  prepared?: Preparation
}

export interface Page {
  offset: number
  limit: number
}

export interface IndexChange {
  add?: readonly NewChunk[]
  remove?: { chunks?: readonly string[]; documents?: readonly string[] }
  /** The embedding model of the index. New chunks reuse its vectors for the same text within the workspace. */
  model?: string
}

export interface ChunkVector {
  chunkId: string
  vector: Float32Array
}

export interface SearchRequest {
  query: string
  /** Default: `hybrid`. */
  mode?: 'hybrid' | 'vector' | 'keyword'
  topK: number
  /** A chunk must match all of them. */
  filters?: Filters | readonly Filters[]
  /**
   * Only the chunks of these documents, or of all but these. Scores are those of an index without the others, so that they tell
   * nothing about them. Filters, in contrast, leave the scores as they are.
   */
  documents?: DocumentSelection
  /** The share of each side in a hybrid score. The default depends on the model of the vectors. */
  weights?: { vector: number; keyword: number }
  /** `mmr` (maximal marginal relevance) avoids passages that repeat each other. */
  rerank?: 'none' | 'mmr'
  scoreThreshold?: number
  /** How many candidates are retrieved at least by words, and as many by vectors. Default: 100. */
  candidates?: number
  /** Returns the matched words with each hit. */
  explain?: boolean
  /**
   * The query's vector by the embedding model, or a promise of it; candidates are retrieved meanwhile. The static model
   * is used alone if this is missing, fails, or belongs to another model than the index.
   */
  embedding?: { model: string; vector: Float32Array | Promise<Float32Array> }
}

export type DocumentSelection = { only: readonly string[] } | { except: readonly string[] }

export type Scalar = string | number | boolean | null
export type Condition = Scalar | readonly Scalar[] | { gte?: string | number; lte?: string | number; ne?: Scalar }
/** Conditions by metadata field, or by `source`, `page` and `document_id`. All must hold. */
export type Filters = Record<string, Condition>

export interface Hit {
  /** The chunk as it was added. */
  chunk: Chunk
  /** The words of the query as they are spelled in the headings and the text; only with `explain`. */
  matched?: string[]
  /** The probability that the passage answers the query, from 0 to 1. */
  score: number
  /** The share of the query that its words cover, and the cosine. 0 for a side that did not match or was not searched. */
  parts: { keyword: number; vector: number }
  /** The vectors of the index were still being loaded, so a hybrid search has used words alone. */
  wordsOnly?: true
}

export interface IndexDescription {
  documents: number
  chunks: number
  /** How many chunks have a vector of the embedding model. */
  embedded: number
  /** The embedding model, once there is a vector of it. */
  model: string | null
}

/** The text of a chunk that is embedded. */
export const textToEmbed = (chunk: Pick<Chunk, 'headings' | 'text'>): string =>
  [...chunk.headings, chunk.text].join('\n')
