import type { MiniLm } from '@parley/embedding'
import type { IndexName, SearchIndex, SearchRequest } from '../src/index.ts'
import { type Dataset, datasetNames, judge, languageNames, passageVectors, readDataset } from './data.ts'
import type { Engine } from './engines.ts'
import { type Outcome, type Reliability, reliability } from './reliability.ts'

export async function measureQuality(
  folder: string,
  engines: Engine[],
  model: MiniLm | undefined,
  wanted: string[],
  { isBrief = false } = {},
): Promise<Quality[]> {
  const rows: Quality[] = []
  for (const name of wanted.length > 0 ? wanted : [...datasetNames, ...languageNames]) {
    const set = readDataset(folder, name)
    for (const engine of engines) rows.push(...(await measureEngine(set, engine, model, isBrief)))
  }
  return rows
}

export interface Quality extends Scores {
  set: string
  engine: string
  way: string
}

async function measureEngine(
  set: Dataset,
  { name: engine, search }: Engine,
  model: MiniLm | undefined,
  isBrief: boolean,
): Promise<Quality[]> {
  const index = { workspace: 'quality', key: set.name }
  await search.update(index, { add: set.chunks })
  const measured: [string, Scores][] = [
    ['keyword', await judgeAll(set, search, index, (query) => ({ query, mode: 'keyword' }))],
  ]
  if (!isBrief) measured.push(['hybrid, static model', await judgeAll(set, search, index, (query) => ({ query }))])
  if (model) {
    const vectors = await passageVectors(model, set)
    const embedded = set.chunks.map(({ id }, at) => ({ chunkId: id, vector: vectors[at] as Float32Array }))
    const withModel = async (query: string) => ({
      query,
      embedding: { model: model.id, vector: model.embedQuery(query) },
    })
    for (const share of isBrief ? [1] : [0.5, 1]) {
      await search.setVectors(index, model.id, embedded.slice(0, share * embedded.length))
      measured.push([`hybrid, ${100 * share} % embedded`, await judgeAll(set, search, index, withModel)])
    }
    const vector = async (query: string) => ({ ...(await withModel(query)), mode: 'vector' as const })
    if (!isBrief) measured.push(['vector', await judgeAll(set, search, index, vector)])
  }
  return measured.map(([way, scores]) => ({ set: set.name, engine, way, ...scores }))
}

interface Scores {
  ndcg: number
  recall: number
  /** The scores of the first ten results, with all passages and without the relevant ones. */
  reliability: Reliability
}

type Ask = (query: string) => Omit<SearchRequest, 'topK'> | Promise<Omit<SearchRequest, 'topK'>>

async function judgeAll(set: Dataset, search: SearchIndex, index: IndexName, ask: Ask): Promise<Scores> {
  const sum = { ndcg: 0, recall: 0 }
  const outcomes: Outcome[] = []
  for (const { text, relevant } of set.queries) {
    const request = { ...(await ask(text)), topK: 10 }
    const hits = await search.search(index, request)
    const others = await search.search(index, { ...request, documents: { except: [...relevant] } })
    for (const { score, chunk } of [...hits, ...others]) outcomes.push({ score, isRight: relevant.has(chunk.id) })
    const { ndcg, recall } = judge(
      hits.map(({ chunk }) => chunk.id),
      relevant,
    )
    sum.ndcg += ndcg
    sum.recall += recall
  }
  const { length } = set.queries
  return { ndcg: sum.ndcg / length, recall: sum.recall / length, reliability: reliability(outcomes) }
}
