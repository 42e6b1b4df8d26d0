import { chmodSync } from 'node:fs'
import BetterSqlite from 'better-sqlite3'
import type { AnalysedText } from '../analysis/analyse.ts'
import type { IndexDescription, IndexName } from '../search-index.ts'
import { chunkReader } from './chunk-reader.ts'
import { type ChunkChange, chunkWriter, type MemoryChange } from './chunk-writer.ts'
import { Locks } from './locks.ts'
import { migrate } from './schema.ts'

export interface IndexRow {
  id: number
  /** The version of the rules that produced its terms. */
  analysis: number
  model: string | null
  dimensions: number | null
}

export type SearchStore = ReturnType<typeof openSearchStore>

/** All indexes in one SQLite file, used by one connection. */
export function openSearchStore(file: string) {
  const db = new BetterSqlite(file)
  chmodSync(file, 0o600)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL') // acknowledged changes survive a power cut
  db.pragma('foreign_keys = ON')
  db.pragma('secure_delete = ON') // deleted text is overwritten
  db.pragma('cache_size = -32768')
  db.pragma('mmap_size = 1073741824') // results are read from all over the file
  migrate(db)

  const findIndex = db.prepare<[string, string], IndexRow>(
    'select id, analysis, model, dimensions from search_index where workspace = ? and key = ?',
  )
  const insertIndex = db.prepare('insert into search_index (workspace, key, analysis) values (?, ?, ?)')
  const setAnalysis = db.prepare('update search_index set analysis = ? where id = ?')
  const counts = db.prepare<[number, number], Omit<IndexDescription, 'model'>>(
    `select count(distinct document_id) as documents, count(*) as chunks,
     count(*) - (select count(*) from search_pending where index_id = ?) as embedded
     from search_chunk where index_id = ?`,
  )
  const listIndexes = db.prepare<[], IndexName>('select workspace, key from search_index where workspace is not null')
  const listKeys = db.prepare<[string], { key: string }>('select key from search_index where workspace = ?')
  const markDropped = db.prepare('update search_index set workspace = null, key = null where id = ?')
  const dropped = db.prepare<[], { id: number }>('select id from search_index where workspace is null')
  const deleteSome = db.prepare(
    'delete from search_chunk where id in (select id from search_chunk where index_id = ? limit ?)',
  )
  const deleteIndex = db.prepare('delete from search_index where id = ?')

  const begin = db.prepare('begin immediate')
  const commit = db.prepare('commit')
  const rollback = db.prepare('rollback')
  const writers = new Locks()

  /** Transactions run one at a time. Searches share the connection and can run while one yields. */
  const transaction = <T>(work: () => T | Promise<T>): Promise<T> =>
    writers.run('', async () => {
      begin.run()
      try {
        const result = await work()
        commit.run()
        return result
      } catch (error) {
        if (db.inTransaction) rollback.run()
        throw error
      }
    })

  const chunks = chunkReader(db)
  const writer = chunkWriter(db)

  return {
    chunks,

    find: ({ workspace, key }: IndexName): IndexRow | undefined => findIndex.get(workspace, key),

    async findOrCreate({ workspace, key }: IndexName, analysis: number): Promise<IndexRow> {
      const row = findIndex.get(workspace, key)
      if (row) return row
      const { lastInsertRowid } = await transaction(() => insertIndex.run(workspace, key, analysis))
      return { id: Number(lastInsertRowid), analysis, model: null, dimensions: null }
    },

    listKeys: (workspace: string): string[] => listKeys.all(workspace).map(({ key }) => key),

    listIndexes: (): IndexName[] => listIndexes.all(),

    describe: ({ id, model }: IndexRow): IndexDescription => ({
      documents: 0,
      chunks: 0,
      embedded: 0,
      ...counts.get(id, id),
      model,
    }),

    change: (index: number, change: ChunkChange, apply: (change: MemoryChange) => void): Promise<number> =>
      transaction(() => writer.change(index, change, apply)),

    setVectors: (...args: Parameters<typeof writer.setVectors>) => transaction(() => writer.setVectors(...args)),

    reuseVectors: (...args: Parameters<typeof writer.reuseVectors>) => transaction(() => writer.reuseVectors(...args)),

    pending: writer.pending,

    setTerms: (analysed: ({ id: number } & AnalysedText)[]) => transaction(() => writer.setTerms(analysed)),

    setAnalysis: (index: number, analysis: number) => transaction(() => setAnalysis.run(analysis, index)),

    /** Frees the name at once; `deleteDropped` deletes the rows. */
    markDropped: (index: number) => transaction(() => markDropped.run(index)),

    /** Deletes up to `limit` chunks of dropped indexes. Returns false if there were none. */
    async deleteDropped(limit: number): Promise<boolean> {
      const [index] = dropped.all()
      if (!index) return false
      await transaction(() => {
        if (deleteSome.run(index.id, limit).changes === 0) deleteIndex.run(index.id)
      })
      return true
    },

    /** Deleted text stays in the WAL until it is truncated. */
    checkpoint: () =>
      writers.run('', async () => {
        db.pragma('wal_checkpoint(TRUNCATE)')
      }),

    close: () => db.close(),
  }
}
