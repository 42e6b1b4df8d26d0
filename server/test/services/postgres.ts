import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, rmSync } from 'node:fs'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { createParley } from '../../src/app.ts'
import { testConfig } from '../config.ts'
import { findProgram } from './find.ts'
import { makeFolder } from './folder.ts'
import { freePort } from './free-port.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
    /** The clause of `create database` that copies the template on this server. */
    postgresCopy: string
  }
}

/** A temporary Postgres for the whole run, with an empty migrated template database. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startPostgres()
  await makeTemplate(url)
  project.provide('postgresUrl', url)
  project.provide('postgresCopy', await copyOfTemplate(url))
  return stop
}

async function startPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = makeFolder('postgres')
  const port = await freePort()
  const user = serverUser()
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid ?? user.uid)
  execFileSync(required('initdb'), ['-D', folder, '-U', 'parley', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
    ...user,
    cwd: '/',
    stdio: 'ignore',
  })
  const settings = [
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    'autovacuum=off', // not needed by short-lived databases
    'wal_level=minimal',
    'max_wal_senders=0',
    'checkpoint_timeout=1h',
    'max_wal_size=256MB',
    'jit=off',
    'max_connections=400',
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
  ]
  const server = spawn(
    required('postgres'),
    ['-D', folder, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    {
      ...user,
      cwd: '/',
      stdio: 'ignore',
    },
  )
  const url = `postgres://parley@127.0.0.1:${port}/postgres`
  await untilAnswering(url, server)
  return {
    url,
    async stop() {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGINT')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Postgres does not run as root, so root starts it as the user postgres. */
function serverUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

function required(program: string): string {
  const path = findProgram(program)
  if (path === null) throw new Error(`${program} is not on this machine`)
  return path
}

async function untilAnswering(url: string, server: ChildProcess): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error('Postgres exited at start')
    const client = new pg.Client(url)
    try {
      await client.connect()
      await client.end()
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
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
  await parley.ctx.pool?.query('truncate pgboss.job')
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
