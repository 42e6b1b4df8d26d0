// npm run bench -w @parley/search [quality | speed]: how well and how fast the engines search.
// PARLEY_BENCH_DATABASE is the URL of a Postgres server with pgvector; without it, only the embedded engine is measured.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMiniLm } from '@parley/embedding'
import { openEmbeddedSearch } from '../src/index.ts'
import { type Engine, openPostgresEngine } from './engines.ts'
import { measureQuality } from './quality.ts'
import { print } from './report.ts'
import { measureSpeed } from './speed.ts'

const folder = process.env.PARLEY_BENCH_DATA
if (!folder) {
  print('Set PARLEY_BENCH_DATA to the folder with scifact, xquad-en, xquad-de and xquad-zh.')
  process.exit(1)
}

const [part, ...datasets] = process.argv.slice(2)
const dataDir = mkdtempSync(join(tmpdir(), 'parley-bench-'))
const engines: Engine[] = [{ name: 'embedded', search: openEmbeddedSearch({ dataDir }) }]
const database = process.env.PARLEY_BENCH_DATABASE
if (database) engines.push(await openPostgresEngine(database))
const miniLm = createMiniLm()
try {
  const { available, reason } = await miniLm.availability()
  if (!available) print(`Without MiniLM: ${reason}`)
  if (part !== 'speed') await measureQuality(folder, engines, available ? miniLm : undefined, datasets)
  if (part !== 'quality') await measureSpeed(folder, engines, miniLm)
  print(`\nMemory of the process: ${(process.memoryUsage().rss / 1024 ** 2).toFixed(0)} MB`)
} finally {
  await Promise.all([...engines.map(({ search }) => search.close()), miniLm.close()])
  rmSync(dataDir, { recursive: true, force: true })
}
