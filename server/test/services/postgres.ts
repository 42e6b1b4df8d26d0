import { rmSync } from 'node:fs'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { createParley } from '../../src/app.ts'
import { testConfig } from '../config.ts'
import { makeFolder } from './folder.ts'
import { startPostgresServer } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
    /** The clause of `create database` that copies the template on this server. */
    postgresCopy: string
  }
}

interface RunningServer {
  url: string
  copy: string
  remove(): Promise<void>
  projects: number
}

/** Modules are loaded once per project, and all projects share one server. */
const shared = globalThis as { parleyTestServer?: Promise<RunningServer> | undefined }

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.parleyTestServer ??= start()
  const server = await shared.parleyTestServer
  server.projects++
  project.provide('postgresUrl', server.url)
  project.provide('postgresCopy', server.copy)
  return async () => {
    if (--server.projects === 0) await server.remove()
  }
}

/** A temporary Postgres for the whole run, with an empty migrated template database. */
async function start(): Promise<RunningServer> {
  const { url, remove } = await startPostgresServer([
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    'autovacuum=off', // not needed by short-lived databases
    'max_wal_size=256MB',
    'checkpoint_timeout=1h',
  ])
  await makeTemplate(url)
  return { url, copy: await copyOfTemplate(url), remove, projects: 0 }
}

async function makeTemplate(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('create database parley_template')
  await client.end()
  const databaseUrl = url.replace(/\/postgres$/, '/parley_template')
  const folder = makeFolder('template')
  const parley = await createParley(testConfig({ DATABASE_URL: databaseUrl, DATA_DIR: folder }))
  await parley.ctx.pool?.query('truncate workspace, key_check, job cascade')
  await parley.close(0)
  rmSync(folder, { recursive: true, force: true })
}

/** Copying files takes a third of the time of the default strategy, which writes every page to the WAL. */
async function copyOfTemplate(url: string): Promise<string> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query('show server_version_num')
  await client.end()
  return `template parley_template${Number(rows[0].server_version_num) < 150_000 ? '' : ' strategy file_copy'}`
}
