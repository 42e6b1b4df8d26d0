import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { missingServices } from './server/test/services/find.ts'
import { makeRunFolder } from './server/test/services/folder.ts'
import { Rings } from './test/rings.ts'
import { Shuffled } from './test/shuffled.ts'

// Threads of the service start in each test; this is where the program itself keeps its compiled modules too.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache')

// The workers of a run put their temporary files there.
if (process.env.PARLEY_TEST_FOLDER === undefined) {
  const folder = makeRunFolder()
  process.env.PARLEY_TEST_FOLDER = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
}

const missing = missingServices()
for (const { name, skips } of missing)
  process.stdout.write(`${name} was not found on this machine: ${skips} are skipped.\n`)
const has = (name: string): boolean => !missing.some((service) => service.name === name)
const canSearch = has('The Postgres extension pgvector')

const named = (suffix: string): string[] =>
  ['packages', 'server', 'client', 'console', 'cli', 'examples', 'test'].map((part) => `${part}/**/*.${suffix}`)
const unit = [...named('unit.test.ts'), 'chaos/*.unit.test.ts']
const consoleUnit = ['console/**/*.unit.test.ts']
const architecture = ['server/test/architecture/**/*.test.ts']
const browser = named('browser.test.ts')
const cluster = [...named('postgres.test.ts'), ...named('redis.test.ts')]
/** It installs every package again, so only CI and test:cluster run it. */
const image = ['server/test/image.test.ts']

/**
 * Tests of these subjects depend on the database, so they run on both. What is the same on both, as rules for input, rights, prompts and
 * texts, is in files beside them, which run on SQLite alone, as everything else does: fuzz.test.ts sends every route to Postgres too, and
 * the tests of the cluster run whole turns, due times, syncs and searches there.
 */
const contracts = [
  // the store: migrations, lists, filters, versions, references, concurrency, grouped commits
  'server/src/kernel/store/{migrate,statement}.test.ts',
  'server/test/{fuzz,ground-rules,idempotency}.test.ts',
  'server/src/features/{agents/agents,conversations/{branches,lists},search/search}.test.ts',
  'server/src/features/evaluations/results/results.test.ts',
  // jobs and events
  'server/src/kernel/jobs/jobs.test.ts',
  'server/src/features/webhooks/webhooks.test.ts',
  'server/src/features/monitors/monitors.test.ts',
  // grants that are used once
  'server/src/features/oauth/oauth.test.ts',
  // turns
  'server/src/features/conversations/{conversations,quick-turns,approvals/approvals,children/children}.test.ts',
  // limits and money
  'server/test/rate-limit.test.ts',
  'server/src/features/usage/{parallel,rollup,thresholds,usage}.test.ts',
  // statistics, audit, erasure
  'server/src/features/analytics/{analytics,changes,property}.test.ts',
  'server/src/features/labels/labels.test.ts',
  'server/src/features/audit/chain.test.ts',
  'server/src/features/people/declared.test.ts',
  'server/src/features/people/people.test.ts',
  'server/src/features/conversations/search/search.test.ts',
  'server/src/features/conversations/memory/summary.test.ts',
]
/** These need the search index, and so pgvector. */
const searchContracts = [
  'server/test/release/upgrade.test.ts',
  'server/test/access.test.ts',
  'server/src/features/indexes/indexes.test.ts',
  'server/src/features/knowledge-sources/{documents/documents,syncs/syncs}.test.ts',
  'server/src/features/memories/{memories,property}.test.ts',
]
const needSearch = ['packages/search/**/*.postgres.test.ts', 'server/test/{cluster-knowledge,migrate}.postgres.test.ts']

/** The console imports the source of the client, too, so that tests need no built client. */
const resolve = { alias: { '@parley/client': fileURLToPath(new URL('client/src/index.ts', import.meta.url)) } }

/** A project is named by its ring and, after a colon, by what is special about it. */
const project = (name: string, files: { include: string[]; exclude?: string[] }, engine = 'sqlite') => ({
  ...(name === 'unit:console' && { resolve }),
  test: {
    name,
    ...files,
    env: { PARLEY_TEST_ENGINE: engine },
    // Node reads TypeScript itself, as when the program runs. The console needs JSX and the alias, and a package has no JavaScript.
    experimental: { viteModuleRunner: name.startsWith('unit:'), nodeLoader: false },
    // An end to tests that hang, not a limit on how slow a machine may be.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    setupFiles: ['test/around-each.ts'],
    globalSetup: [
      ...(name.startsWith('unit') ? [] : ['test/build-console.ts']),
      ...(engine === 'postgres' ? ['server/test/services/postgres.ts'] : []),
    ],
  },
})

export default defineConfig({
  test: {
    globalSetup: ['test/orphans.ts'],
    pool: 'forks',
    isolate: false, // no test changes a module, and loading all of them for each file would take a third of the time
    maxWorkers: 3, // more compile the same code again, for more processor time than the waits of tests leave
    reporters: [new Rings(), 'default'],
    ...(process.env.PARLEY_TEST_SHUFFLE && { sequence: { sequencer: Shuffled, shuffle: { tests: true } } }),
    retry: Number(process.env.PARLEY_TEST_RETRIES ?? 0),
    projects: [
      project('unit', { include: unit, exclude: consoleUnit }),
      project('unit:console', { include: consoleUnit }),
      project('unit:architecture', { include: architecture }),
      project('service', {
        include: named('test.ts'),
        exclude: [...unit, ...architecture, ...browser, ...cluster, ...image],
      }),
      project('cluster:image', { include: image }),
      ...(has('PostgreSQL')
        ? [
            project('service:postgres', { include: [...contracts, ...(canSearch ? searchContracts : [])] }, 'postgres'),
            project('cluster', { include: cluster, exclude: canSearch ? [] : needSearch }, 'postgres'),
          ]
        : []),
      ...(canSearch && has('Redis') ? [project('cluster:chaos', { include: ['chaos/chaos.test.ts'] })] : []),
      ...(has('Chromium') ? [project('browser', { include: browser })] : []),
    ],
  },
})
