import { analysisVersion } from '../analysis/analyse.ts'
import { unknownLanguage } from '../analysis/languages.ts'
import type { IndexDescription, IndexName } from '../search-index.ts'
import { type Queryable, rows } from './database.ts'

/** An index with its statistics, which change in the transactions that change its passages. */
export interface IndexRow {
  id: string
  analysis: number
  model: string | null
  dimensions: number | null
  documents: number
  passages: number
  embedded: number
  totalLength: number
  /** The number of passages by language. */
  languageCounts: number[]
}

const columns = `id::text, analysis, model, dimensions, documents::float8, passages::float8, embedded::float8,
  total_length::float8 as "totalLength", language_counts::float8[] as "languageCounts"`

export async function findIndex(db: Queryable, { workspace, key }: IndexName): Promise<IndexRow | undefined> {
  const sql = `select ${columns} from passage_index where workspace = $1 and key = $2`
  return (await rows<IndexRow>(db, sql, [workspace, key]))[0]
}

/** The index, locked until the transaction ends: its changes run one after the other. */
export async function lockIndex(tx: Queryable, { workspace, key }: IndexName): Promise<IndexRow | undefined> {
  const sql = `select ${columns} from passage_index where workspace = $1 and key = $2 for update`
  return (await rows<IndexRow>(tx, sql, [workspace, key]))[0]
}

export async function lockOrCreateIndex(tx: Queryable, name: IndexName): Promise<IndexRow> {
  for (;;) {
    const row = await lockIndex(tx, name)
    if (row) return row
    // The version before, which may still run on other nodes, requires `last_language`.
    await tx.query(
      `insert into passage_index (workspace, key, analysis, last_language) values ($1, $2, $3, $4)
       on conflict (workspace, key) do nothing`,
      [name.workspace, name.key, analysisVersion, unknownLanguage],
    )
  }
}

export async function saveIndex(tx: Queryable, row: IndexRow): Promise<void> {
  await tx.query(
    `update passage_index set analysis = $2, model = $3, dimensions = $4, documents = $5, passages = $6, embedded = $7,
       total_length = $8, language_counts = $9 where id = $1`,
    [
      row.id,
      row.analysis,
      row.model,
      row.dimensions,
      row.documents,
      row.passages,
      row.embedded,
      row.totalLength,
      row.languageCounts,
    ],
  )
}

export const listLanguages = ({ languageCounts }: Pick<IndexRow, 'languageCounts'>): number[] =>
  [...languageCounts.keys()].filter((language) => (languageCounts[language] as number) > 0)

export const toDescription = ({ documents, passages, embedded, model }: IndexRow): IndexDescription => ({
  documents,
  chunks: passages,
  embedded,
  model,
})

export const listIndexes = (db: Queryable): Promise<IndexName[]> =>
  rows(db, 'select workspace, key from passage_index where workspace is not null order by id')

/** Frees the name at once; `deleteDropped` deletes the rows. */
export const markDropped = (db: Queryable, { workspace, key }: IndexName): Promise<unknown> =>
  db.query('update passage_index set workspace = null, key = null where workspace = $1 and key = $2', [workspace, key])

export const markWorkspaceDropped = (db: Queryable, workspace: string): Promise<unknown> =>
  db.query('update passage_index set workspace = null, key = null where workspace = $1', [workspace])

export const vectorIndexName = (id: IndexRow['id']): string => `passage_vector_${id}`

const rowsPerDelete = 500

/** Deletes the rows of dropped indexes, a few at a time so that nothing waits for it long. */
export async function deleteDropped(db: Queryable, isClosed: () => boolean): Promise<void> {
  for (const { id } of await rows<{ id: string }>(db, 'select id::text from passage_index where workspace is null')) {
    await db.query(`drop index concurrently if exists ${vectorIndexName(id)}`)
    for (let deleted = rowsPerDelete; deleted === rowsPerDelete && !isClosed(); ) {
      const sql = 'delete from passage where id in (select id from passage where index_id = $1 limit $2)'
      deleted = (await db.query(sql, [id, rowsPerDelete])).rowCount ?? 0
    }
    if (!isClosed()) await db.query('delete from passage_index where id = $1', [id])
  }
}
