import type { AnalysedText } from '../analysis/analyse.ts'
import type { PreparedChunk } from '../preparation.ts'
import type { IndexChange, IndexName } from '../search-index.ts'
import { type Queryable, rows } from './database.ts'
import { chunkFields, storable } from './fields.ts'
import { type IndexRow, lockOrCreateIndex, saveIndex } from './indexes.ts'
import { passageBody, textHash } from './passages.ts'
import { wordParts } from './terms.ts'
import { encodedVectorText, reuseVectors } from './vectors.ts'

interface OldPassage {
  id: string
  language: number
  length: number
  embedded: boolean
}

const passagesPerInsert = 500

/** A change of one of several indexes. */
export interface NamedChange extends IndexChange {
  index: IndexName
  /** Fails with `StaleChange` unless the document has exactly these chunks. */
  expect?: { document: string; chunks: readonly string[] }
}

/** Another writer has changed a document since its chunks were read. */
export class StaleChange extends Error {}

/** Adds and removes in the caller's transaction. */
export async function applyChange(
  tx: Queryable,
  { index: name, remove = {}, model, expect }: NamedChange,
  add: readonly PreparedChunk[],
): Promise<{ removed: number; row: IndexRow }> {
  let row = await lockOrCreateIndex(tx, name)
  if (expect) await checkExpected(tx, row, expect)
  const old = await oldPassages(tx, row, add, remove)
  const documents = [
    ...new Set([...add.map(({ chunk }) => storable(chunk.documentId)), ...old.map(({ documentId }) => documentId)]),
  ]
  const documentsBefore = await countDocuments(tx, row, documents)
  row = withCounts(row, add, old)
  const keyChanges = await removedKeys(tx, old)
  for (let at = 0; at < add.length; at += passagesPerInsert) {
    const batch = add.slice(at, at + passagesPerInsert)
    const ids = await insertPassages(tx, row, batch, keyChanges)
    if (model !== undefined) row = (await reuseVectors(tx, row, name, model, ids)).row
  }
  await tx.query('delete from passage where id = any($1::bigint[])', [old.map(({ id }) => id)])
  await changeFrequencies(tx, row, keyChanges)
  row = { ...row, documents: row.documents + (await countDocuments(tx, row, documents)) - documentsBefore }
  await saveIndex(tx, row)
  return { removed: old.length, row }
}

async function checkExpected(
  tx: Queryable,
  { id }: IndexRow,
  { document, chunks }: NonNullable<NamedChange['expect']>,
): Promise<void> {
  const sql = 'select chunk_id as id from passage where index_id = $1 and document_id = $2'
  const stored = await rows<{ id: string }>(tx, sql, [id, storable(document)])
  const expected = new Set(chunks.map(storable))
  if (stored.length !== expected.size || stored.some((each) => !expected.has(each.id)))
    throw new StaleChange(`The document ${document} was changed by another writer.`)
}

/** The passages that are removed or replaced. */
const oldPassages = (
  tx: Queryable,
  { id }: IndexRow,
  add: readonly PreparedChunk[],
  { chunks = [], documents = [] }: NonNullable<IndexChange['remove']>,
): Promise<(OldPassage & { documentId: string })[]> =>
  rows(
    tx,
    `select p.id::text, p.document_id as "documentId", p.language, p.length, v.passage_id is not null as embedded
     from passage p left join passage_vector v on v.passage_id = p.id
     where p.index_id = $1 and (p.chunk_id = any($2) or p.document_id = any($3))`,
    [id, [...chunks, ...add.map(({ chunk }) => chunk.id)].map(storable), documents.map(storable)],
  )

async function countDocuments(tx: Queryable, { id }: IndexRow, documents: string[]): Promise<number> {
  const sql =
    'select count(distinct document_id)::float8 as count from passage where index_id = $1 and document_id = any($2)'
  return (await rows<{ count: number }>(tx, sql, [id, documents]))[0]?.count ?? 0
}

function withCounts(row: IndexRow, add: readonly PreparedChunk[], old: readonly OldPassage[]): IndexRow {
  const languageCounts = [...row.languageCounts]
  const count = (language: number, change: number) => {
    while (languageCounts.length <= language) languageCounts.push(0)
    languageCounts[language] = (languageCounts[language] as number) + change
  }
  for (const { language } of add) count(language, 1)
  for (const { language } of old) count(language, -1)
  const sum = (passages: readonly { length: number }[]) => passages.reduce((total, { length }) => total + length, 0)
  return {
    ...row,
    languageCounts,
    passages: row.passages + add.length - old.length,
    totalLength: row.totalLength + sum(add) - sum(old),
    embedded: row.embedded - old.filter(({ embedded }) => embedded).length,
  }
}

/** By how much the frequency of each key changes. */
type KeyChanges = Map<number, number>

const changeKey = (changes: KeyChanges, key: number, by: number) => changes.set(key, (changes.get(key) ?? 0) + by)

async function removedKeys(tx: Queryable, old: readonly OldPassage[]): Promise<KeyChanges> {
  const changes: KeyChanges = new Map()
  if (old.length === 0) return changes
  const found = await rows<{ key: number; count: number }>(
    tx,
    `select key, count(*)::integer as count from passage_words, unnest(keys) as key
     where passage_id = any($1::bigint[]) group by key`,
    [old.map(({ id }) => id)],
  )
  for (const { key, count } of found) changeKey(changes, key, -count)
  return changes
}

async function insertPassages(
  tx: Queryable,
  row: IndexRow,
  batch: readonly PreparedChunk[],
  keyChanges: KeyChanges,
): Promise<string[]> {
  const inserted = await rows<{ id: string }>(
    tx,
    `insert into passage (index_id, chunk_id, document_id, start, language, length, hash, fields, body)
     select $1, chunk_id, document_id, start, language, length, decode(hash, 'hex'), fields::jsonb, body
     from unnest($2::text[], $3::text[], $4::int[], $5::int[], $6::int[], $7::text[], $8::text[], $9::text[])
       with ordinality as p(chunk_id, document_id, start, language, length, hash, fields, body, place)
     order by place returning id::text`,
    [
      row.id,
      batch.map(({ chunk }) => storable(chunk.id)),
      batch.map(({ chunk }) => storable(chunk.documentId)),
      batch.map(({ chunk }) => chunk.span?.start ?? null),
      batch.map(({ language }) => language),
      batch.map(({ length }) => length),
      batch.map(({ chunk }) => textHash(chunk)),
      batch.map(({ chunk }) => JSON.stringify(chunkFields(chunk))),
      batch.map(({ chunk }) => passageBody(chunk)),
    ],
  )
  const ids = inserted.map(({ id }) => id)
  await insertWords(tx, row, ids, batch, (key) => changeKey(keyChanges, key, 1))
  await tx.query(
    `insert into passage_static (passage_id, vector)
     select id, vector::halfvec from unnest($1::bigint[], $2::text[]) as s(id, vector)`,
    [ids, batch.map(({ vector }) => encodedVectorText(vector))],
  )
  await tx.query('insert into passage_pending (index_id, passage_id) select $1, unnest($2::bigint[])', [row.id, ids])
  return ids
}

/** `onKey` is called for each key of each passage. */
export async function insertWords(
  tx: Queryable,
  row: IndexRow,
  ids: readonly string[],
  texts: readonly AnalysedText[],
  onKey: (key: number) => void,
): Promise<void> {
  const averageLength = row.totalLength / Math.max(1, row.passages)
  const parts = texts.flatMap((text, at) =>
    wordParts(row.id, text, averageLength).map((part, number) => ({ id: ids[at], number, ...part })),
  )
  for (const { keys } of parts) for (const key of keys) onKey(key)
  await tx.query(
    `insert into passage_words (passage_id, part, index_id, keys, weights)
     select id, part, $1, keys::integer[], weights::sparsevec
     from unnest($2::bigint[], $3::int[], $4::text[], $5::text[]) as w(id, part, keys, weights)`,
    [
      row.id,
      parts.map(({ id }) => id),
      parts.map(({ number }) => number),
      parts.map(({ keys }) => `{${keys.join(',')}}`),
      parts.map(({ weights }) => weights),
    ],
  )
}

async function changeFrequencies(tx: Queryable, { id }: IndexRow, changes: KeyChanges): Promise<void> {
  const changed = [...changes].filter(([, by]) => by !== 0)
  if (changed.length === 0) return
  const parameters = [id, changed.map(([key]) => key), changed.map(([, by]) => by)]
  await tx.query(
    `insert into passage_key (index_id, key, frequency) select $1, key, by from unnest($2::int[], $3::int[]) as c(key, by)
     on conflict (index_id, key) do update set frequency = passage_key.frequency + excluded.frequency`,
    parameters,
  )
  const vanished = changed.filter(([, by]) => by < 0).map(([key]) => key)
  if (vanished.length === 0) return
  await tx.query('delete from passage_key where index_id = $1 and key = any($2) and frequency <= 0', [id, vanished])
}
