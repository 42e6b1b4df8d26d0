import { readDataset } from '../../packages/search/bench/data.ts'
import { timed } from '../../packages/search/bench/report.ts'
import { concurrently } from '../../packages/search/bench/speed.ts'
import { createApi, posting } from '../api.ts'
import { type Figure, quantile } from '../bench.ts'
import type { Running } from '../processes.ts'

interface Tool {
  knowledge_source_id: string
  index: { documents: number; chunks: number; refined: number }
}

const ways = ['keyword', 'hybrid', 'hybrid, 1 % filter'] as const
type Way = (typeof ways)[number]

/** Searches over HTTP, each with the embedding of a new question. */
export async function searches(parley: Running, data: string, tools: string[], isFull: boolean): Promise<Figure[]> {
  const queries = ['scifact', 'xquad-en'].flatMap((name) => readDataset(data, name).queries.map(({ text }) => text))
  const path = (tool: string) => `/rag-tools/${tool}/query`
  // Loads all indexes into memory, and lets the code be compiled.
  for (const tool of tools) await posting(parley, path(tool))({ query: queries[0], answer: false })
  for (let round = 1; round <= (isFull ? 1 : 5); round++) {
    const search = posting(parley, path(tools[0] as string))
    const fresh = queries.slice(0, 1400).map((query) => query + '\n'.repeat(round + 1))
    await concurrently(fresh, (query) => search({ query, answer: false }))
  }
  const figures: Figure[] = []
  let measurement = 0
  const smallest = new Map<Way, number>()
  for (const tool of tools) {
    const { chunks, filters } = await indexSize(parley, tool)
    let hybrid = 0
    for (const way of ways) {
      const search_mode = way === 'keyword' ? 'keyword' : 'hybrid'
      await createApi(parley).call('PUT', `/rag-tools/${tool}`, { search_mode })
      const post = posting(parley, path(tool))
      const search = (query: string) => post({ query, answer: false, ...(way.includes('filter') && { filters }) })
      // Trailing blanks make it a new query with the same tokens: the vectors of queries are cached.
      const fresh = (from: number, to: number) =>
        queries.slice(from, to).map((query) => query + ' '.repeat(measurement))
      await concurrently(fresh(isFull ? 1100 : 600, 1400), (query) => search(`${query}\n`))
      const times: number[] = []
      // Half are claims of one or two lines, half are short questions.
      for (const query of fresh(isFull ? 200 : 150, isFull ? 400 : 450))
        times.push((await timed(() => search(query)))[1])
      const many = [...fresh(0, 150), ...fresh(450, isFull ? 600 : 900)]
      const [, together] = await timed(() => concurrently(many, search))
      measurement++
      const p50 = quantile(times, 0.5)
      if (way === 'hybrid') hybrid = p50
      const reference = way.includes('filter')
        ? { name: 'without filter', value: hybrid }
        : smallest.has(way) && { name: 'smallest', value: smallest.get(way) as number }
      if (!smallest.has(way)) smallest.set(way, p50)
      const name = `${way}, ${chunks.toLocaleString('en')} passages`
      figures.push(
        { name: `${name}, p50`, value: p50, unit: 'ms', ...(reference && { reference }), ...chooseAim(way) },
        { name: `${name}, p99`, value: quantile(times, 0.99), unit: 'ms' },
        {
          name: `${name}, 16 at once`,
          value: (many.length / together) * 1000,
          unit: 'searches/s',
          aim: way === 'hybrid' ? { min: 300 } : {},
        },
      )
    }
  }
  return figures
}

function chooseAim(way: Way): Pick<Figure, 'aim'> {
  if (way === 'keyword') return { aim: {} }
  return { aim: way === 'hybrid' ? { max: 10 } : { of: 'ratio', max: 1.3 } }
}

/** The size of the index, and a filter that keeps one document in a hundred. */
async function indexSize(parley: Running, id: string) {
  const { call } = createApi(parley)
  const { index, knowledge_source_id: source } = await call<Tool>('GET', `/rag-tools/${id}`)
  const limit = Math.min(100, Math.ceil(index.documents / 100))
  const documents = await call<{ id: string }[]>('GET', `/knowledge-sources/${source}/documents?limit=${limit}`)
  return { chunks: index.chunks, filters: { document_id: documents.map((document) => document.id) } }
}
