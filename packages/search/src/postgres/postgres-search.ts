import type { Pool } from 'pg'
import { analyseQuery, analysisVersion } from '../analysis/analyse.ts'
import { embedStatic, type PreparedChunk, prepareAll } from '../preparation.ts'
import { wordMatcher } from '../ranking/matched-words.ts'
import { distinct, order, select, widened } from '../ranking/rank.ts'
import { type Hit, type IndexName, type SearchIndex, type SearchRequest, textToEmbed } from '../search-index.ts'
import { type Limits, type QueryVectors, type QueryWords, retrieveCandidates, similarity } from './candidates.ts'
import { applyChange, type NamedChange } from './changes.ts'
import { type Queryable, rows, transaction } from './database.ts'
import {
  deleteDropped,
  findIndex,
  type IndexRow,
  listIndexes,
  listLanguages,
  lockIndex,
  markDropped,
  markWorkspaceDropped,
  saveIndex,
  toDescription,
} from './indexes.ts'
import { documentChunks, documentPage, type PassageRow, passagesById, toChunk } from './passages.ts'
import { reanalyse } from './reanalysis.ts'
import { migrate } from './schema.ts'
import { countSelection } from './selection.ts'
import { ensureVectorIndex, reuseVectors, storeVectors } from './vectors.ts'

/** Settings of every search: how thoroughly pgvector searches, and that it continues until a filter is satisfied. */
const searchSettings = `select set_config('hnsw.ef_search', '120', true), set_config('hnsw.iterative_scan', 'relaxed_order', true),
  set_config('hnsw.max_scan_tuples', '100000', true), set_config('enable_seqscan', 'off', true)`

const defaultLimits: Limits = { exact: 5000, filtered: 20_000, words: 3000 }

export interface PostgresSearch extends SearchIndex {
  /** Changes several indexes in one transaction, in which `alongside` runs too. */
  updateAll(
    changes: readonly NamedChange[],
    alongside?: (tx: Queryable) => Promise<void>,
  ): Promise<{ added: number; removed: number }[]>
}

export interface PostgresSearchOptions extends Partial<Limits> {
  /** Opens a pool for statements that take minutes in large indexes, if the usual one ends such statements. */
  openLongPool?(): Pool
}

/** Opens the engine that stores its indexes in Postgres, for all processes that use the database. */
export async function openPostgresSearch(
  pool: Pool,
  { openLongPool, ...overrides }: PostgresSearchOptions = {},
): Promise<PostgresSearch> {
  const limits = { ...defaultLimits, ...overrides }
  /** Its connections are closed again at once: idle ones could go silent. */
  const withLongPool = async (work: (longPool: Pool) => Promise<void>): Promise<void> => {
    const longPool = openLongPool?.()
    await work(longPool ?? pool).finally(() => longPool?.end())
  }
  await withLongPool(migrate)
  let isClosed = false
  let deleting: Promise<void> = Promise.resolve()
  /** The search indexes that are being analysed again. */
  const renewals = new Map<string, Promise<void>>()
  /** The search indexes whose vector index was built or is being built. */
  const vectorIndexes = new Map<IndexRow['id'], Promise<void>>()

  const cleanUp = (): Promise<void> => {
    deleting = deleting.then(() => deleteDropped(pool, () => isClosed))
    return deleting
  }

  /** Small indexes are compared without a vector index. */
  function buildVectorIndex({ id, embedded, dimensions }: IndexRow): Promise<void> {
    if (embedded <= limits.exact || dimensions === null) return Promise.resolve()
    let building = vectorIndexes.get(id)
    if (!building) {
      building = withLongPool((longPool) => ensureVectorIndex(longPool, { id, dimensions }, () => isClosed))
      building.catch(() => vectorIndexes.delete(id)) // the next change tries again
      vectorIndexes.set(id, building)
    }
    return building
  }

  /** Applies the current rules of analysis to an index. It serves as it is meanwhile. */
  function renew(name: IndexName): Promise<void> {
    const key = JSON.stringify([name.workspace, name.key])
    const running = renewals.get(key)
    if (running) return running
    const renewal = withLongPool((longPool) => reanalyse(longPool, name, () => isClosed))
    renewals.set(key, renewal)
    return renewal.finally(() => renewals.delete(key))
  }

  async function search(name: IndexName, request: SearchRequest): Promise<Hit[]> {
    Promise.resolve(request.embedding?.vector).catch(() => {}) // it may fail before anything waits for it
    const current = await findIndex(pool, name)
    if (!current) return []
    if (current.analysis < analysisVersion) renew(name).catch(() => {}) // the next search tries again
    const vectors = await queryVectors(request, current)
    return transaction(pool, 'read', async (tx) => {
      const row = await findIndex(tx, name)
      if (!row) return []
      await tx.query(searchSettings)
      const { documents } = request
      const selection = documents ? await countSelection(tx, row, documents, limits.filtered) : null
      const words = analyseQuery(request.query, listLanguages(selection ?? row))
      const match = request.explain ? wordMatcher(words) : undefined
      const picked = await pickPassages(tx, row, request, { words, selection }, vectors)
      return picked.map(({ chunk, language, score, parts }) => ({
        chunk,
        score,
        parts,
        ...(match && { matched: match(chunk, language) }),
      }))
    })
  }

  async function pickPassages(
    tx: Queryable,
    row: IndexRow,
    request: SearchRequest,
    words: QueryWords,
    vectors: QueryVectors,
  ): Promise<(Pick<Hit, 'chunk' | 'score' | 'parts'> & { language: number })[]> {
    const candidates = await retrieveCandidates(tx, row, request, words, vectors, limits)
    const ordered = order(request, candidates)
    let picked = select(request, ordered, similarity)
    let stored = await storedPassages(tx, picked)
    const readText = ({ candidate: { id } }: (typeof ordered)[number]) => stored.get(id)?.chunk.text ?? id
    if (distinct(picked, readText).length < picked.length) {
      stored = await storedPassages(tx, ordered)
      picked = select(request, distinct(ordered, readText), similarity)
      const wider = widened(request, candidates.length, picked.length)
      if (wider) return pickPassages(tx, row, wider, words, vectors)
    }
    return picked.flatMap(({ candidate, score, parts }) => {
      const passage = stored.get(candidate.id)
      return passage ? [{ ...passage, score, parts }] : []
    })
  }

  async function prepareChange(change: NamedChange): Promise<{ change: NamedChange; add: PreparedChunk[] }> {
    const current = await findIndex(pool, change.index)
    if (current && current.analysis < analysisVersion) await renew(change.index)
    const chunks = [...new Map((change.add ?? []).map((chunk) => [chunk.id, chunk])).values()]
    return { change, add: await prepareAll(chunks, current?.languageCounts ?? []) }
  }

  async function updateAll(
    changes: readonly NamedChange[],
    alongside: (tx: Queryable) => Promise<void> = async () => {},
  ): Promise<{ added: number; removed: number }[]> {
    const prepared = []
    for (const change of changes) prepared.push(await prepareChange(change))
    // Always in the same order, so that two changes of the same indexes do not wait for each other.
    const ordered = [...prepared].sort((one, other) => (one.change.index.key < other.change.index.key ? -1 : 1))
    const applied = await transaction(pool, 'write', async (tx) => {
      const results = new Map<NamedChange, Awaited<ReturnType<typeof applyChange>>>()
      for (const { change, add } of ordered) results.set(change, await applyChange(tx, change, add))
      await alongside(tx)
      return results
    })
    for (const { row } of applied.values()) await buildVectorIndex(row)
    return prepared.map(({ change, add }) => ({ added: add.length, removed: applied.get(change)?.removed ?? 0 }))
  }

  cleanUp().catch(() => {}) // the next drop tries again

  return {
    update: async (index, change) => (await updateAll([{ ...change, index }]))[0] ?? { added: 0, removed: 0 },

    updateAll,

    async setVectors(name, model, vectors) {
      if (vectors.length === 0) return { stored: 0 }
      const stored = await transaction(pool, 'write', async (tx) => {
        const row = await lockIndex(tx, name)
        return row ? storeVectors(tx, row, model, vectors) : 0
      })
      const row = await findIndex(pool, name)
      if (row) await buildVectorIndex(row)
      return { stored }
    },

    async pendingChunks(name, limit, model) {
      for (let isFull = model !== undefined; isFull && model !== undefined; ) {
        isFull = await transaction(pool, 'write', async (tx) => {
          const row = await lockIndex(tx, name)
          if (!row) return false
          const due = await rows<{ id: string }>(
            tx,
            'select passage_id::text as id from passage_pending where index_id = $1 order by passage_id desc limit $2',
            [row.id, limit],
          )
          const ids = due.map(({ id }) => id)
          const { row: changed, reused } = await reuseVectors(tx, row, name, model, ids)
          if (reused > 0) await saveIndex(tx, changed)
          return reused === limit
        })
      }
      const row = await findIndex(pool, name)
      if (!row) return []
      const found = await rows<PassageRow>(
        pool,
        `select p.id::text, p.chunk_id as "chunkId", p.document_id as "documentId", p.language, p.body
         from passage_pending d join passage p on p.id = d.passage_id
         where d.index_id = $1 order by d.passage_id desc limit $2`,
        [row.id, limit],
      )
      return found.map((passage) => ({ chunkId: passage.chunkId, text: textToEmbed(toChunk(passage)) }))
    },

    search,

    async documentChunks(name, documentId) {
      const row = await findIndex(pool, name)
      return row ? documentChunks(pool, row.id, documentId) : []
    },

    async documentPage(name, documentId, page) {
      const row = await findIndex(pool, name)
      return row ? documentPage(pool, row.id, documentId, page) : { chunks: [], total: 0 }
    },

    async describe(name) {
      const row = await findIndex(pool, name)
      return row && toDescription(row)
    },

    listIndexes: () => listIndexes(pool),

    async load() {}, // the database is always loaded

    async drop(name) {
      await markDropped(pool, name)
      await cleanUp()
    },

    async dropWorkspace(workspace) {
      await markWorkspaceDropped(pool, workspace)
      await cleanUp()
    },

    async close() {
      isClosed = true
      await deleting.catch(() => {})
      await Promise.allSettled([...vectorIndexes.values(), ...renewals.values()])
    },
  }
}

/** By id. */
async function storedPassages(tx: Queryable, ranked: readonly { candidate: { id: string } }[]) {
  const ids = ranked.map(({ candidate }) => candidate.id)
  const found = await passagesById(tx, ids)
  return new Map(found.map((passage) => [passage.id, { chunk: toChunk(passage), language: passage.language }]))
}

/** The vectors of the query. A vector of another model, or one that could not be computed, is left out. */
async function queryVectors(
  { query, mode = 'hybrid', embedding }: SearchRequest,
  row: { model: string | null; dimensions: number | null },
): Promise<QueryVectors> {
  if (mode === 'keyword') return {}
  const vectors: QueryVectors = { static: embedStatic(query) }
  if (embedding === undefined || embedding.model !== row.model) return vectors
  const vector = await Promise.resolve(embedding.vector).catch(() => undefined)
  if (vector && vector.length === row.dimensions) vectors.embedding = vector
  return vectors
}
