// npm run bench: how fast the service is, beside the least that could answer the same, in one run on one machine.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildConsole } from '../console/build.ts'
import { findProgram } from '../server/test/services/find.ts'
import { startPostgresServer } from '../server/test/services/postgres-server.ts'
import type { Bench, Run } from './bench.ts'
import { chat } from './chat.ts'
import { idle } from './idle.ts'
import { knowledge } from './knowledge.ts'
import { lists } from './lists.ts'
import { memory } from './memory.ts'
import { nodes } from './nodes.ts'
import { quality } from './quality.ts'
import { printTable, type Results, writePage } from './report.ts'
import { requests } from './requests.ts'
import { sentences } from './sentences.ts'
import { streams } from './streams.ts'

const benches: Record<string, Bench> = {
  requests,
  chat,
  streams,
  knowledge,
  quality,
  sentences,
  lists,
  memory,
  nodes,
  idle,
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in benches))
if (unknown.length > 0) {
  process.stderr.write(`There is no bench ${unknown.join(', ')}. There are: ${Object.keys(benches).join(', ')}.\n`)
  process.exit(1)
}
const chosen = Object.entries(benches).filter(([name]) => wanted.length === 0 || wanted.includes(name))
const started = performance.now()
const log = (text: string) => {
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  process.stdout.write(`${seconds.padStart(4)} s  ${text}\n`)
}

// Vectors of test sets are computed once in a run.
if (process.env.PARLEY_BENCH_CACHE === undefined) {
  const cache = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  process.env.PARLEY_BENCH_CACHE = cache
  process.once('exit', () => rmSync(cache, { recursive: true, force: true }))
}
await buildConsole() // otherwise the first start would
const databaseUrl = process.env.PARLEY_BENCH_DATABASE ?? process.env.DATABASE_URL
const needsServer = databaseUrl === undefined && chosen.some(([name]) => ['nodes', 'idle', 'knowledge'].includes(name))
const server = needsServer && findProgram('initdb') ? await startPostgresServer(['shared_buffers=512MB']) : undefined
const isFull = wanted.length === 0
const run: Run = {
  isFull,
  seconds: Number(process.env.BENCH_SECONDS ?? (isFull ? 2 : 4)),
  data: process.env.PARLEY_BENCH_DATA,
  database: databaseUrl ?? server?.url,
  before: process.env.BENCH_BEFORE,
}
const results: Results = new Map()
try {
  await Promise.all(
    chosen.map(async ([name, bench]) => {
      if (!bench.prepare) return
      await bench.prepare(run)
      log(`${name} is prepared`)
    }),
  )
  for (const [name, bench] of chosen) {
    log(name)
    const figures = await bench.measure(run)
    results.set(name, isFull ? figures.filter(({ aim }) => aim) : figures)
  }
} finally {
  await server?.remove()
}
log('done')
printTable(results)
if (isFull) writePage(results, benches, (performance.now() - started) / 60_000)
