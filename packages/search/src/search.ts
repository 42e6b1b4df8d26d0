import type { Preparation } from './preparation.ts'

/** What the rest of the service knows of searching. One engine lives in SQLite files; others may follow. */
export interface SearchIndex {
  /** Adds and removes together or not at all. A chunk whose id is there already is replaced. */
  update(index: IndexName, change: IndexChange): Promise<{ added: number; removed: number }>
  /** Gives chunks the vectors of the index's finer model. Chunks that are gone by now are passed over. */
  setFineVectors(index: IndexName, model: string, vectors: readonly FineVector[]): Promise<{ stored: number }>
  /**
   * Some chunks that have no fine vector yet, with the text to embed, oldest first. Where the model is named, chunks
   * whose text has its vector elsewhere in the workspace get that one first.
   */
  unrefined(index: IndexName, most: number, model?: string): Promise<{ chunkId: string; text: string }[]>
  search(index: IndexName, request: SearchRequest): Promise<Hit[]>
  /** All chunks of one document, as they were added. */
  ofDocument(index: IndexName, documentId: string): Promise<Chunk[]>
  /** Some chunks of one document in the order of its text, and how many there are. */
  pageOf(index: IndexName, documentId: string, page: Stretch): Promise<{ chunks: Chunk[]; total: number }>
  describe(index: IndexName): Promise<IndexDescription | undefined>
  /** Every index there is, in all workspaces. */
  names(): Promise<IndexName[]>
  /** Brings the index into memory before anyone waits for it. */
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
  /** The document's metadata, to filter by. */
  metadata: Record<string, unknown>
  /** Where it stands in the text of its document. */
  span?: { start: number; end: number }
}

export interface NewChunk extends Chunk {
  /** Where it was made ready already, so that the thread that searches need not do it. */
  prepared?: Preparation
}

export interface Stretch {
  offset: number
  limit: number
}

interface IndexChange {
  add?: readonly NewChunk[]
  remove?: { chunks?: readonly string[]; documents?: readonly string[] }
  /** The index's finer model: texts that have its vector somewhere in the workspace have it here at once. */
  model?: string
}

export interface FineVector {
  chunkId: string
  vector: Float32Array
}

export interface SearchRequest {
  query: string
  /** `hybrid` by default. */
  mode?: 'hybrid' | 'vector' | 'keyword'
  topK: number
  /** Of several, all must hold. */
  filters?: Filters | readonly Filters[]
  /** How much each side counts in a hybrid search; without it, what measured best for the models that are there. */
  weights?: { vector: number; keyword: number }
  /** `mmr` picks passages that say different things. */
  rerank?: 'none' | 'mmr'
  scoreThreshold?: number
  /** Whether the words that speak for a passage are wanted. */
  explained?: boolean
  /**
   * The query as the finer model sees it, or the promise of it: the search begins meanwhile. Without it, for another
   * model, or where it fails, the built-in static model serves alone.
   */
  fine?: { model: string; vector: Float32Array | Promise<Float32Array> }
}

export type Scalar = string | number | boolean | null
export type Condition = Scalar | readonly Scalar[] | { gte?: string | number; lte?: string | number; ne?: Scalar }
/** By metadata field, or `source`, `page`, `document_id`; all of them must hold. */
export type Filters = Record<string, Condition>

export interface Hit {
  /** As it was added. */
  chunk: Chunk
  /** The words of the query as they are written in its headings and its text, where they were asked for. */
  matched?: string[]
  /** 0 to 1: of a keyword search relative to the best passage, of a vector search the cosine, of a hybrid one their mix. */
  score: number
  /** What was mixed. 0 where a side found nothing or was not asked. */
  parts: { keyword: number; vector: number }
}

export interface IndexDescription {
  documents: number
  chunks: number
  /** How many chunks have the finer model's vector. */
  refined: number
  fineModel: string | null
}

/** The text that stands for a chunk wherever it is embedded. */
export const headedText = (chunk: Pick<Chunk, 'headings' | 'text'>): string =>
  [...chunk.headings, chunk.text].join('\n')
