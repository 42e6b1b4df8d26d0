import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import pg from 'pg'
import { type Dispatcher, request } from 'undici'
import { inject, onTestFinished, TestRunner } from 'vitest'
import { createParley, type Parley } from '../src/app.ts'
import { features } from '../src/features/index.ts'
import type { Role } from '../src/kernel/context.ts'
import type { Feature } from '../src/kernel/feature.ts'
import { backlog } from '../src/kernel/http/backlog.ts'
import type { Timeouts } from '../src/kernel/llm/http.ts'
import type { Release } from '../src/kernel/store/release.ts'
import type { Clock } from '../src/kernel/time.ts'
import { testConfig } from './config.ts'
import { folderOfTest } from './folder.ts'
import type { Json } from './json.ts'
import { checkResponse } from './openapi-check.ts'
import { serviceLog } from './service-log.ts'
import { makeFolder } from './services/folder.ts'
import { placeMigrated } from './services/sqlite.ts'
import { addSharedPort } from './shared-ports.ts'
import { sharedThreads } from './shared-threads.ts'

export type { Json }

export interface Answer {
  status: number
  headers: Headers
  body: Json
}

export interface Ask {
  body?: unknown
  /** Sent as is, instead of `body`. */
  raw?: string | Buffer
  token?: string | null
  headers?: Record<string, string>
}

export interface Service extends Parley {
  url: string
  token: string
  /** Sends one HTTP request and checks the response against openapi.json. Paths are below /api unless they start with it. */
  ask(method: string, path: string, more?: Ask): Promise<Answer>
  get(path: string, more?: Ask): Promise<Answer>
  post(path: string, body?: unknown, more?: Ask): Promise<Answer>
  put(path: string, body?: unknown, more?: Ask): Promise<Answer>
  remove(path: string, more?: Ask): Promise<Answer>
  tokenFor(role: Role, more?: Record<string, unknown>): Promise<string>
  /** The environment of the service. `startOn` with it starts a second node (Postgres only). */
  environment: Record<string, string>
}

/** A workspace of a shared service; requests are sent with the token of its owner. */
export interface Workspace extends Service {
  workspace: string
}

export interface Start {
  /** Starts a separate service even without other options. */
  own?: true
  /** Returns a workspace of a service that is shared by all tests of the process with the same environment and features. */
  shared?: true
  environment?: Record<string, string>
  now?: Clock
  random?(): number
  /** Another release than this one. */
  release?: Release
  /** Additional features. */
  features?: Feature[]
  /** Timeouts of provider requests. */
  providerTimeouts?: Partial<Timeouts>
  /** Milliseconds until the last byte of a body. */
  bodyTimeout?: number
}

export const engine = process.env.PARLEY_TEST_ENGINE ?? 'sqlite'
export const onPostgres = engine === 'postgres'

/** A new folder, and on Postgres a new database, deleted when the test ends. Migrated unless `empty`. */
export async function freshEnvironment(more: { empty?: boolean } = {}): Promise<Record<string, string>> {
  const folder = folderOfTest()
  if (onPostgres) {
    const database = await createDatabase(more)
    onTestFinished(database.drop)
    return { DATA_DIR: folder, DATABASE_URL: database.url }
  }
  if (!more.empty) await placeMigrated(folder)
  return { DATA_DIR: folder }
}

async function createDatabase({ empty }: { empty?: boolean }) {
  const admin = inject('postgresUrl')
  const name = `test_${randomBytes(8).toString('hex')}`
  await onServer(admin, `create database ${name} ${empty ? '' : inject('postgresCopy')}`)
  return {
    url: admin.replace(/\/postgres$/, `/${name}`),
    drop: () => onServer(admin, `drop database ${name} with (force)`),
  }
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/**
 * The real service on a real database and port. Without options, or with `shared`, it is shared by all tests of the process
 * with the same environment and features, and each call returns a new workspace in it. With other options (at least
 * `{ own: true }`) it is a separate service, stopped when the test ends.
 */
export async function startService(): Promise<Workspace>
export async function startService(start?: Start): Promise<Service>
export async function startService(start: Start = {}): Promise<Service> {
  if (start.shared || Object.keys(start).length === 0) return newWorkspace(start)
  const environment = { ADMIN_TOKEN: 'the-owner-of-this-test', ...(await freshEnvironment()), ...start.environment }
  return startOn(environment, start)
}

const shared = new Map<string, Promise<Service>>()

async function startShared(more: Record<string, string>, features: Feature[]): Promise<Service> {
  const folder = makeFolder('shared')
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  if (!onPostgres) await placeMigrated(folder)
  const environment: Record<string, string> = {
    DATA_DIR: folder,
    ADMIN_TOKEN: 'the-owner-of-all-tests',
    ...(onPostgres && { DATABASE_URL: (await createDatabase({})).url }),
    ...more,
  }
  return launchShared(environment, { features })
}

/** Starts a service that all tests of this process share. Its folder has a name that begins with "shared". */
export async function launchShared(
  environment: Record<string, string>,
  start: Pick<Start, 'features'> = {},
): Promise<Service> {
  const service = await launch(environment, start)
  addSharedPort()
  return service
}

async function newWorkspace({ environment = {}, features = [] }: Start): Promise<Workspace> {
  const key = JSON.stringify([environment, features.map(({ name }) => name)])
  const starting = shared.get(key) ?? startShared(environment, features)
  shared.set(key, starting)
  const service = await starting
  const created = async (path: string, body: object, workspace?: string): Promise<Json> => {
    const answer = await service.ask('POST', path, {
      body,
      ...(workspace && { headers: { 'x-workspace': workspace } }),
    })
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    return answer.body.data
  }
  const { id } = await created('/workspaces', { name: `test ${randomBytes(8).toString('hex')}` })
  const { token } = await created('/tokens', { name: 'owner', role: 'owner' }, id)
  if (TestRunner.getCurrentTest()) onTestFinished(() => endBackgroundWork(service, id))
  return {
    ...service,
    ...requestsTo(service.url, token),
    workspace: id,
    close: () =>
      Promise.reject(new Error('This service is shared. Start a separate one: startService({ own: true }).')),
  }
}

/** Sources are synced and messages are indexed in the background, which would take processor time from the tests that follow. */
async function endBackgroundWork({ ctx }: Service, workspace: string): Promise<void> {
  const jobs = await ctx.db
    .selectFrom('job')
    .select('id')
    .where('workspace_id', '=', workspace)
    .where('status', 'in', ['queued', 'running'])
    .execute()
  await Promise.all(jobs.map(({ id }) => ctx.jobs.cancel(workspace, id)))
  const messages = ctx.db.selectFrom('message').select('id').where('workspace_id', '=', workspace)
  await ctx.db.deleteFrom('message_unindexed').where('id', 'in', messages).execute()
}

export async function startOn(
  environment: Record<string, string>,
  start: Omit<Start, 'environment'> = {},
): Promise<Service> {
  const service = await launch(environment, start)
  onTestFinished(() => service.close(0))
  return service
}

async function launch(environment: Record<string, string>, start: Omit<Start, 'environment'> = {}): Promise<Service> {
  const parley = await createParley(testConfig(environment), {
    ...(start.now && { now: start.now }),
    ...(start.random && { random: start.random }),
    ...(start.release && { release: start.release }),
    ...(start.providerTimeouts && { providerTimeouts: start.providerTimeouts }),
    ...(start.bodyTimeout && { bodyTimeout: start.bodyTimeout }),
    logOutput: serviceLog,
    features: [...features, ...(start.features ?? [])],
    threads: sharedThreads(),
  })
  let closed = false
  const close = async (timeout = 1000) => {
    if (closed) return
    closed = true
    await parley.close(timeout)
  }
  const url = await parley.app.listen({ port: 0, host: '127.0.0.1', backlog })
  const token = environment.ADMIN_TOKEN ?? parley.ownerToken ?? ''
  // Tests of every route call them as clients of the API do. The routes of OAuth beside it have tests of their own.
  const routes = parley.routes.filter((route) => route.url.startsWith('/api/'))
  return { ...parley, routes, close, environment, ...requestsTo(url, token) }
}

type Requests = Pick<Service, 'url' | 'token' | 'ask' | 'get' | 'post' | 'put' | 'remove' | 'tokenFor'>

/** The request methods of a service, with the given token. */
export function requestsTo(url: string, token: string): Requests {
  const ask = async (method: string, path: string, more: Ask = {}): Promise<Answer> => {
    const bearer = more.token === undefined ? token : more.token
    const content = more.raw ?? (more.body === undefined ? undefined : JSON.stringify(more.body))
    const prefix = path.startsWith('/api/') || path.startsWith('/docs') ? '' : '/api'
    const address = `${url}${prefix}${path}`
    // Half the processor time of fetch, and the suite sends many thousand requests.
    const response = await request(address, {
      method: method as Dispatcher.HttpMethod,
      headers: {
        ...(content !== undefined && { 'content-type': 'application/json' }),
        ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
        ...more.headers,
      },
      ...(content !== undefined && { body: content }),
    })
    const headers = new Headers(
      Object.entries(response.headers).flatMap(([name, values]) => [values].flat().map((value = '') => [name, value])),
    )
    const { statusCode: status } = response
    const text = await response.body.text()
    checkResponse(method, { url: address, status, headers }, text)
    const isJson = /[/+]json/.test(headers.get('content-type') ?? '')
    return { status, headers, body: isJson && text ? JSON.parse(text) : text }
  }
  return {
    url,
    token,
    ask,
    get: (path, more) => ask('GET', path, more),
    post: (path, body, more) => ask('POST', path, { ...more, ...(body !== undefined && { body }) }),
    put: (path, body, more) => ask('PUT', path, { ...more, ...(body !== undefined && { body }) }),
    remove: (path, more) => ask('DELETE', path, more),
    async tokenFor(role, more = {}) {
      const body = { name: role, role, ...(role === 'user' && { user_id: 'someone' }), ...more }
      const answer = await ask('POST', '/tokens', { body })
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
      return answer.body.data.token
    },
  }
}

/** Polls a condition until it is truthy, less often the longer it takes. The timeout of the test limits it. */
export async function until<T>(condition: () => Promise<T> | T): Promise<Exclude<T, false | null | undefined>> {
  const started = performance.now()
  for (;;) {
    const value = await condition()
    if (value) return value as Exclude<T, false | null | undefined>
    const wait = Math.min(200, Math.max(10, (performance.now() - started) / 10))
    await new Promise((resolve) => setTimeout(resolve, wait))
  }
}
