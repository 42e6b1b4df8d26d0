import type BetterSqlite from 'better-sqlite3'
import { countLanguage, type LanguageCounts } from '../analysis/languages.ts'
import type { Chunk, Page } from '../search-index.ts'
import { decodeTerms } from './encoded-terms.ts'
import type { Entry, Vectors } from './memory-index.ts'

interface ChunkRow {
  id: number
  chunk_id: string
  document_id: string
  source: string
  page: number | null
  metadata: string
}

interface EntryRow extends ChunkRow {
  language: number
  length: number
  terms: Buffer
}

interface VectorRow extends Vectors {
  id: number
  chunkId: string
}

interface TextRow extends ChunkRow {
  language: number
  headings: string
  text: string
  start: number | null
  end: number | null
}

const selectChunk = `select c.chunk_id, c.document_id, c.source, c.page, c.metadata, c.language,
  t.headings, t.text, t.start, t.end from search_chunk c join search_text t on t.chunk = c.id where c.index_id = ?`

/** The queries that read chunks. */
export function chunkReader(db: BetterSqlite.Database) {
  const entries = db.prepare<[number, number, number], EntryRow>(
    `select id, chunk_id, document_id, source, page, metadata, language, length, terms
     from search_chunk where index_id = ? and id > ? order by id limit ?`,
  )
  const vectors = db.prepare<[number, number, number], VectorRow>(
    `select c.id, c.chunk_id as chunkId, c.vector as staticVector, v.vector
     from search_chunk c left join search_vector v on v.chunk = c.id
     where c.index_id = ? and c.id > ? order by c.id limit ?`,
  )
  const texts = db.prepare<[number, number, number], TextRow>(
    `select c.id, c.document_id, t.headings, t.text from search_chunk c join search_text t on t.chunk = c.id
     where c.index_id = ? and c.id > ? order by c.id limit ?`,
  )
  const byId = db.prepare<[number, string], TextRow>(
    `${selectChunk} and c.chunk_id in (select value from json_each(?))`,
  )
  const byDocument = db.prepare<[number, string], TextRow>(`${selectChunk} and c.document_id = ? order by c.id`)
  // Only ids are sorted: the text of a document may be large.
  const page = db.prepare<[number, number, string, number, number], TextRow>(
    `${selectChunk} and c.id in (
       select c.id from search_chunk c join search_text t on t.chunk = c.id
       where c.index_id = ? and c.document_id = ? order by t.start, c.id limit ? offset ?
     ) order by t.start, c.id`,
  )
  const total = db.prepare<[number, string], { total: number }>(
    'select count(*) as total from search_chunk where index_id = ? and document_id = ?',
  )
  // Samples the newest chunks, because there may be millions.
  const languages = db.prepare<[number], { language: number }>(
    'select language from search_chunk where index_id = ? order by id desc limit 500',
  )

  return {
    /** One page of the index without its vectors, in the order in which it was added. */
    entries: (index: number, after: number, limit: number): { id: number; entry: Entry }[] =>
      entries.all(index, after, limit).map((row) => ({
        id: row.id,
        entry: {
          chunkId: row.chunk_id,
          documentId: row.document_id,
          source: row.source,
          page: row.page,
          metadata: JSON.parse(row.metadata),
          language: row.language,
          length: row.length,
          ...decodeTerms(row.terms),
        },
      })),

    vectors: (index: number, after: number, limit: number): VectorRow[] => vectors.all(index, after, limit),

    texts: (index: number, after: number, limit: number) =>
      texts.all(index, after, limit).map(({ id, document_id: documentId, headings, text }) => ({
        id,
        documentId,
        headings: JSON.parse(headings),
        text,
      })),

    byId(index: number, chunkIds: string[]): Map<string, { chunk: Chunk; language: number }> {
      const rows = byId.all(index, JSON.stringify(chunkIds))
      return new Map(rows.map((row) => [row.chunk_id, { chunk: toChunk(row), language: row.language }]))
    },

    byDocument: (index: number, documentId: string): Chunk[] => byDocument.all(index, documentId).map(toChunk),

    documentPage: (index: number, documentId: string, { offset, limit }: Page) => ({
      chunks: page.all(index, index, documentId, limit, offset).map(toChunk),
      total: total.get(index, documentId)?.total ?? 0,
    }),

    languageCounts(index: number): LanguageCounts {
      const counts: LanguageCounts = []
      for (const { language } of languages.all(index)) countLanguage(counts, language)
      return counts
    },
  }
}

const toChunk = (row: TextRow): Chunk => ({
  id: row.chunk_id,
  documentId: row.document_id,
  source: row.source,
  page: row.page,
  headings: JSON.parse(row.headings),
  text: row.text,
  metadata: JSON.parse(row.metadata),
  ...(row.start !== null && row.end !== null && { span: { start: row.start, end: row.end } }),
})
