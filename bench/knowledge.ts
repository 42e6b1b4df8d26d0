import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMiniLm } from '@parley/embedding'
import { openEmbeddedSearch } from '@parley/search'
import { type Dataset, readDataset } from '../packages/search/bench/data.ts'
import { type Engine, openPostgresEngine } from '../packages/search/bench/engines.ts'
import { print, quantile, timed } from '../packages/search/bench/report.ts'
import { concurrently, measureSpeed, variations } from '../packages/search/bench/speed.ts'
import { apiOf, posting, until } from './api.ts'
import { chatBesideSync } from './knowledge/beside.ts'
import { fillVectors } from './knowledge/vectors.ts'
import { type Running, startParley } from './processes.ts'
import { printTable } from './table.ts'

const chunksPerFile = 20
const sizes = [1000, 10_000, 100_000]
const warmUpRounds = 5

interface Tool {
  id: string
  status: string
  index: { documents: number; chunks: number; refined: number }
}

/** How long users wait: from files to searchable passages, and from a question to its passages. */
export async function knowledge(): Promise<void> {
  const data = process.env.PARLEY_BENCH_DATA
  if (!data)
    return print('\nknowledge: set PARLEY_BENCH_DATA to the folder with scifact, xquad-en and docs to measure it.')
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  const environment = { DATA_DIR: join(folder, 'data'), DIRECTORY_ROOTS: folder }
  const maxChunks = Number(process.env.BENCH_CHUNKS ?? 100_000)
  const wanted = sizes.filter((size) => size <= maxChunks)
  try {
    const set = readDataset(data, 'scifact')
    for (const size of wanted) writeFiles(join(folder, String(size)), set, size)
    let parley = await startParley(environment)
    await uploadOfPdf(parley, data)
    const sources: string[] = []
    for (const size of wanted) sources.push(await fill(parley, size))
    await chatBesideSync(parley, String(Math.min(maxChunks, 10_000)))
    const tools = await Promise.all(sources.map((source) => makeTool(parley, source)))
    await parley.stop()
    await fillVectors(join(folder, 'data'), data)
    parley = await startParley(environment)
    await searches(parley, data, tools)
    await parley.stop()
    await bothEngines(folder, data)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The embedded engine beside the one on Postgres, without the service around them. */
async function bothEngines(folder: string, data: string): Promise<void> {
  const database = process.env.PARLEY_BENCH_DATABASE
  if (!database)
    return print('\nSet PARLEY_BENCH_DATABASE to the URL of a Postgres server with pgvector to measure it.')
  const model = createMiniLm()
  const embedded: Engine = { name: 'embedded', search: openEmbeddedSearch({ dataDir: folder }) }
  const engines = [embedded, await openPostgresEngine(database)]
  try {
    await measureSpeed(data, engines, model)
  } finally {
    await Promise.all([...engines.map(({ search }) => search.close()), model.close()])
  }
}

function writeFiles(folder: string, set: Dataset, size: number): void {
  mkdirSync(folder, { recursive: true })
  const passages = variations(set, size)
  for (let at = 0; at < size; at += chunksPerFile) {
    const sections = passages.slice(at, at + chunksPerFile).map(({ text }, part) => `# Part ${part}\n\n${text}\n`)
    writeFileSync(join(folder, `file-${at / chunksPerFile}.md`), sections.join('\n'))
  }
}

/** The time from the start of the upload until a search finds the document. */
async function uploadOfPdf(parley: Running, data: string): Promise<void> {
  const { call } = apiOf(parley)
  const source = await call<{ id: string }>('POST', '/knowledge-sources', { name: 'Report', type: 'file' })
  const tool = await call<Tool>('POST', '/rag-tools', { name: 'Report', knowledge_source_id: source.id })
  const form = new FormData()
  form.append('files', new Blob([readFileSync(join(data, 'docs/AMD_2017_10K.pdf'))]), 'report.pdf')
  const [found, took] = await timed(async () => {
    await call('POST', `/knowledge-sources/${source.id}/documents`, form)
    const search = () =>
      call<{ results: unknown[] }>('POST', `/rag-tools/${tool.id}/query`, { query: 'revenue', answer: false })
    return until(search, ({ results }) => results.length > 0)
  })
  print(`\nA PDF of 231 pages: ${found.results.length} results ${(took / 1000).toFixed(1)} s after its upload began`)
  await call('DELETE', `/rag-tools/${tool.id}`)
  await call('DELETE', `/knowledge-sources/${source.id}`)
}

async function fill(parley: Running, size: number): Promise<string> {
  const { call } = apiOf(parley)
  const settled = async (id: string) => {
    const source = () => call<{ status: string; last_synced_at: string | null }>('GET', `/knowledge-sources/${id}`)
    await until(source, ({ status }) => status === 'active' || status === 'error')
  }
  const body = { name: String(size), type: 'directory', configuration: { path: String(size) } }
  const [source, took] = await timed(async () => {
    const made = await call<{ id: string }>('POST', '/knowledge-sources', body)
    await call('POST', `/knowledge-sources/${made.id}/sync`, {})
    await settled(made.id)
    return made
  })
  const { chunks, documents } = await lastSync(parley, source.id)
  const rate = (chunks / took) * 1000
  print(
    `${chunks} chunks in ${documents} files: searchable after ${(took / 1000).toFixed(1)} s, ${rate.toFixed(0)} chunks/s`,
  )
  const [, again] = await timed(async () => {
    await call('POST', `/knowledge-sources/${source.id}/sync`, {})
    await settled(source.id)
  })
  print(`  synced again, nothing changed: ${again.toFixed(0)} ms`)
  return source.id
}

async function lastSync(parley: Running, source: string): Promise<{ chunks: number; documents: number }> {
  const path = `/knowledge-sources/${source}/syncs?limit=1`
  const [sync] = await apiOf(parley).call<{ chunks: { embedded: number }; documents: { added: number } }[]>('GET', path)
  return { chunks: sync?.chunks.embedded ?? 0, documents: sync?.documents.added ?? 0 }
}

async function makeTool(parley: Running, source: string): Promise<string> {
  const { call } = apiOf(parley)
  const { id } = await call<Tool>('POST', '/rag-tools', { name: 'Bench', knowledge_source_id: source, top_k: 10 })
  return id
}

/** Measures what a server does that has run for a while, with optimized code. */
async function warmUp(parley: Running, tool: string, queries: string[]): Promise<void> {
  const search = posting(parley, `/rag-tools/${tool}/query`)
  for (let round = 1; round <= warmUpRounds; round++) {
    const fresh = queries.slice(0, 1400).map((query) => query + '\n'.repeat(round + 1))
    await concurrently(fresh, (query) => search({ query, answer: false }))
  }
}

async function searches(parley: Running, data: string, tools: string[]): Promise<void> {
  const { call } = apiOf(parley)
  const queries = ['scifact', 'xquad-en'].flatMap((name) => readDataset(data, name).queries.map(({ text }) => text))
  const rows: string[][] = []
  // Loads all indexes into memory.
  for (const id of tools) await posting(parley, `/rag-tools/${id}/query`)({ query: queries[0], answer: false })
  await warmUp(parley, tools[0] as string, queries)
  for (const id of tools) {
    const tool = await call<Tool & { name: string; knowledge_source_id: string }>('GET', `/rag-tools/${id}`)
    const documents = await call<{ id: string }[]>(
      'GET',
      `/knowledge-sources/${tool.knowledge_source_id}/documents?limit=${Math.min(100, Math.ceil(tool.index.documents / 100))}`,
    )
    const filters = { document_id: documents.map((document) => document.id) }
    const ways: [string, object][] = [
      ['keyword', { search_mode: 'keyword' }],
      ['hybrid', {}],
      ['hybrid, 1 % filter', { filters }],
    ]
    for (const [way, extra] of ways) {
      await call('PUT', `/rag-tools/${id}`, { search_mode: way === 'keyword' ? 'keyword' : 'hybrid' })
      const { filters: wanted } = extra as { filters?: object }
      const post = posting(parley, `/rag-tools/${id}/query`)
      const search = (query: string) => post({ query, answer: false, ...(wanted && { filters: wanted }) })
      // Trailing blanks make it a new query with the same tokens.
      const fresh = (from: number, to: number) =>
        queries.slice(from, to).map((query) => query + ' '.repeat(rows.length))
      // Warm up with other queries, because the vectors of queries are cached.
      await concurrently(fresh(600, 1400), (query) => search(`${query}\n`))
      const times: number[] = []
      // Half are claims of one or two lines, half are short questions.
      for (const query of fresh(150, 450)) times.push((await timed(() => search(query)))[1])
      const many = [...fresh(0, 150), ...fresh(450, 900)]
      const [, together] = await timed(() => concurrently(many, search))
      rows.push([
        String(tool.index.chunks),
        `${way}${tool.index.refined > 0 && way !== 'keyword' ? ', MiniLM' : ''}`,
        quantile(times, 0.5).toFixed(1),
        quantile(times, 0.99).toFixed(1),
        ((many.length / together) * 1000).toFixed(0),
      ])
    }
  }
  printTable(
    'Searches over HTTP, each with the embedding of a new question',
    ['chunks', '', 'p50 ms', 'p99 ms', 'searches/s, 16 at once'],
    rows,
  )
}
