import type { MiniLm } from '@parley/embedding'
import type { Chunk, IndexName, SearchIndex, SearchRequest } from '@parley/search'
import { type Dataset, fineVectors, readDataset } from './data.ts'
import { print, quantile, table, timed } from './report.ts'

const wordsInPassage = 200
const atOnce = 16

/** Passages of real words: a set's texts turned around, with one word in seven from another text. */
export function variations(set: Dataset, count: number): Chunk[] {
  const random = randomSource(1)
  const texts = set.chunks.map(({ headings, text }) => [...headings, text].join(' ').split(' '))
  const pick = () => texts[Math.floor(random() * texts.length)] as string[]
  return Array.from({ length: count }, (_, number) => {
    const words = texts[number % texts.length] as string[]
    const others = pick()
    const from = Math.floor(random() * words.length)
    const turned = [...words.slice(from), ...words.slice(0, from)].slice(0, wordsInPassage)
    return {
      id: `chunk-${number}`,
      documentId: `document-${Math.floor(number / 20)}`,
      source: `source-${number % 7}`,
      page: number % 20,
      headings: [],
      text: turned.map((word, at) => (random() < 1 / 7 ? (others[at % others.length] as string) : word)).join(' '),
      metadata: { group: number % 100, year: 1990 + (number % 35) },
    }
  })
}

/** The set's own vectors, each moved a little: real directions, as many as are wanted. */
export function movedVectors(real: Float32Array[], count: number, seed = 2): Float32Array[] {
  const random = randomSource(seed)
  return Array.from({ length: count }, (_, number) => {
    const from = real[number % real.length] as Float32Array
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

export async function measureSpeed(folder: string, search: SearchIndex, model: MiniLm | undefined): Promise<void> {
  const set = readDataset(folder, 'scifact')
  const queries = [...set.queries, ...readDataset(folder, 'xquad-en').queries].map(({ text }) => text)
  const real = model ? await fineVectors(model, set) : []
  const rows: Record<string, string | number>[] = []
  for (const count of [1000, 10_000, 100_000]) {
    const index = { workspace: 'speed', key: String(count) }
    await fill(search, index, variations(set, count), model ? movedVectors(real, count) : [], model)
    const [, loading] = await timed(() => search.load(index))
    print(`${count} chunks: loaded into memory in ${loading.toFixed(0)} ms`)
    rows.push(...(await searchSpeeds(search, index, queries, model, count)))
  }
  table('Search speed (each query is embedded unless it says otherwise)', rows)
}

async function fill(
  search: SearchIndex,
  index: IndexName,
  chunks: Chunk[],
  vectors: Float32Array[],
  model: MiniLm | undefined,
): Promise<void> {
  const [, adding] = await timed(async () => {
    for (let at = 0; at < chunks.length; at += 500) await search.update(index, { add: chunks.slice(at, at + 500) })
  })
  print(`${chunks.length} chunks: text to searchable at ${((chunks.length / adding) * 1000).toFixed(0)} chunks/s`)
  if (!model) return
  for (let at = 0; at < chunks.length; at += 2000) {
    const some = chunks.slice(at, at + 2000)
    await search.setVectors(
      index,
      model.id,
      some.map(({ id }, place) => ({ chunkId: id, vector: vectors[at + place] as Float32Array })),
    )
  }
}

type Way = [name: string, request: Omit<SearchRequest, 'query'>, embeds: boolean]

async function searchSpeeds(
  search: SearchIndex,
  index: IndexName,
  queries: string[],
  model: MiniLm | undefined,
  chunks: number,
): Promise<Record<string, string | number>[]> {
  const filters = { group: 42 }
  const ways: Way[] = [
    ['keyword', { topK: 10, mode: 'keyword' }, false],
    ['hybrid, static model', { topK: 10 }, false],
    ['hybrid, static model, 1 % filter', { topK: 10, filters }, false],
  ]
  if (model) {
    ways.push(['hybrid, MiniLM', { topK: 10 }, true], ['hybrid, MiniLM, 1 % filter', { topK: 10, filters }, true])
  }
  const rows: Record<string, string | number>[] = []
  for (const [way, request, embeds] of ways) {
    const ask = async (query: string, fresh: number) => {
      // A blank more makes it a query not seen before, with the same tokens.
      const text = query + ' '.repeat(fresh)
      const embedding = embeds && model ? { model: model.id, vector: model.embedQuery(text) } : undefined
      return search.search(index, { ...request, query, ...(embedding && { embedding }) })
    }
    freshness += 2
    const times: number[] = []
    for (const query of queries.slice(0, 300)) times.push((await timed(() => ask(query, freshness)))[1])
    const many = queries.slice(300, 900)
    const [, fresh] = await timed(() => concurrently(many, (query) => ask(query, freshness + 1)))
    const [, again] = await timed(() => concurrently(many, (query) => ask(query, freshness + 1)))
    rows.push({
      chunks,
      way,
      'p50 ms': quantile(times, 0.5).toFixed(2),
      'p99 ms': quantile(times, 0.99).toFixed(2),
      [`searches/s, ${atOnce} at once`]: ((many.length / fresh) * 1000).toFixed(0),
      'the same, queries seen before': ((many.length / again) * 1000).toFixed(0),
    })
  }
  return rows
}

let freshness = 0

export async function concurrently<T>(items: T[], work: (item: T) => Promise<unknown>): Promise<void> {
  let next = 0
  const lane = async () => {
    while (next < items.length) await work(items[next++] as T)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}
