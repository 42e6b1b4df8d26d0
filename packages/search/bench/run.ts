// npm run bench -w @parley/search [quality | speed]: how well and how fast the engines search.
// PARLEY_BENCH_DATABASE is the URL of a Postgres server with pgvector; without it, only the embedded engine is measured.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMiniLm } from '@parley/embedding'
import { openEmbeddedSearch } from '../src/index.ts'
import { type Engine, openPostgresEngine } from './engines.ts'
import { measureQuality } from './quality.ts'
import { inWords } from './reliability.ts'
import { print, table } from './report.ts'
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
  if (part !== 'speed') {
    const rows = await measureQuality(folder, engines, available ? miniLm : undefined, datasets)
    table(
      'Quality',
      rows.map(({ ndcg, recall, reliability, ...row }) => ({
        ...row,
        'nDCG@10': ndcg.toFixed(4),
        'recall@10': recall.toFixed(4),
        'score → share of relevant results': inWords(reliability),
      })),
    )
  }
  if (part !== 'quality') {
    const rows = await measureSpeed(folder, engines, miniLm)
    table(
      'Search speed, without the embedding of the query',
      rows.map(({ p50, p99, rate, recall, ...row }) => ({
        ...row,
        'p50 ms': p50.toFixed(2),
        'p99 ms': p99.toFixed(2),
        'searches/s, 16 at once': rate.toFixed(0),
        'recall@10': recall?.toFixed(3) ?? '',
      })),
    )
  }
  print(`\nMemory of the process: ${(process.memoryUsage().rss / 1024 ** 2).toFixed(0)} MB`)
} finally {
  await Promise.all([...engines.map(({ search }) => search.close()), miniLm.close()])
  rmSync(dataDir, { recursive: true, force: true })
}
