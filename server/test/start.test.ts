import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createParley } from '../src/app.ts'
import { ConfigError } from '../src/kernel/config.ts'
import type { Context } from '../src/kernel/context.ts'
import { thisRelease } from '../src/kernel/store/release.ts'
import { closedPort } from './closed-port.ts'
import { testConfig } from './config.ts'
import { freshEnvironment, type Json, requestsTo, startOn, until } from './harness.ts'
import { startProcess } from './process.ts'
import { scriptedProvider } from './scripted-provider.ts'
import { serviceLog } from './service-log.ts'
import { sharedThreads } from './shared-threads.ts'

const readJson = async (response: Response): Promise<Json> => response.json()
const asToken = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

describe('a start', () => {
  it('prints its URL and, the first time only, a sign-in link; kill -9 loses no acknowledged write', async () => {
    const environment: Record<string, string> = { ...(await freshEnvironment({ empty: true })), DEMO: 'false' }
    const first = startProcess(environment)
    const address = await first.address
    await until(() => first.output().includes('#token='))
    const token = /#token=(\S+)/.exec(first.output())?.[1] ?? ''
    expect(token).toMatch(/^parley_/)
    const file = join(environment.DATA_DIR ?? '', 'owner-token')
    expect(readFileSync(file, 'utf8').trim()).toBe(token)
    for (const name of ['owner-token', 'secret-key']) {
      expect(statSync(join(environment.DATA_DIR ?? '', name)).mode & 0o777).toBe(0o600)
    }
    expect((await fetch(`${address}/api/workspaces`, asToken(token))).status).toBe(200)
    expect((await readJson(await fetch(`${address}/api/workspaces`, asToken(token)))).data[0].name).toBe('default')
    first.child.kill('SIGTERM')
    expect(await first.ended).toBe(0)

    const second = startProcess(environment)
    const again = await second.address
    expect((await fetch(`${again}/api/agents`, asToken(token))).status).toBe(200)
    expect(second.output()).not.toContain('#token=')
    expect(second.output() + second.errors()).not.toContain(token)

    const { post } = requestsTo(again, token)
    const created: string[] = []
    for (let n = 0; n < 30; n++) created.push((await post('/agents', { name: `Agent ${n}` })).body.data.id)
    second.child.kill('SIGKILL')
    await second.ended
    const { url } = await startOn({ ...environment, SECRET_KEY: '' })
    const list = await requestsTo(url, token).get('/agents?limit=100&order=asc')
    expect(list.body.data.map((agent: { id: string }) => agent.id)).toEqual(created)
  })

  it('has a demo agent that works without key and network, unless disabled', async () => {
    const service = await startOn({ ...(await freshEnvironment()), ADMIN_TOKEN: 't', DEMO: 'true' })
    const [agent] = (await service.get('/agents')).body.data
    expect(agent.name).toBe('Parley guide')
    const conversation = (await service.post('/conversations', { agent_id: agent.id })).body.data.id
    const reply = (await service.post(`/conversations/${conversation}/messages`, { message: 'Hello!' })).body.data
    expect(reply).toMatchObject({ status: 'completed', finish_reason: 'stop', usage: { cost: 0 } })
    expect(reply.content).toMatch(/model/i)
  })

  it('leaves nothing in memory once it is closed', async () => {
    const closed = await startAndClose()
    setFlagsFromString('--expose-gc')
    const collectGarbage: () => void = runInNewContext('gc')
    await until(() => {
      collectGarbage()
      return closed.deref() === undefined
    })
  })

  it('accepts only the current ADMIN_TOKEN as the token of the owner, and only the SECRET_KEY that encrypted the secrets', async () => {
    const environment = { ...(await freshEnvironment()), SECRET_KEY: 'one key', DEMO: 'false' }
    const first = await startOn({ ...environment, ADMIN_TOKEN: 'first-token' })
    expect(first.ownerToken).toBeNull()
    expect((await first.get('/workspaces')).status).toBe(200)
    expect((await first.get('/agents')).body.pagination.total).toBe(0) // without DEMO
    await first.close()
    await expect(startOn({ ...environment, SECRET_KEY: 'another key' })).rejects.toThrow(
      /encrypted with another key.*SECRET_KEY/,
    )
    const second = await startOn({ ...environment, ADMIN_TOKEN: 'second-token' })
    expect((await second.get('/workspaces')).status).toBe(200)
    expect((await second.get('/workspaces', { token: 'first-token' })).status).toBe(401)
    expect((await second.get('/tokens')).body.data.length).toBe(1)
  })

  it('exits with one line if a setting is invalid', async () => {
    const { DATA_DIR = '' } = await freshEnvironment()
    const busy = createServer()
    await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void busy.close())
    const started = startProcess({ DATA_DIR, PORT: String((busy.address() as AddressInfo).port) })
    expect([await started.ended, started.errors()]).toEqual([
      1,
      expect.stringMatching(/^Port \d+ on 127.0.0.1 is in use.*\n$/),
    ])
    // These errors come to the same exit.
    writeFileSync(join(DATA_DIR, 'a-file'), '')
    const wrong: [Record<string, string>, RegExp][] = [
      [{ PORT: 'high' }, /^PORT must be a whole number from 0 to 65535, but is "high".*$/],
      [
        { DATABASE_URL: `postgres://me:hidden@127.0.0.1:${await closedPort()}/x` },
        /^.*DATABASE_URL cannot be reached.*$/,
      ],
      [{ DATA_DIR: join(DATA_DIR, 'a-file', 'below') }, /^.*data folder .* cannot be.*$/],
    ]
    for (const [setting, message] of wrong) {
      const error = await startOn({ DATA_DIR: join(DATA_DIR, 'start'), ...setting }).then(
        () => expect.unreachable('It started.'),
        (error: Error) => error,
      )
      expect(error).toBeInstanceOf(ConfigError)
      expect(error.message).toMatch(message)
      expect(error.message).not.toContain('hidden')
    }
  })

  it('accepts a database that the next release has migrated, and rejects one of the release after it', async () => {
    const environment = { ...(await freshEnvironment()), ADMIN_TOKEN: 't' }
    const feature = (year: number) => ({
      name: `of ${year}`,
      migrations: [{ name: `${year}-01-01-something-new` as const, up: async () => {} }],
    })
    const next = { release: { version: '1.1.0', previous: thisRelease.version }, features: [feature(2998)] }
    await (await startOn(environment, next)).close()
    const current = await startOn(environment)
    expect((await current.get('/agents')).status).toBe(200)
    await current.close()
    const later = { release: { version: '1.10.0', previous: '1.1.0' }, features: [...next.features, feature(2999)] }
    await (await startOn(environment, later)).close()
    await expect(startOn(environment)).rejects.toThrow(
      /newer version of Parley, 1.10.0 \(2998-01-01-something-new, 2999-01-01-something-new\).*Start 1.1.0 or newer/,
    )
    await (await startOn(environment, next)).close()
  })
})

it('logs requests without secrets, and a stop finishes running requests and turns, accepts no new ones, waits for no idle connection, and exits with 0', async () => {
  const { promise: isStopping, resolve } = Promise.withResolvers<void>()
  const provider = await scriptedProvider({ deltas: ['One ', 'two ', 'three'], hold: isStopping })
  onTestFinished(() => provider.close())
  const token = 'token-in-the-environment'
  const { address, child, ended, output, errors } = startProcess({ ...(await freshEnvironment()), ADMIN_TOKEN: token })
  const url = new URL(await address)
  const secrets = await sendSecrets(url.origin, token)
  const post = (path: string, body: object) =>
    fetch(`${url.origin}/api${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const make = async (path: string, body: object) => (await readJson(await post(path, body))).data.id
  const scripted = { name: 'M', provider: 'openai-compatible', model_id: 'm', endpoint: provider.url }
  const agent_id = await make('/agents', { name: 'A', model_id: await make('/models', scripted) })
  const paths: string[] = []
  for (let n = 0; n < 2; n++) paths.push(`/conversations/${await make('/conversations', { agent_id })}/messages`)
  const [streamed = '', whole = ''] = paths
  const silent = connect(Number(url.port), url.hostname) // browsers open connections ahead
  silent.on('error', () => {})
  const body = JSON.stringify({ name: 'Slow arrival' })
  const slow = connect(Number(url.port), url.hostname)
  let created = ''
  slow.on('data', (chunk) => {
    created += chunk
  })
  await once(slow, 'connect')
  slow.write(
    `POST /api/agents HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  )

  const stream = await post(streamed, { message: 'Hi', stream: true })
  const answer = post(whole, { message: 'Hi' })
  await until(() => provider.requests.length === 2)
  const silentClosed = once(silent, 'close')
  child.kill('SIGTERM')
  await silentClosed // although turns are running
  await until(() =>
    fetch(`${url.origin}/api/health`).then(
      () => false,
      () => true,
    ),
  )
  slow.write(body.slice(5))
  await until(() => created.includes('201 Created'))
  slow.destroy()
  resolve()
  expect(await stream.text()).toContain('three')
  expect((await readJson(await answer)).data.content).toBe('One two three')
  expect(await ended).toBe(0)
  for (const hidden of [...secrets, token]) expect(output() + errors()).not.toContain(hidden)
  const lines = output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
  expect(lines).toContainEqual(
    expect.objectContaining({ reqId: 'trace-7', method: 'GET', route: '/api/agents', status: 200 }),
  )
  expect(lines).toContainEqual(expect.objectContaining({ route: '/api/agents', status: 401 }))
})

/** Sends requests that contain secrets, and returns these. */
async function sendSecrets(url: string, token: string): Promise<string[]> {
  const { get, post } = requestsTo(url, token)
  const { token: secret } = (await post('/tokens', { name: 'T', role: 'viewer' })).body.data
  await post('/models', { name: 'M', provider: 'openai', model_id: 'm', api_key: 'sk-key-in-a-body' })
  await get('/agents?q=private-words', { headers: { 'x-request-id': 'trace-7' } })
  await get('/agents', { token: 'a-wrong-token' })
  return [secret, 'sk-key-in-a-body', 'private-words', 'a-wrong-token']
}

async function startAndClose(): Promise<WeakRef<Context>> {
  const environment = { ...(await freshEnvironment()), ADMIN_TOKEN: 'the-owner' }
  const { app, ctx, close } = await createParley(testConfig(environment), {
    threads: sharedThreads(),
    logOutput: serviceLog,
  })
  const { get } = requestsTo(await app.listen({ port: 0, host: '127.0.0.1' }), 'the-owner')
  expect((await get('/agents')).status).toBe(200)
  await close(0)
  return new WeakRef(ctx)
}
