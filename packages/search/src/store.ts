import { chmodSync } from 'node:fs'
import BetterSqlite from 'better-sqlite3'
import type { Analysed } from './analyse.ts'
import { pageReader } from './document-pages.ts'
import { Locks } from './locks.ts'
import type { Entry } from './memory-index.ts'
import { paced } from './pace.ts'
import type { Preparation } from './preparation.ts'
import { type EntryRow, hashOf, type TextRow, toChunk, wholeChunk } from './rows.ts'
import type { Chunk, IndexDescription, IndexName } from './search.ts'
import { tables } from './tables.ts'
import { decodeTerms, encodeTerms } from './terms.ts'
import { type Twin, twinFinder } from './twins.ts'

/** An index's row. `analysis` tells by which rules its terms were made. */
export interface IndexRow {
  id: number
  analysis: number
  fineModel: string | null
  fineDimensions: number | null
}

/** A chunk with what was worked out from its text. */
export interface Prepared extends Preparation {
  chunk: Chunk
}

/** What takes the place of what, in memory. */
export interface Swap {
  /** The terms of chunks by their ids. */
  removed: Map<string, Uint32Array>
  /** With the fine vectors that are known. */
  added: Map<Prepared, Uint8Array | null>
}

interface Change {
  add: Prepared[]
  chunks: readonly string[]
  documents: readonly string[]
  /** Whose vectors may be used again. */
  fine?: { workspace: string; model: string } | undefined
}

export type SearchStore = ReturnType<typeof openSearchStore>

export function openSearchStore(file: string) {
  const db = new BetterSqlite(file)
  chmodSync(file, 0o600)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL') // what was acknowledged survives a power cut
  db.pragma('foreign_keys = ON')
  db.pragma('secure_delete = ON') // what is deleted leaves no trace in the file
  db.pragma('cache_size = -32768')
  db.pragma('mmap_size = 1073741824') // passages lie anywhere in the file: a call for each page would take longer than to read it
  db.exec(tables)

  const indexColumns = 'id, analysis, fine_model as fineModel, fine_dimensions as fineDimensions'
  const findIndex = db.prepare<[string, string], IndexRow>(
    `select ${indexColumns} from search_index where workspace = ? and key = ?`,
  )
  const makeIndex = db.prepare('insert into search_index (workspace, key, analysis) values (?, ?, ?)')
  const nameModel = db.prepare('update search_index set fine_model = ?, fine_dimensions = ? where id = ?')
  const nameAnalysis = db.prepare('update search_index set analysis = ? where id = ?')
  const insertChunk = db.prepare(
    `insert into search_chunk (index_id, chunk_id, document_id, source, page, metadata, language, length, terms, vector)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertText = db.prepare(
    'insert into search_text (chunk, headings, text, start, end, hash) values (?, ?, ?, ?, ?, ?)',
  )
  const insertUnrefined = db.prepare('insert into search_unrefined (index_id, chunk) values (?, ?)')
  const deleteChunk = db.prepare<[number, string]>('delete from search_chunk where index_id = ? and chunk_id = ?')
  const termsOf = db.prepare<[number, string], { terms: Buffer }>(
    'select terms from search_chunk where index_id = ? and chunk_id = ?',
  )
  const idsOfDocument = db.prepare<[number, string], { chunk_id: string }>(
    'select chunk_id from search_chunk where index_id = ? and document_id = ?',
  )
  const entries = db.prepare<[number, number, number], EntryRow>(
    `select c.*, f.vector as fine from search_chunk c left join search_fine f on f.chunk = c.id
     where c.index_id = ? and c.id > ? order by c.id limit ?`,
  )
  const texts = db.prepare<[number, number, number], TextRow>(
    `select c.id, t.headings, t.text from search_chunk c join search_text t on t.chunk = c.id
     where c.index_id = ? and c.id > ? order by c.id limit ?`,
  )
  const setTerms = db.prepare('update search_chunk set language = ?, length = ?, terms = ? where id = ?')
  const findChunk = db.prepare<[number, string], { id: number }>(
    'select id from search_chunk where index_id = ? and chunk_id = ?',
  )
  const putFine = db.prepare('insert or replace into search_fine (chunk, vector) values (?, ?)')
  const deleteUnrefined = db.prepare('delete from search_unrefined where index_id = ? and chunk = ?')
  const findTwin = twinFinder(db)
  const unrefined = db.prepare<[number, number], TextRow & { hash: Buffer }>(
    `select c.id, c.chunk_id, t.headings, t.text, t.hash from search_unrefined u
     join search_chunk c on c.id = u.chunk join search_text t on t.chunk = u.chunk
     where u.index_id = ? order by u.chunk limit ?`,
  )
  const readChunks = db.prepare<[number, string], TextRow>(
    `${wholeChunk} and c.chunk_id in (select value from json_each(?))`,
  )
  const readDocument = db.prepare<[number, string], TextRow>(`${wholeChunk} and c.document_id = ? order by c.id`)
  const lastLanguage = db.prepare<[number], { language: number }>(
    'select language from search_chunk where index_id = ? order by id desc limit 1',
  )
  const counts = db.prepare<[number, number], Omit<IndexDescription, 'fineModel'>>(
    `select count(distinct document_id) as documents, count(*) as chunks,
     count(*) - (select count(*) from search_unrefined where index_id = ?) as refined
     from search_chunk where index_id = ?`,
  )
  const forget = db.prepare('update search_index set workspace = null, key = null where id = ?')
  const allNames = db.prepare<[], IndexName>('select workspace, key from search_index where workspace is not null')
  const keysOf = db.prepare<[string], { key: string }>('select key from search_index where workspace = ?')
  const forgotten = db.prepare<[], { id: number }>('select id from search_index where workspace is null')
  const deleteSome = db.prepare(
    'delete from search_chunk where id in (select id from search_chunk where index_id = ? limit ?)',
  )
  const deleteIndex = db.prepare('delete from search_index where id = ?')

  const begin = db.prepare('begin immediate')
  const commit = db.prepare('commit')
  const rollback = db.prepare('rollback')
  const writers = new Locks()

  /** Writers wait for each other, for one may let searches in while it works. Those see what it has written so far. */
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
      } finally {
        found.clear()
      }
    })

  /** The rows of indexes, as every search begins with one. Only transactions change them. */
  const found = new Map<string, IndexRow | undefined>()
  function find(workspace: string, key: string): IndexRow | undefined {
    if (db.inTransaction) return findIndex.get(workspace, key)
    const name = JSON.stringify([workspace, key])
    if (!found.has(name)) found.set(name, findIndex.get(workspace, key))
    return found.get(name)
  }

  function insert(index: number, { chunk, language, length, terms, counts: times, vector }: Prepared): number {
    const { lastInsertRowid: id } = insertChunk.run(
      index,
      chunk.id,
      chunk.documentId,
      chunk.source,
      chunk.page,
      JSON.stringify(chunk.metadata),
      language,
      length,
      encodeTerms(terms, times),
      vector,
    )
    const { start = null, end = null } = chunk.span ?? {}
    insertText.run(id, JSON.stringify(chunk.headings), chunk.text, start, end, hashOf(chunk))
    insertUnrefined.run(index, id)
    return Number(id)
  }

  /** The vectors that the same texts have elsewhere, or here until now. */
  async function twinsOf(
    index: number,
    { workspace, model }: { workspace: string; model: string },
    prepared: Prepared[],
  ): Promise<Map<Prepared, Twin>> {
    const twins = new Map<Prepared, Twin>()
    await paced(prepared, (each) => {
      const twin = findTwin(hashOf(each.chunk), workspace, model, index)
      if (twin) twins.set(each, twin)
    })
    return twins
  }

  function give(index: number, model: string, chunk: number, { vector, dimensions }: Twin): void {
    nameModel.run(model, dimensions, index)
    putFine.run(chunk, vector)
    deleteUnrefined.run(index, chunk)
  }

  return {
    find,

    async ensure(workspace: string, key: string, analysis: number): Promise<IndexRow> {
      const row = findIndex.get(workspace, key)
      if (row) return row
      const { lastInsertRowid } = await transaction(() => makeIndex.run(workspace, key, analysis))
      return { id: Number(lastInsertRowid), analysis, fineModel: null, fineDimensions: null }
    },

    keysOf: (workspace: string): string[] => keysOf.all(workspace).map(({ key }) => key),

    names: (): IndexName[] => allNames.all(),

    /**
     * All or nothing. What is added replaces what has its id; it has a fine vector where one is known for its text.
     * `swap` is called once everything new is there and what goes is still there: from then on it is not looked for.
     */
    change(index: number, { add, chunks, documents, fine }: Change, swap: (change: Swap) => void): Promise<number> {
      return transaction(async () => {
        const twins = fine ? await twinsOf(index, fine, add) : new Map<Prepared, Twin>()
        const ofDocuments = documents.flatMap((id) => idsOfDocument.all(index, id))
        const removed = new Map<string, Uint32Array>()
        const note = (chunkId: string) => {
          const row = termsOf.get(index, chunkId)
          if (row) removed.set(chunkId, decodeTerms(row.terms).terms)
        }
        await paced([...ofDocuments.map(({ chunk_id }) => chunk_id), ...chunks], note)
        const going = new Set(removed.keys())
        await paced(add, (prepared) => {
          const { id } = prepared.chunk
          note(id)
          if (removed.has(id)) deleteChunk.run(index, id)
          going.delete(id)
          const chunk = insert(index, prepared)
          const twin = twins.get(prepared)
          if (twin && fine) give(index, fine.model, chunk, twin)
        })
        swap({ removed, added: new Map(add.map((each) => [each, twins.get(each)?.vector ?? null])) })
        await paced([...going], (chunkId) => {
          deleteChunk.run(index, chunkId)
        })
        return removed.size
      })
    },

    /** The chunk ids among these that are still there, now with their vectors. */
    setFine(
      index: number,
      model: string,
      dimensions: number,
      vectors: { chunkId: string; encoded: Uint8Array }[],
    ): Promise<Set<string>> {
      return transaction(() => {
        nameModel.run(model, dimensions, index)
        const stored = new Set<string>()
        for (const { chunkId, encoded } of vectors) {
          const found = findChunk.get(index, chunkId)
          if (!found) continue
          putFine.run(found.id, encoded)
          deleteUnrefined.run(index, found.id)
          stored.add(chunkId)
        }
        return stored
      })
    },

    /** A page of the index in the order in which it was added. */
    entries(index: number, after: number, most: number): { id: number; entry: Entry }[] {
      return entries.all(index, after, most).map((row) => ({
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
          vector: row.vector,
          fine: row.fine,
        },
      }))
    },

    texts: (index: number, after: number, most: number) =>
      texts.all(index, after, most).map(({ id, headings, text }) => ({ id, headings: JSON.parse(headings), text })),

    setTerms: (analysed: ({ id: number } & Analysed)[]): Promise<void> =>
      transaction(() => {
        for (const { id, language, length, terms, counts: times } of analysed) {
          setTerms.run(language, length, encodeTerms(terms, times), id)
        }
      }),

    nameAnalysis: (index: number, analysis: number) => transaction(() => nameAnalysis.run(analysis, index)),

    unrefined: (index: number, most: number): { chunkId: string; headings: string[]; text: string }[] =>
      unrefined
        .all(index, most)
        .map(({ chunk_id, headings, text }) => ({ chunkId: chunk_id, headings: JSON.parse(headings), text })),

    /** Gives some chunks that wait for a vector the one that their text has elsewhere; the chunks that got one. */
    borrow: (index: number, workspace: string, model: string, most: number): Promise<Map<string, Uint8Array>> =>
      transaction(() => {
        const borrowed = new Map<string, Uint8Array>()
        for (const { id, chunk_id, hash } of unrefined.all(index, most)) {
          const twin = findTwin(hash, workspace, model, index)
          if (!twin) continue
          give(index, model, id, twin)
          borrowed.set(chunk_id, twin.vector)
        }
        return borrowed
      }),

    /** Those that are there, by their ids. */
    read(index: number, chunkIds: string[]): Map<string, { chunk: Chunk; language: number }> {
      const rows = readChunks.all(index, JSON.stringify(chunkIds))
      return new Map(rows.map((row) => [row.chunk_id, { chunk: toChunk(row), language: row.language }]))
    },

    ofDocument: (index: number, documentId: string): Chunk[] => readDocument.all(index, documentId).map(toChunk),

    pageOf: pageReader(db),

    /** The language of the chunk added last, or undefined for an empty index. */
    lastLanguage: (index: number): number | undefined => lastLanguage.get(index)?.language,

    describe: (index: IndexRow): IndexDescription => ({
      documents: 0,
      chunks: 0,
      refined: 0,
      ...counts.get(index.id, index.id),
      fineModel: index.fineModel,
    }),

    /** The name is free at once; the rows go bit by bit. */
    forget: (index: number) => transaction(() => forget.run(index)),

    /** Deletes some rows of dropped indexes; false when none is left. */
    async sweep(most: number): Promise<boolean> {
      const [index] = forgotten.all()
      if (!index) return false
      await transaction(() => {
        if (deleteSome.run(index.id, most).changes === 0) deleteIndex.run(index.id)
      })
      return true
    },

    /** What was deleted is gone from the log of the database, too. */
    tidy: () =>
      writers.run('', async () => {
        db.pragma('wal_checkpoint(TRUNCATE)')
      }),

    close: () => db.close(),
  }
}
