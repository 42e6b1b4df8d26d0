import { type MiniLm, miniLmModel } from '@parley/embedding'
import pMap from 'p-map'
import type { Chunk, IndexName, SearchIndex, SearchRequest } from '../src/index.ts'
import { type Dataset, passageVectors, readDataset } from './data.ts'
import type { Engine } from './engines.ts'
import { print, quantile, timed } from './report.ts'

const wordsPerPassage = 200
const concurrency = 16
/** How many searches are compared with an exact one. */
const recallQueries = 50

/** Makes `count` passages of real words: texts of the dataset rotated, with every seventh word from another text. */
export function variations(set: Dataset, count: number): Chunk[] {
  const random = randomSource(1)
  const texts = set.chunks.map(({ headings, text }) => [...headings, text].join(' ').split(' '))
  const pick = () => texts[Math.floor(random() * texts.length)] as string[]
  return Array.from({ length: count }, (_, number) => {
    const words = texts[number % texts.length] as string[]
    const others = pick()
    const from = Math.floor(random() * words.length)
    const rotated = [...words.slice(from), ...words.slice(0, from)].slice(0, wordsPerPassage)
    return {
      id: `chunk-${number}`,
      documentId: `document-${Math.floor(number / 20)}`,
      source: `source-${number % 7}`,
      page: number % 20,
      headings: [],
      text: rotated.map((word, at) => (random() < 1 / 7 ? (others[at % others.length] as string) : word)).join(' '),
      metadata: { group: number % 100, year: 1990 + (number % 35) },
    }
  })
}

/** Makes `count` vectors by adding a little noise to the given ones. */
export function perturbedVectors(vectors: Float32Array[], count: number, seed = 2): Float32Array[] {
  const random = randomSource(seed)
  return Array.from({ length: count }, (_, number) => {
    const from = vectors[number % vectors.length] as Float32Array
    return from.map((value) => value + (random() - 0.5) * 0.06)
  })
}

function randomSource(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state / 2 ** 32
  }
}

export interface Speed {
  chunks: number
  engine: string
  way: string
  /** Milliseconds. */
  p50: number
  p99: number
  /** Searches a second, 16 at once. */
  rate: number
  /** The share of the first ten hits of an exact search that were found. */
  recall: number | undefined
}

/** Searches with vectors that are given: the time of the index alone, without the embedding of the query. */
export async function measureSpeed(folder: string, engines: Engine[], model: MiniLm): Promise<Speed[]> {
  const [set, questions] = [readDataset(folder, 'scifact'), readDataset(folder, 'xquad-en')]
  const vectors = await passageVectors(model, questions) // few enough to be embedded at once; noise makes many of them
  const queries = [...set.queries, ...questions.queries].map(({ text }) => text)
  const maxChunks = Number(process.env.BENCH_CHUNKS ?? 100_000)
  const rows: Speed[] = []
  for (const count of [1000, 10_000, 100_000, 1_000_000].filter((size) => size <= maxChunks)) {
    const index = { workspace: 'speed', key: String(count) }
    for (const engine of engines) {
      await fill(engine, index, set, vectors, count)
      const [, loading] = await timed(() => engine.search.load(index))
      print(`${engine.name}, ${count} chunks: loaded into memory in ${loading.toFixed(0)} ms`)
      rows.push(...(await searchSpeeds(engine, index, queries, count, vectors)))
    }
  }
  return rows
}

const batchSize = 500

async function fill(
  { name, search, storedBytes }: Engine,
  index: IndexName,
  set: Dataset,
  vectors: Float32Array[],
  count: number,
): Promise<void> {
  const bytesBefore = (await storedBytes?.()) ?? 0
  let [adding, embedding] = [0, 0]
  const chunks = variations(set, count)
  for (let at = 0; at < count; at += batchSize) {
    const add = chunks.slice(at, at + batchSize)
    adding += (await timed(() => search.update(index, { add })))[1]
    const noisy = perturbedVectors(vectors.slice(at % vectors.length), add.length, at + 2)
    const encoded = add.map(({ id }, place) => ({ chunkId: id, vector: noisy[place] as Float32Array }))
    embedding += (await timed(() => search.setVectors(index, miniLmModel.id, encoded)))[1]
  }
  const perSecond = (milliseconds: number) => ((count / milliseconds) * 1000).toFixed(0)
  print(
    `${name}, ${count} chunks: ${perSecond(adding)} chunks/s from text to searchable, ${perSecond(embedding)} vectors/s stored`,
  )
  if (storedBytes) print(`${name}: ${(((await storedBytes()) - bytesBefore) / count).toFixed(0)} bytes a chunk`)
}

async function searchSpeeds(
  { name, search, exact }: Engine,
  index: IndexName,
  queries: string[],
  chunks: number,
  vectors: Float32Array[],
): Promise<Speed[]> {
  const directions = perturbedVectors(vectors, 5000, 3)
  let next = 0
  const embedding = () => ({
    embedding: { model: miniLmModel.id, vector: directions[next++ % directions.length] as Float32Array },
  })
  const ways: [name: string, request: () => Partial<SearchRequest>][] = [
    ['keyword', () => ({ mode: 'keyword' })],
    ['hybrid, static model', () => ({})],
    ['hybrid, embedded', embedding],
    ['hybrid, embedded, explained', () => ({ ...embedding(), explain: true })],
    ['hybrid, embedded, 1 % filter', () => ({ ...embedding(), filters: { group: 42 } })],
    ['vector, embedded', () => ({ ...embedding(), mode: 'vector' })],
  ]
  const rows: Speed[] = []
  for (const [way, request] of ways) {
    const run = (query: string) => search.search(index, { query, topK: 10, ...request() })
    await concurrently(queries.slice(0, 900), (query) => run(query)) // warm-up
    const times: number[] = []
    for (const query of queries.slice(0, 300)) times.push((await timed(() => run(query)))[1])
    const many = queries.slice(300, 900)
    const [, together] = await timed(() => concurrently(many, (query) => run(query)))
    let recall: number | undefined
    if (exact) {
      let found = 0
      for (const query of queries.slice(0, recallQueries)) {
        const options = request()
        const ids = async (engine: SearchIndex) =>
          (await engine.search(index, { query, topK: 10, ...options })).map(({ chunk }) => chunk.id)
        const best = new Set(await ids(exact))
        found += (await ids(search)).filter((id) => best.has(id)).length / Math.max(1, best.size)
      }
      recall = found / recallQueries
    }
    const rate = (many.length / together) * 1000
    rows.push({ chunks, engine: name, way, p50: quantile(times, 0.5), p99: quantile(times, 0.99), rate, recall })
  }
  return rows
}

export const concurrently = <T>(items: T[], work: (item: T) => Promise<unknown>): Promise<unknown[]> =>
  pMap(items, work, { concurrency })
