import { createHash } from 'node:crypto'
import { type Chunk, headedText } from './search.ts'

interface ChunkRow {
  id: number
  chunk_id: string
  document_id: string
  source: string
  page: number | null
  metadata: string
}

export interface EntryRow extends ChunkRow {
  language: number
  length: number
  terms: Buffer
  vector: Buffer
  fine: Buffer | null
}

export interface TextRow extends ChunkRow {
  language: number
  headings: string
  text: string
  start: number | null
  end: number | null
}

/** All that a chunk is, of one index. */
export const wholeChunk = `select c.chunk_id, c.document_id, c.source, c.page, c.metadata, c.language,
  t.headings, t.text, t.start, t.end from search_chunk c join search_text t on t.chunk = c.id where c.index_id = ?`

export const toChunk = (row: TextRow): Chunk => ({
  id: row.chunk_id,
  documentId: row.document_id,
  source: row.source,
  page: row.page,
  headings: JSON.parse(row.headings),
  text: row.text,
  metadata: JSON.parse(row.metadata),
  ...(row.start !== null && row.end !== null && { span: { start: row.start, end: row.end } }),
})

/** What is embedded for a chunk, in short. */
export const hashOf = (chunk: Chunk): Buffer => createHash('sha256').update(headedText(chunk)).digest().subarray(0, 16)
