// node bench/retrieval.ts [dataset …]: the quality of searches over HTTP, before and after the embedding model has run.

import pMap from 'p-map'
import { datasetNames, judge, readDataset } from '../packages/search/bench/data.ts'
import { inWords, type Outcome, reliability } from '../packages/search/bench/reliability.ts'
import { print, quantile, table } from '../packages/search/bench/report.ts'
import { type Api, createApi, until } from './api.ts'
import { startParley } from './processes.ts'

interface Tool {
  id: string
  status: string
  index: { documents: number; chunks: number; refined: number }
}
interface Found {
  results: { score: number; metadata: { source: string } }[]
}

const maxBodyBytes = 8_000_000
const concurrency = 4

const folder = process.env.PARLEY_BENCH_DATA
if (folder) await measureOverHttp(folder, process.argv.slice(2))
else print('Set PARLEY_BENCH_DATA to the folder with scifact, xquad-en, xquad-de and xquad-zh.')

async function measureOverHttp(folder: string, wanted: string[]): Promise<void> {
  const parley = await startParley()
  const { call } = createApi(parley)
  try {
    const rows: Record<string, string | number>[] = []
    for (const name of datasetNames.filter((each) => wanted.length === 0 || wanted.includes(each))) {
      const set = readDataset(folder, name)
      // The title is the id, to identify results; the title of the passage becomes its first heading.
      const documents = set.chunks.map(({ id, headings, text }) => ({
        title: id,
        content: headings.length === 0 ? text : `# ${headings[0]}\n\n${text}`,
      }))
      const sources: string[] = []
      for (const part of inParts(documents)) {
        const body = { name, type: 'text', configuration: { documents: part } }
        const { id } = await call<{ id: string }>('POST', '/knowledge-sources', body)
        sources.push(id)
      }
      const started = performance.now()
      const tool = await makeTool(call, name, sources)
      const read = () => call<Tool>('GET', tool)
      const ready = await until(read, ({ status, index }) => status === 'ready' && index.documents > 0)
      const seconds = (performance.now() - started) / 1000
      print(`${name}: ${ready.index.chunks} chunks searchable after ${seconds.toFixed(1)} s`)
      const search = async (query: string) => {
        const route = tool.startsWith('/rag') ? 'query' : 'search'
        const extra = route === 'query' ? { answer: false } : {}
        const { results } = await call<Found>('POST', `${tool}/${route}`, { query, top_k: 50, ...extra })
        return results.map(({ score, metadata }) => ({ id: metadata.source, score }))
      }
      const measure = async (way: string) => rows.push({ set: name, way, ...(await judgeAll(set.queries, search)) })
      await measure('static model')
      await until(read, ({ index }) => index.refined === index.chunks)
      print(`${name}: embedded after ${((performance.now() - started) / 1000).toFixed(1)} s`)
      await measure('embedded')
    }
    table('Over HTTP', rows)
  } finally {
    await parley.stop()
  }
}

async function makeTool(call: Api['call'], name: string, sources: string[]): Promise<string> {
  const isRag = sources.length === 1
  const path = isRag ? '/rag-tools' : '/retrieval-tools'
  const over = isRag ? { knowledge_source_id: sources[0] } : { knowledge_source_ids: sources }
  const { id } = await call<Tool>('POST', path, { name, ...over })
  return `${path}/${id}`
}

function inParts<T extends { content: string }>(documents: T[]): T[][] {
  const parts: T[][] = [[]]
  let size = 0
  for (const document of documents) {
    size += document.content.length * 2
    if (size > maxBodyBytes) {
      parts.push([])
      size = document.content.length * 2
    }
    parts.at(-1)?.push(document)
  }
  return parts
}

async function judgeAll(
  queries: { text: string; relevant: Set<string> }[],
  search: (query: string) => Promise<{ id: string; score: number }[]>,
): Promise<Record<string, string>> {
  const sum = { ndcg: 0, recall: 0 }
  const times: number[] = []
  const outcomes: Outcome[] = []
  const judgeOne = async ({ text, relevant }: { text: string; relevant: Set<string> }) => {
    const started = performance.now()
    const found = await search(text)
    times.push(performance.now() - started)
    const { ndcg, recall } = judge([...new Set(found.map(({ id }) => id))], relevant)
    for (const { id, score } of found.slice(0, 10)) outcomes.push({ score, isRight: relevant.has(id) })
    sum.ndcg += ndcg
    sum.recall += recall
  }
  await pMap(queries, judgeOne, { concurrency })
  return {
    'nDCG@10': (sum.ndcg / queries.length).toFixed(4),
    'recall@10': (sum.recall / queries.length).toFixed(4),
    'p50 ms': quantile(times, 0.5).toFixed(1),
    'p99 ms': quantile(times, 0.99).toFixed(1),
    'score → share of relevant results': inWords(reliability(outcomes)),
  }
}
