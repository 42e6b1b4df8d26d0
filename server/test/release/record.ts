/**
 * npm run statements: after a release, records the statements that it sends to Postgres and the columns that it knows, by
 * running its tests. From then on `release.postgres.test.ts` checks that they work on the schema of the next release.
 */
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Recorded, serializeRelease, shapeOf } from './compact.ts'

const server = fileURLToPath(new URL('../../', import.meta.url))

function runTests(PARLEY_STATEMENTS: string, ...files: string[]): void {
  const run = spawnSync('npx', ['vitest', 'run', '--project=service:postgres', '--project=cluster', ...files], {
    env: { ...process.env, PARLEY_STATEMENTS },
    stdio: 'inherit',
  })
  if (run.status !== 0) process.exit(run.status ?? 1)
}

const folder = mkdtempSync(join(tmpdir(), 'parley-statements-'))
runTests(folder)
const smallest = new Map<string, string>()
for (const file of globSync(join(folder, '*.jsonl'))) {
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const key = shapeOf((JSON.parse(line) as Recorded).sql)
    if (line.length < (smallest.get(key)?.length ?? Number.POSITIVE_INFINITY)) smallest.set(key, line)
  }
}
rmSync(folder, { recursive: true })

const manifestFile = join(server, 'package.json')
const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'))
const { version } = manifest
const sorted = [...smallest].sort(([one], [other]) => (one < other ? -1 : 1))
const statements = sorted.map(([, line]) => JSON.parse(line) as Recorded)
writeFileSync(join(server, 'test/release/statements.json'), serializeRelease({ version, columns: [], statements }))
runTests('finish', 'server/test/release')
writeFileSync(manifestFile, `${JSON.stringify({ ...manifest, previousRelease: version }, null, 2)}\n`)
process.stdout.write(`Recorded the statements of ${version}.\n`)
