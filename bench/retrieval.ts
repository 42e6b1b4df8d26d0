import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMiniLm } from '@parley/embedding'
import { openEmbeddedSearch } from '@parley/search'
import { measureOverHttp } from './retrieval/http.ts'
import { measureQuality } from './retrieval/quality.ts'
import { print } from './retrieval/report.ts'
import { measureSpeed } from './retrieval/speed.ts'

const folder = process.env.PARLEY_BENCH_DATA
if (!folder) {
  print('Set PARLEY_BENCH_DATA to the folder with scifact, xquad-en, xquad-de and xquad-zh.')
  process.exit(1)
}

const wanted = process.argv.slice(2)
if (wanted[0] === 'http') {
  await measureOverHttp(folder, wanted.slice(1))
  process.exit(0)
}
const does = (part: string) => wanted.length === 0 || wanted.includes(part)
const dataDir = mkdtempSync(join(tmpdir(), 'parley-bench-'))
const search = openEmbeddedSearch({ dataDir })
const miniLm = createMiniLm()
try {
  const { available, reason } = await miniLm.availability()
  if (!available) print(`Without MiniLM: ${reason}`)
  const model = available ? miniLm : undefined
  if (does('quality')) await measureQuality(folder, search, model)
  if (does('speed')) await measureSpeed(folder, search, model)
  print(`\nMemory of the process: ${(process.memoryUsage().rss / 1024 ** 2).toFixed(0)} MB`)
} finally {
  await Promise.all([search.close(), miniLm.close()])
  rmSync(dataDir, { recursive: true, force: true })
}
