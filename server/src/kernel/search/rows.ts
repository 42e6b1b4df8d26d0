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
  headings: string
  text: string
  start: number | null
  end: number | null
}

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
