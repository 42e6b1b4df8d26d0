import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMiniLm } from '@parley/embedding'
import { openEmbeddedSearch } from '@parley/search'
import { type Dataset, readDataset } from '../packages/search/bench/data.ts'
import { openPostgresEngine } from '../packages/search/bench/engines.ts'
import { measureSpeed, variations } from '../packages/search/bench/speed.ts'
import { createApi } from './api.ts'
import { type Bench, type Figure, missing, type Run } from './bench.ts'
import { chatBesideSync } from './knowledge/beside.ts'
import { searches } from './knowledge/searches.ts'
import { sync, uploadOfPdf } from './knowledge/syncs.ts'
import { fillVectors } from './knowledge/vectors.ts'
import { startParley } from './processes.ts'

const chunksPerFile = 20
const beside = 10_000

const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const environment = { DATA_DIR: join(folder, 'data'), DIRECTORY_ROOTS: folder }
/** The tools over sources of different sizes, the smallest first. */
const tools: string[] = []

export const knowledge: Bench = {
  about:
    'from files to passages that are found, and from a question to its passages over HTTP, the embedding of a new question included. Passages are variations of abstracts, 200 words each; their vectors are real ones with noise, because MiniLM would take hours for a hundred thousand. Chat beside a sync: 4 people who pause 25 ms between turns, while 10,000 passages are read.',

  async prepare({ data, isFull }) {
    if (!data) return
    const maxChunks = Number(process.env.BENCH_CHUNKS ?? 100_000)
    const sizes = (isFull ? [100_000] : [1000, 10_000, 100_000]).filter((size) => size <= maxChunks)
    const set = readDataset(data, 'scifact')
    for (const size of new Set([...sizes, beside])) writeFiles(join(folder, String(size)), set, size)
    const parley = await startParley(environment)
    for (const size of sizes) {
      const { source } = await sync(parley, String(size))
      const body = { name: 'Bench', knowledge_source_id: source, top_k: 10 }
      tools.push((await createApi(parley).call<{ id: string }>('POST', '/rag-tools', body)).id)
    }
    await parley.stop()
    await fillVectors(environment.DATA_DIR, data)
  },

  async measure(run) {
    if (!run.data) return [missing('knowledge', 'set PARLEY_BENCH_DATA')]
    return [
      ...(await syncs(run.data, run.seconds)),
      ...(await measureSearches(run.data, run.isFull)),
      ...(await onPostgres(run)),
    ]
  },
}

function writeFiles(target: string, set: Dataset, size: number): void {
  mkdirSync(target, { recursive: true })
  const passages = variations(set, size)
  for (let at = 0; at < size; at += chunksPerFile) {
    const sections = passages.slice(at, at + chunksPerFile).map(({ text }, part) => `# Part ${part}\n\n${text}\n`)
    writeFileSync(join(target, `file-${at / chunksPerFile}.md`), sections.join('\n'))
  }
}

/** In a separate service, so that its memory holds nothing else. */
async function syncs(data: string, seconds: number): Promise<Figure[]> {
  const parley = await startParley({ DIRECTORY_ROOTS: folder })
  try {
    const pdf = await uploadOfPdf(parley, data)
    const { source, chunks, milliseconds } = await sync(parley, String(beside))
    const again = await sync(parley, String(beside), source)
    const name = `sync of ${chunks.toLocaleString('en')} passages`
    return [
      { name: 'PDF of 231 pages, from upload to found', value: pdf / 1000, unit: 's', aim: { max: 10 } },
      { name, value: (chunks / milliseconds) * 1000, unit: 'passages/s', aim: { min: 500 } },
      { name: `${name} again, unchanged`, value: again.milliseconds / 1000, unit: 's', aim: { max: 2 } },
      ...(await chatBesideSync(parley, String(beside), seconds)),
    ]
  } finally {
    await parley.stop()
  }
}

async function measureSearches(data: string, isFull: boolean): Promise<Figure[]> {
  const parley = await startParley(environment)
  try {
    return await searches(parley, data, tools, isFull)
  } finally {
    await parley.stop()
  }
}

/** Compares the embedded engine with the one on Postgres, without the service. */
async function onPostgres({ data, database, isFull }: Run): Promise<Figure[]> {
  const name = 'hybrid on Postgres, 100,000 passages'
  if (isFull) return [missing(name, 'takes an hour, run `npm run bench -- knowledge`')]
  if (!database || !data) return [missing(name, 'needs PostgreSQL')]
  const model = createMiniLm()
  const dataDir = mkdtempSync(join(folder, 'engine-'))
  const embedded = { name: 'embedded', search: openEmbeddedSearch({ dataDir }) }
  const engines = [embedded, await openPostgresEngine(database)]
  try {
    const speeds = await measureSpeed(data, engines, model)
    const figures = speeds
      .filter(({ engine }) => engine === 'Postgres')
      .map(({ chunks, way, p50, p99, rate, recall = 0 }): Figure[] => {
        const other = speeds.find((each) => each.engine === 'embedded' && each.chunks === chunks && each.way === way)
        const name = `engine on Postgres, ${way}, ${chunks.toLocaleString('en')} passages`
        const beside = (value = 0) => ({ reference: { name: 'embedded engine', value } })
        return [
          { name: `${name}, p50`, value: p50, unit: 'ms', ...beside(other?.p50), aim: { max: 30 } },
          { name: `${name}, p99`, value: p99, unit: 'ms', ...beside(other?.p99) },
          { name: `${name}, 16 at once`, value: rate, unit: 'searches/s', ...beside(other?.rate) },
          { name: `${name}, recall@10`, value: recall, unit: '', aim: { min: 0.95 } },
        ]
      })
    return figures.flat()
  } finally {
    await Promise.all([...engines.map(({ search }) => search.close()), model.close()])
  }
}
