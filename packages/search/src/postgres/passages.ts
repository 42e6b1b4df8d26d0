import { createHash } from 'node:crypto'
import { type Chunk, type Page, textToEmbed } from '../search-index.ts'
import { type Queryable, rows } from './database.ts'
import { storable } from './fields.ts'

export interface PassageRow {
  id: string
  chunkId: string
  documentId: string
  language: number
  body: string
}

const columns = 'id::text, chunk_id as "chunkId", document_id as "documentId", language, body'

/** A chunk without its ids as JSON, which escapes characters that Postgres cannot store. */
export const passageBody = ({ id: _, documentId: __, text, ...rest }: Chunk): string =>
  JSON.stringify({ ...rest, text: text.toWellFormed() })

export const toChunk = ({ chunkId, documentId, body }: Omit<PassageRow, 'id' | 'language'>): Chunk => {
  const { source, page, headings, text, metadata, span } = JSON.parse(body) as Omit<Chunk, 'id' | 'documentId'>
  return { id: chunkId, documentId, source, page, headings, text, metadata, ...(span && { span }) }
}

/** Passages with the same text have the same vector. */
export const textHash = (chunk: Pick<Chunk, 'headings' | 'text'>): string =>
  createHash('sha256').update(textToEmbed(chunk)).digest('hex').slice(0, 32)

export const passagesById = (db: Queryable, ids: readonly string[]): Promise<PassageRow[]> =>
  rows(db, `select ${columns} from passage where id = any($1::bigint[])`, [ids])

export async function documentChunks(db: Queryable, index: string, documentId: string): Promise<Chunk[]> {
  const sql = `select ${columns} from passage where index_id = $1 and document_id = $2 order by id`
  return (await rows<PassageRow>(db, sql, [index, storable(documentId)])).map(toChunk)
}

export async function documentPage(
  db: Queryable,
  index: string,
  documentId: string,
  { offset, limit }: Page,
): Promise<{ chunks: Chunk[]; total: number }> {
  const of = 'from passage where index_id = $1 and document_id = $2'
  const parameters = [index, storable(documentId)]
  const found = await rows<PassageRow>(
    db,
    `select ${columns} ${of} order by start nulls first, id limit $3 offset $4`,
    [...parameters, limit, offset],
  )
  const [count] = await rows<{ total: number }>(db, `select count(*)::float8 as total ${of}`, parameters)
  return { chunks: found.map(toChunk), total: count?.total ?? 0 }
}
