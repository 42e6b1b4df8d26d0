import { createHash } from 'node:crypto'
import type BetterSqlite from 'better-sqlite3'
import type { AnalysedText } from '../analysis/analyse.ts'
import type { PreparedChunk } from '../preparation.ts'
import { type Chunk, textToEmbed } from '../search-index.ts'
import { forEachYielding } from '../yielding.ts'
import { decodeTerms, encodeTerms } from './encoded-terms.ts'
import { type StoredVector, vectorFinder } from './vector-reuse.ts'

/** How the index in memory has to change. */
export interface MemoryChange {
  /** The terms of removed chunks by chunk id. */
  removed: Map<string, Uint32Array>
  /** Added chunks with the vectors that they reuse. */
  added: Map<PreparedChunk, Uint8Array | null>
}

export interface ChunkChange {
  add: PreparedChunk[]
  chunks: readonly string[]
  documents: readonly string[]
  /** Vectors of the same text may be reused from this workspace and model. */
  reuse?: { workspace: string; model: string } | undefined
}

interface PendingRow {
  id: number
  chunk_id: string
  headings: string
  text: string
  hash: Buffer
}

/** The statements that write chunks. Callers run them in a transaction. */
export function chunkWriter(db: BetterSqlite.Database) {
  const insertChunk = db.prepare(
    `insert into search_chunk (index_id, chunk_id, document_id, source, page, metadata, language, length, terms, vector)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertText = db.prepare(
    'insert into search_text (chunk, headings, text, start, end, hash) values (?, ?, ?, ?, ?, ?)',
  )
  const insertPending = db.prepare('insert into search_pending (index_id, chunk) values (?, ?)')
  const deletePending = db.prepare('delete from search_pending where index_id = ? and chunk = ?')
  const deleteChunk = db.prepare<[number, string]>('delete from search_chunk where index_id = ? and chunk_id = ?')
  const findChunk = db.prepare<[number, string], { id: number; terms: Buffer }>(
    'select id, terms from search_chunk where index_id = ? and chunk_id = ?',
  )
  const idsOfDocument = db.prepare<[number, string], { chunk_id: string }>(
    'select chunk_id from search_chunk where index_id = ? and document_id = ?',
  )
  const setTerms = db.prepare('update search_chunk set language = ?, length = ?, terms = ? where id = ?')
  const setModel = db.prepare('update search_index set model = ?, dimensions = ? where id = ?')
  const putVector = db.prepare('insert or replace into search_vector (chunk, vector) values (?, ?)')
  const pending = db.prepare<[number, number], PendingRow>(
    `select c.id, c.chunk_id, t.headings, t.text, t.hash from search_pending p
     join search_chunk c on c.id = p.chunk join search_text t on t.chunk = p.chunk
     where p.index_id = ? order by p.chunk desc limit ?`,
  )
  const findVector = vectorFinder(db)

  function insert(index: number, { chunk, language, length, terms, counts, vector }: PreparedChunk): number {
    const { lastInsertRowid: id } = insertChunk.run(
      index,
      chunk.id,
      chunk.documentId,
      chunk.source,
      chunk.page,
      JSON.stringify(chunk.metadata),
      language,
      length,
      encodeTerms(terms, counts),
      vector,
    )
    const { start = null, end = null } = chunk.span ?? {}
    insertText.run(id, JSON.stringify(chunk.headings), chunk.text, start, end, textHash(chunk))
    insertPending.run(index, id)
    return Number(id)
  }

  function setVector(index: number, chunk: number, vector: Uint8Array): void {
    putVector.run(chunk, vector)
    deletePending.run(index, chunk)
  }

  /** Looked up before anything is deleted: the vector of a replaced chunk can be reused too. */
  async function reusableVectors(
    index: number,
    { add, reuse }: ChunkChange,
  ): Promise<Map<PreparedChunk, StoredVector>> {
    const vectors = new Map<PreparedChunk, StoredVector>()
    if (!reuse) return vectors
    await forEachYielding(add, (prepared) => {
      const vector = findVector(textHash(prepared.chunk), reuse.workspace, reuse.model, index)
      if (vector) vectors.set(prepared, vector)
    })
    return vectors
  }

  return {
    /**
     * Inserts first and deletes last. In between, when old and new rows exist, `apply` changes the index in memory:
     * searches that run meanwhile find all of the old or all of the new.
     */
    async change(index: number, change: ChunkChange, apply: (change: MemoryChange) => void): Promise<number> {
      const { add, chunks, documents, reuse } = change
      const vectors = await reusableVectors(index, change)
      const removed = new Map<string, Uint32Array>()
      const markRemoved = (chunkId: string) => {
        const row = findChunk.get(index, chunkId)
        if (row) removed.set(chunkId, decodeTerms(row.terms).terms)
      }
      const ofDocuments = documents.flatMap((id) => idsOfDocument.all(index, id)).map(({ chunk_id }) => chunk_id)
      await forEachYielding([...ofDocuments, ...chunks], markRemoved)
      const toDelete = new Set(removed.keys())
      await forEachYielding(add, (prepared) => {
        const { id } = prepared.chunk
        markRemoved(id)
        if (removed.has(id)) deleteChunk.run(index, id)
        toDelete.delete(id)
        const chunk = insert(index, prepared)
        const reused = vectors.get(prepared)
        if (!reused || !reuse) return
        setModel.run(reuse.model, reused.dimensions, index)
        setVector(index, chunk, reused.vector)
      })
      apply({ removed, added: new Map(add.map((each) => [each, vectors.get(each)?.vector ?? null])) })
      await forEachYielding([...toDelete], (chunkId) => {
        deleteChunk.run(index, chunkId)
      })
      return removed.size
    },

    /** Returns the ids of the chunks that still exist. */
    setVectors(
      index: number,
      model: string,
      dimensions: number,
      vectors: { chunkId: string; encoded: Uint8Array }[],
    ): Set<string> {
      setModel.run(model, dimensions, index)
      const stored = new Set<string>()
      for (const { chunkId, encoded } of vectors) {
        const chunk = findChunk.get(index, chunkId)
        if (!chunk) continue
        setVector(index, chunk.id, encoded)
        stored.add(chunkId)
      }
      return stored
    },

    /** Gives up to `limit` pending chunks the vectors that exist for their texts; returns those by chunk id. */
    reuseVectors(index: number, workspace: string, model: string, limit: number): Map<string, Uint8Array> {
      const reused = new Map<string, Uint8Array>()
      for (const { id, chunk_id, hash } of pending.all(index, limit)) {
        const stored = findVector(hash, workspace, model, index)
        if (!stored) continue
        setModel.run(model, stored.dimensions, index)
        setVector(index, id, stored.vector)
        reused.set(chunk_id, stored.vector)
      }
      return reused
    },

    pending: (index: number, limit: number): { chunkId: string; headings: string[]; text: string }[] =>
      pending
        .all(index, limit)
        .map(({ chunk_id, headings, text }) => ({ chunkId: chunk_id, headings: JSON.parse(headings), text })),

    setTerms(analysed: ({ id: number } & AnalysedText)[]): void {
      for (const { id, language, length, terms, counts } of analysed) {
        setTerms.run(language, length, encodeTerms(terms, counts), id)
      }
    },
  }
}

const textHash = (chunk: Chunk): Buffer => createHash('sha256').update(textToEmbed(chunk)).digest().subarray(0, 16)
