import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, expect, inject, it, vi } from 'vitest'
import { conformance } from '../../test/conformance.ts'
import { chunk, handbook, index, searchIds } from '../../test/fixtures.ts'
import { expectKillLosesNothing } from '../../test/kill.ts'
import { StaleChange } from './changes.ts'
import { openPostgresSearch, type PostgresSearchOptions } from './postgres-search.ts'

const server = inject('postgresUrl')
const closings: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closings.reverse()) await close()
})

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

/** The URL of an empty database. */
async function newDatabase(): Promise<string> {
  const name = `search_${randomUUID().replaceAll('-', '')}`
  await onServer(server, `create database ${name}`)
  return server.replace(/\/postgres$/, `/${name}`)
}

let database: Promise<string> | undefined
/** A schema is created in a fraction of the time of a database. */
async function newSchema(): Promise<string> {
  database ??= newDatabase()
  const name = `search_${randomUUID().replaceAll('-', '')}`
  const url = await database
  await onServer(url, `create extension if not exists vector; create schema ${name}`)
  return `${url}?options=${encodeURIComponent(`-c search_path=${name},public`)}`
}

function connect(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  closings.push(() => pool.end())
  return pool
}

async function open(url: string, limits: PostgresSearchOptions = {}) {
  const search = await openPostgresSearch(connect(url), limits)
  closings.push(() => search.close())
  return search
}

conformance('the engine on Postgres', async () => {
  const url = await newSchema()
  return { open: () => openPostgresSearch(connect(url)) }
})

it('weighs words by a sample of the selected documents if there are many', async () => {
  const engine = await open(await newSchema(), { exact: 1, filtered: 3 })
  const documents = Array.from({ length: 20 }, (_, at) => chunk(`zebra${at}`, `The zebra of the house number ${at}.`))
  await engine.update(index, { add: [chunk('yak', 'The yak and the zebra.'), ...documents] })
  const ids = documents.map(({ documentId }) => documentId)
  for (const selection of [{ only: ['doc-of-yak', ...ids.slice(10)] }, { except: ids.slice(0, 10) }]) {
    const hits = await engine.search(index, { query: 'yak zebra', mode: 'keyword', topK: 20, documents: selection })
    expect(hits.map(({ chunk: { documentId } }) => documentId).toSorted()).toEqual(
      ['doc-of-yak', ...ids.slice(10)].sort(),
    )
    expect(hits[0]?.chunk.id).toBe('yak')
  }
})

it('keeps acknowledged changes when the process is killed', async () => {
  const url = await newSchema()
  await expectKillLosesNothing(url, () => open(url))
})

it('is one index for all processes', async () => {
  const url = await newSchema()
  const [one, other] = await Promise.all([open(url), open(url)])
  await one.update(index, { add: handbook })
  expect(await searchIds(other, 'pumps', { mode: 'keyword' })).toEqual(['pump'])
  await Promise.all(
    Array.from({ length: 20 }, (_, number) =>
      [one, other][number % 2]?.update(index, { add: [chunk(`c${number}`, `number${number} zebra`)] }),
    ),
  )
  expect(await one.describe(index)).toMatchObject({ chunks: 25, documents: 23 })
  await other.update(index, { remove: { documents: ['machines'] } })
  expect(await searchIds(one, 'pumps', { mode: 'keyword' })).toEqual([])
  await one.drop(index)
  expect(await other.describe(index)).toBeUndefined()
})

it('commits a change together with statements of the caller, or neither', async () => {
  const url = await newSchema()
  const search = await open(url)
  const database = connect(url)
  await database.query('create table note (text text primary key)')
  const other = { ...index, key: 'other' }
  const changes = [
    { index, add: handbook },
    { index: other, add: handbook.slice(0, 2) },
  ]
  const note = (text: string) => async (tx: pg.ClientBase | pg.Pool) =>
    void (await tx.query('insert into note values ($1)', [text]))
  expect(await search.updateAll(changes, (tx) => note('a')(tx as pg.ClientBase))).toEqual([
    { added: 5, removed: 0 },
    { added: 2, removed: 0 },
  ])
  const again = search.updateAll([{ index, remove: { documents: ['people'] } }], (tx) => note('a')(tx as pg.ClientBase))
  await expect(again).rejects.toThrow('duplicate key')
  expect(await search.describe(index)).toMatchObject({ chunks: 5 })
})

it('refuses a change of a document that another writer has changed', async () => {
  const search = await open(await newSchema())
  await search.update(index, { add: handbook })
  const expected = { document: 'people', chunks: ['leave', 'sick'] }
  const change = { index, add: [chunk('late', 'Zebra.', { documentId: 'people' })], remove: { chunks: ['leave'] } }
  await search.updateAll([{ ...change, expect: expected }])
  await expect(search.updateAll([{ ...change, expect: expected }])).rejects.toThrow(StaleChange)
  expect((await search.documentChunks(index, 'people')).map(({ id }) => id)).toEqual(['sick', 'late'])
})

/** With small limits, a few hundred passages are a large index. */
it('finds by its indexes what a comparison with every passage finds', async () => {
  const url = await newSchema()
  const large = await open(url, { exact: 50, filtered: 20, words: 100 })
  const exact = await open(url)
  const subjects = ['zebra', 'pump', 'tea', 'river', 'engine', 'violin']
  const passages = Array.from({ length: 600 }, (_, at) =>
    chunk(`c${at}`, `The ${subjects[at % 6]} of house ${at % 50} and ${subjects[(at * 7) % 5]}, number${at}.`, {
      metadata: { group: at % 4, half: at % 2 },
    }),
  )
  await large.update(index, { add: passages })
  const direction = (at: number) => Float32Array.of(Math.cos(at / 95), Math.sin(at / 95), ((at * 31) % 17) / 40)
  const vectors = passages.map(({ id }, at) => ({ chunkId: id, vector: direction(at) }))
  await large.setVectors(index, 'model', vectors)
  let [found, expected] = [0, 0]
  for (let at = 0; at < 40; at += 4) {
    for (const mode of ['keyword', 'vector'] as const) {
      for (const filters of [{}, { group: at % 4 }, { half: 1, group: [1, 2, 3] }]) {
        const query = `number${at * 15} ${subjects[at % 6]}`
        const embedding = { model: 'model', vector: direction(at * 15) }
        const request = { query, mode, topK: 10, filters, embedding }
        const best = (await exact.search(index, request)).map(({ score }) => score)
        const scores = (await large.search(index, request)).map(({ score }) => score)
        // Many passages have the same score, so it is the scores that are compared.
        found += scores.filter((score, place) => score >= (best[place] ?? 1) - 0.01).length
        expected += best.length
      }
    }
  }
  expect(found / expected).toBeGreaterThan(0.95)
})

it('computes words again that other rules made', async () => {
  const url = await newSchema()
  const search = await open(url)
  await search.update(index, { add: handbook })
  const before = await search.search(index, { query: 'water', mode: 'keyword', topK: 10 })
  await connect(url).query(`update passage_index set analysis = 0, language_counts = '{}';
    update passage_words set keys = '{}', weights = '{}/1000000000'; delete from passage_key`)
  const found = () => search.search(index, { query: 'water', mode: 'keyword', topK: 10 })
  expect(await found()).toEqual([]) // it does not wait for the new words
  await vi.waitFor(async () => expect(await found()).toEqual(before))
})

it('deletes all rows of a dropped index, also of one whose drop was interrupted', async () => {
  const url = await newSchema()
  const search = await open(url, { exact: 0 })
  const database = connect(url)
  for (const key of ['one', 'two']) {
    await search.update({ ...index, key }, { add: handbook })
    await search.setVectors({ ...index, key }, 'model', [{ chunkId: 'pump', vector: Float32Array.of(1) }])
  }
  const vectorIndexes = async () =>
    (await database.query(`select from pg_indexes where schemaname = current_schema() and indexdef like '%hnsw%'`))
      .rowCount
  expect(await vectorIndexes()).toBe(2)
  await database.query(`update passage_index set workspace = null, key = null where key = 'two'`)
  await search.drop({ ...index, key: 'one' })
  for (const table of ['index', 'words', 'key', 'static', 'vector', 'pending']) {
    expect((await database.query(`select 1 from passage_${table}`)).rowCount).toBe(0)
  }
  expect(await vectorIndexes()).toBe(0)
})

it('says what to do where the extension is missing or may not be created', async () => {
  const url = await newDatabase()
  const admin = connect(url)
  await admin.query('create role guest_of_search login').catch(() => {}) // from an earlier run
  const guest = connect(url.replace('parley@', 'guest_of_search@'))
  await expect(openPostgresSearch(guest)).rejects.toThrow('create extension vector')
})
