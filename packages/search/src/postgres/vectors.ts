import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { ChunkVector, IndexName } from '../search-index.ts'
import { checkVectors, decodeVector } from '../vectors.ts'
import { type Queryable, rows } from './database.ts'
import { storable } from './fields.ts'
import { type IndexRow, saveIndex, vectorIndexName } from './indexes.ts'

/** Formats a vector for pgvector, scaled to length one: a half-precision number has little range. */
export function vectorText(vector: ArrayLike<number>): string {
  let squares = 0
  for (let at = 0; at < vector.length; at++) squares += (vector[at] as number) ** 2
  const scale = squares > 0 && Number.isFinite(squares) ? 1 / Math.sqrt(squares) : 0
  const values = Array.from(vector, (value) => Number((value * scale).toPrecision(4)))
  return `[${values.join(',')}]`
}

/** The vector that `encodeVector` encoded. */
export const encodedVectorText = (encoded: Uint8Array): string => vectorText(decodeVector(encoded).values)

/** Returns how many of the chunks still exist. */
export async function storeVectors(
  tx: Queryable,
  row: IndexRow,
  model: string,
  vectors: readonly ChunkVector[],
): Promise<number> {
  const dimensions = checkVectors(row, model, vectors)
  const stored = await rows<{ id: string }>(
    tx,
    `insert into passage_vector (passage_id, index_id, dimensions, vector)
     select p.id, $1, $2, v.vector::halfvec from unnest($3::text[], $4::text[]) as v(chunk_id, vector)
     join passage p on p.index_id = $1 and p.chunk_id = v.chunk_id
     on conflict (passage_id) do update set vector = excluded.vector
     returning passage_id::text as id`,
    [
      row.id,
      dimensions,
      vectors.map(({ chunkId }) => storable(chunkId)),
      vectors.map(({ vector }) => vectorText(vector)),
    ],
  )
  await markEmbedded(tx, { ...row, model, dimensions }, stored)
  return stored.length
}

/** The passages that were pending until now. */
async function markEmbedded(tx: Queryable, row: IndexRow, passages: { id: string }[]): Promise<void> {
  const { rowCount } = await tx.query(
    'delete from passage_pending where index_id = $1 and passage_id = any($2::bigint[])',
    [row.id, passages.map(({ id }) => id)],
  )
  await saveIndex(tx, { ...row, embedded: row.embedded + (rowCount ?? 0) })
}

/**
 * Gives pending passages the vectors that other passages of the workspace have for the same text. Returns the index as it
 * is then, and how many passages got one.
 */
export async function reuseVectors(
  tx: Queryable,
  row: IndexRow,
  { workspace }: Pick<IndexName, 'workspace'>,
  model: string,
  passages: readonly string[],
): Promise<{ row: IndexRow; reused: number }> {
  const reused = await rows<{ id: string; dimensions: number }>(
    tx,
    `insert into passage_vector (passage_id, index_id, dimensions, vector)
     select distinct on (n.id) n.id, $1, v.dimensions, v.vector
     from passage n join passage o on o.hash = n.hash and o.id <> n.id
     join passage_vector v on v.passage_id = o.id join passage_index i on i.id = o.index_id
     where n.id = any($2::bigint[]) and i.workspace = $3 and i.model = $4 and v.dimensions = coalesce($5, v.dimensions)
     on conflict (passage_id) do nothing
     returning passage_id::text as id, dimensions`,
    [row.id, passages, workspace, model, row.dimensions],
  )
  const [first] = reused
  if (!first) return { row, reused: 0 }
  const changed = { ...row, model, dimensions: first.dimensions, embedded: row.embedded + reused.length }
  await tx.query('delete from passage_pending where index_id = $1 and passage_id = any($2::bigint[])', [
    row.id,
    reused.map(({ id }) => id),
  ])
  return { row: changed, reused: reused.length }
}

/** pgvector builds its index for up to so many dimensions of half precision. */
const maxIndexedDimensions = 4000
/** The settings of its graph; pgvector's own. */
const graph = 'm = 16, ef_construction = 64'

/** How often to look whether another process has built its vector index: Postgres builds one at a time. */
const buildPoll = 1000

/** Builds the vector index of a search index. Reading and writing go on meanwhile. */
export async function ensureVectorIndex(
  pool: Pool,
  { id, dimensions }: { id: IndexRow['id']; dimensions: number },
  isClosed: () => boolean,
): Promise<void> {
  if (dimensions > maxIndexedDimensions) return
  const name = vectorIndexName(id)
  const client = await pool.connect()
  const lock = `hashtext('parley search vectors')`
  // Waiting inside of Postgres would hold a snapshot, for which the other build would wait.
  const tryLock = async () =>
    (await rows<{ held: boolean }>(client, `select pg_try_advisory_lock(${lock}) as held`))[0]?.held === true
  try {
    while (!(await tryLock())) {
      if (isClosed()) return
      await delay(buildPoll)
    }
    try {
      const [index] = await rows<{ valid: boolean }>(
        client,
        'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
        [name],
      )
      if (index?.valid) return
      if (index) await client.query(`drop index concurrently ${name}`) // a build was interrupted
      await client.query(
        `create index concurrently ${name} on passage_vector
         using hnsw ((vector::halfvec(${dimensions})) halfvec_cosine_ops) with (${graph}) where index_id = ${id}`,
      )
    } finally {
      await client.query(`select pg_advisory_unlock(${lock})`)
    }
  } finally {
    client.release()
  }
}
