import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { missingServices } from './server/test/services/find.ts'

// Threads of the service start in each test; this is where the program itself keeps its compiled modules too.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache')

const missing = missingServices()
for (const { name, skips } of missing)
  process.stdout.write(`${name} was not found on this machine: ${skips} are skipped.\n`)
const has = (name: string): boolean => !missing.some((service) => service.name === name)
const canCluster = ['PostgreSQL', 'The Postgres extension pgvector', 'Redis'].every(has)

const named = (suffix: string): string[] =>
  ['packages', 'server', 'client', 'console', 'cli', 'examples'].map((part) => `${part}/**/*.${suffix}`)
const unit = [...named('unit.test.ts'), 'chaos/*.unit.test.ts']
const architecture = ['server/test/architecture/**/*.test.ts']
const browser = named('browser.test.ts')
const redis = named('redis.test.ts')
const chaos = ['chaos/chaos.test.ts']
const postgres = named('postgres.test.ts')
const sqlite = named('sqlite.test.ts')
const everywhere = {
  include: named('test.ts'),
  exclude: [...unit, ...architecture, ...browser, ...redis, ...postgres],
}

/** What does not depend on the database runs on SQLite alone. A new test runs on both until it is listed here. */
const engineNeutral = [
  'cli/test/*.test.ts',
  'server/src/features/agents/warnings.test.ts',
  'server/src/features/api-tools/**/!(api-tools).test.ts',
  'server/src/features/audit/audit.test.ts', // chain.test.ts has its statements on Postgres
  'server/src/features/conversations/{approval-stream,approvals,faults,stream,structured-output,tools,trace}.test.ts', // cluster-turns runs turns on Postgres
  'server/src/features/conversations/files/{attachments,files}.test.ts', // cluster-knowledge has their statements on Postgres
  'server/src/features/demo/*.test.ts',
  'server/src/features/evaluations/**/{crash,importing,knowledge,runs,scorers}.test.ts', // results.test.ts runs ten thousand cases, jobs.test.ts kills workers on both
  'server/src/features/indexes/{agents,refinement,results}.test.ts',
  'server/src/features/knowledge-sources/{crash,{readers,uploads}/*,syncs/attachments}.test.ts', // access.test.ts has their statements on Postgres
  'server/src/features/mcp-server/mcp-server.test.ts',
  'server/src/features/retrieval-tools/local-reranker.test.ts',
  'server/src/features/openai-api/{caller-tools,errors,responses/stream}.test.ts',
  'server/src/features/rag-tools/*.test.ts',
  'server/src/features/sessions/{sessions,sign-in}.test.ts', // sign-in.postgres.test.ts has their statements on Postgres
  'server/src/features/tokens/*.test.ts',
  'server/src/features/usage/every-call.test.ts',
  'server/test/{api-tool-approval,audit-coverage,docs,docs-site,leaks,permissions,snippets,start,telemetry}.test.ts', // access.test.ts searches on Postgres
]

/** What needs the search index, and so pgvector on Postgres. */
const knowledge = [
  'packages/search/**/*.postgres.test.ts',
  'server/src/features/{knowledge-sources,indexes,rag-tools,retrieval-tools}/**/*.test.ts',
  'server/test/access.test.ts',
  'server/test/{cluster-knowledge,migrate}.postgres.test.ts',
]

const onPostgres = {
  include: everywhere.include,
  exclude: [
    ...everywhere.exclude.filter((pattern) => !postgres.includes(pattern)),
    ...sqlite,
    ...engineNeutral,
    ...(has('The Postgres extension pgvector') ? [] : knowledge),
  ],
}

/** As the console is built: a client that was never built will do. */
const resolve = { alias: { '@parley/client': fileURLToPath(new URL('client/src/index.ts', import.meta.url)) } }

const project = (name: string, files: { include: string[]; exclude?: string[] }, engine = 'sqlite') => ({
  ...(name === 'unit' && { resolve }),
  test: {
    name,
    ...files,
    env: { PARLEY_TEST_ENGINE: engine },
    testTimeout: name === 'browser' ? 120_000 : 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    ...(engine === 'postgres' && {
      globalSetup: ['server/test/services/postgres.ts'],
      setupFiles: process.env.PARLEY_STATEMENTS ? ['server/test/release/recorder.ts'] : [],
    }),
  },
})

export default defineConfig({
  test: {
    pool: 'forks',
    isolate: false, // no test changes a module, and loading all of them for each file would take a third of the time
    maxWorkers: 3, // tests wait for the disk and for jobs more than they compute
    projects: [
      project('unit', { include: unit }),
      project('architecture', { include: architecture }),
      project('sqlite', everywhere),
      ...(has('PostgreSQL') ? [project('postgres', onPostgres, 'postgres')] : []),
      ...(has('Redis') ? [project('redis', { include: redis })] : []),
      ...(canCluster ? [project('chaos', { include: chaos })] : []),
      ...(has('Chromium') ? [project('browser', { include: browser })] : []),
    ],
  },
})
