import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createParley } from '../src/app.ts'
import type { Context } from '../src/kernel/context.ts'
import { thisRelease } from '../src/kernel/store/release.ts'
import { closedPort } from './closed-port.ts'
import { testConfig, testKey } from './config.ts'
import { freshEnvironment, type Json, requestsTo, startOn, until } from './harness.ts'
import { startProcess } from './process.ts'
import { scriptedProvider } from './scripted-provider.ts'
import { serviceLog } from './service-log.ts'
import { sharedThreads } from './shared-threads.ts'

const readJson = async (response: Response): Promise<Json> => response.json()
const asToken = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

describe('a start', () => {
  it('prints its URL and, the first time only, a sign-in link; the token is stored in a file', async () => {
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
  })

  it('has a demo agent that works without key and network, unless disabled', async () => {
    const service = await startOn({ ...(await freshEnvironment()), ADMIN_TOKEN: 't', DEMO: 'true' })
    const [agent] = (await service.get('/agents')).body.data
    expect(agent.name).toBe('Parley guide')
    const conversation = (await service.post('/conversations', { agent_id: agent.id })).body.data.id
    const reply = (await service.post(`/conversations/${conversation}/messages`, { message: 'Hello!' })).body.data
    expect(reply).toMatchObject({ status: 'completed', finish_reason: 'stop', usage: { cost: 0 } })
    expect(reply.content).toMatch(/model/i)
    const bare = await startOn({ ...(await freshEnvironment()), ADMIN_TOKEN: 't', DEMO: 'false' })
    expect((await bare.get('/agents')).body.pagination.total).toBe(0)
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

  it('accepts only the current ADMIN_TOKEN as the token of the owner', async () => {
    const environment = await freshEnvironment()
    const first = await startOn({ ...environment, ADMIN_TOKEN: 'first-token' })
    expect(first.ownerToken).toBeNull()
    expect((await first.get('/workspaces')).status).toBe(200)
    await first.close()
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
    writeFileSync(join(DATA_DIR, 'a-file'), '')
    const wrong: [Record<string, string>, RegExp][] = [
      [{ PORT: 'high' }, /PORT must be a whole number from 0 to 65535, but is "high"/],
      [{ DATABASE_URL: `postgres://me:hidden@127.0.0.1:${await closedPort()}/x` }, /DATABASE_URL cannot be reached/],
      [{ PORT: String((busy.address() as AddressInfo).port) }, /Port \d+ on 127.0.0.1 is in use/],
      [{ DATA_DIR: join(DATA_DIR, 'a-file', 'below') }, /data folder .* cannot be/],
    ]
    await Promise.all(
      wrong.map(async ([setting, message], index) => {
        const folder = join(DATA_DIR, `start-${index}`)
        const started = startProcess({ DATA_DIR: folder, ...setting })
        const code = await started.ended
        expect([setting, code, started.errors().trim().split('\n').length]).toEqual([setting, 1, 1])
        expect(started.errors()).toMatch(message)
        expect(started.errors()).not.toContain('hidden')
      }),
    )
  }, 300_000)

  it('rejects another SECRET_KEY than the one that encrypted the secrets', async () => {
    const environment = await freshEnvironment()
    const first = await startOn({ ...environment, SECRET_KEY: 'one key', ADMIN_TOKEN: 't' })
    await first.close()
    await expect(startOn({ ...environment, SECRET_KEY: 'another key' })).rejects.toThrow(
      /encrypted with another key.*SECRET_KEY/,
    )
    const again = await startOn({ ...environment, SECRET_KEY: 'one key', ADMIN_TOKEN: 't' })
    expect((await again.get('/health')).status).toBe(200)
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

it('logs requests with their status, and no secrets', async () => {
  const environment = { ...(await freshEnvironment()), ADMIN_TOKEN: 'token-in-the-environment' }
  const started = startProcess(environment)
  const url = await started.address
  const ask = (path: string, body?: object) =>
    fetch(`${url}/api${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: 'Bearer token-in-the-environment',
        'content-type': 'application/json',
        'x-request-id': 'trace-7',
      },
      ...(body && { body: JSON.stringify(body) }),
    })
  const { secret } = (await readJson(await ask('/tokens', { name: 'T', role: 'viewer' }))).data
  await ask('/models', { name: 'M', provider: 'openai', model_id: 'm', api_key: 'sk-key-in-a-body' })
  await ask('/agents?q=private-words')
  await fetch(`${url}/api/agents`, { headers: { authorization: 'Bearer a-wrong-token' } })
  started.child.kill('SIGTERM')
  await started.ended
  const lines = started
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
  expect(lines).toContainEqual(
    expect.objectContaining({ reqId: 'trace-7', method: 'GET', route: '/api/agents', status: 200 }),
  )
  expect(lines).toContainEqual(expect.objectContaining({ route: '/api/agents', status: 401 }))
  for (const hidden of [secret, 'token-in-the-environment', 'sk-key-in-a-body', 'a-wrong-token', 'private-words']) {
    expect(started.output() + started.errors()).not.toContain(hidden)
  }
})

describe('a stop', () => {
  it('finishes running requests and turns, accepts no new ones, waits for no idle connection, and exits with 0', async () => {
    const { promise: isStopping, resolve } = Promise.withResolvers<void>()
    const provider = await scriptedProvider({ deltas: ['One ', 'two ', 'three'], hold: isStopping })
    onTestFinished(() => provider.close())
    const environment = { ...(await freshEnvironment()), ADMIN_TOKEN: 'the-owner' }
    const { address, child, ended } = startProcess(environment)
    const url = new URL(await address)
    const post = (path: string, body: object) =>
      fetch(`${url.origin}/api${path}`, {
        method: 'POST',
        headers: { authorization: 'Bearer the-owner', 'content-type': 'application/json' },
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
      `POST /api/agents HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer the-owner\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
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
  })

  it('by kill -9 loses no acknowledged write', async () => {
    const environment = { ...(await freshEnvironment()), ADMIN_TOKEN: 'the-owner', SECRET_KEY: testKey }
    const first = startProcess(environment)
    const { post } = requestsTo(await first.address, 'the-owner')
    const created: string[] = []
    for (let n = 0; n < 30; n++) created.push((await post('/agents', { name: `Agent ${n}` })).body.data.id)
    first.child.kill('SIGKILL')
    await first.ended
    const list = await (await startOn(environment)).get('/agents?limit=100&order=asc')
    expect(list.body.data.map((agent: { id: string }) => agent.id)).toEqual(created)
  })
})

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
