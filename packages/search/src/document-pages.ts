import type BetterSqlite from 'better-sqlite3'
import { type TextRow, toChunk, wholeChunk } from './rows.ts'
import type { Chunk, Stretch } from './search.ts'

/** Reads the chunks of one document piece by piece, in the order of its text. */
export function pageReader(db: BetterSqlite.Database) {
  // What is put in order are places alone: a whole document's text may be large.
  const read = db.prepare<[number, number, string, number, number], TextRow>(
    `${wholeChunk} and c.id in (
       select c.id from search_chunk c join search_text t on t.chunk = c.id
       where c.index_id = ? and c.document_id = ? order by t.start, c.id limit ? offset ?
     ) order by t.start, c.id`,
  )
  const count = db.prepare<[number, string], { total: number }>(
    'select count(*) as total from search_chunk where index_id = ? and document_id = ?',
  )
  return (index: number, documentId: string, { offset, limit }: Stretch): { chunks: Chunk[]; total: number } => ({
    chunks: read.all(index, index, documentId, limit, offset).map(toChunk),
    total: count.get(index, documentId)?.total ?? 0,
  })
}
