import { describe, expect, it } from 'vitest'
import { day, second } from '../src/kernel/time.ts'
import { type Service, startService, until } from './harness.ts'
import type { Script } from './scripted-provider.ts'
import { stage } from './stage.ts'

const key = (value: string) => ({ headers: { 'idempotency-key': value } })

describe('a POST with an idempotency key', () => {
  it('is rejected with another body or route', async () => {
    const { post } = await startService()
    await post('/agents', { name: 'A' }, key('k'))
    const other = await post('/agents', { name: 'B' }, key('k'))
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_mismatch'])
    const elsewhere = await post('/prompt-templates', { name: 'A', template: 'x' }, key('k'))
    expect([elsewhere.status, elsewhere.body.code]).toEqual([422, 'idempotency_mismatch'])
  })

  it('belongs to one token and one workspace', async () => {
    const { post, tokenFor } = await startService()
    const first = await post('/agents', { name: 'A' }, key('k'))
    const token = await tokenFor('editor')
    const other = await post('/agents', { name: 'A' }, { token, ...key('k') })
    expect(other.status).toBe(201)
    expect(other.body.data.id).not.toBe(first.body.data.id)
    const workspace = (await post('/workspaces', { name: 'W' })).body.data.id
    const there = await post(
      '/agents',
      { name: 'A' },
      { headers: { 'idempotency-key': 'k', 'x-workspace': workspace } },
    )
    expect(there.headers.get('idempotent-replayed')).toBeNull()
  })

  it('replays errors of the handler, but not of validation', async () => {
    const { post } = await startService()
    expect((await post('/agents', { name: 7 }, key('k'))).status).toBe(400)
    expect((await post('/agents', { name: 'A', tools: ['api_none'] }, key('k'))).body.code).toBe('unknown_reference')
    const replayed = await post('/agents', { name: 'A', tools: ['api_none'] }, key('k'))
    expect([replayed.status, replayed.headers.get('idempotent-replayed')]).toEqual([400, 'true'])
  })

  it('does not store temporary errors', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { say, talk, provider } = await stage({ deltas: ['Hel', 'lo'], hold: released })
    const id = await talk()
    const running = say(id, 'One')
    await until(() => provider.requests.length === 1)
    const post = () => say(id, 'Two', {}, key('k'))
    expect((await post()).body.code).toBe('conversation_busy')
    release()
    await running
    const [second, again] = [await post(), await post()]
    expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([200, null])
    expect([again.body.data.id, again.headers.get('idempotent-replayed')]).toEqual([second.body.data.id, 'true'])
  })

  it('stores secrets only encrypted', async () => {
    const { ctx, post } = await startService()
    const first = await post('/tokens', { name: 'T', role: 'viewer' }, key('k'))
    expect((await post('/tokens', { name: 'T', role: 'viewer' }, key('k'))).body).toEqual(first.body)
    const rows = await ctx.db.selectFrom('idempotency').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(first.body.data.token)
  })

  it('must have a valid key', async () => {
    const { post } = await startService()
    for (const bad of ['', 'x'.repeat(256)]) {
      expect((await post('/agents', { name: 'A' }, key(bad))).body.code).toBe('invalid_request')
    }
  })

  it('is stored for a day', async () => {
    let time = Date.parse('2026-01-01T00:00:00Z')
    const { post } = await startService({ now: () => time })
    const first = await post('/agents', { name: 'A' }, key('k'))
    time += day - second
    expect((await post('/agents', { name: 'A' }, key('k'))).body.data.id).toBe(first.body.data.id)
    time += 2 * second
    expect((await post('/agents', { name: 'A' }, key('k'))).body.data.id).not.toBe(first.body.data.id)
  })
})

describe('a streamed response to a POST with an idempotency key', () => {
  /** Sends the request until the first one has ended, and returns the response it gets then. */
  const repeated = (service: Service, path: string, body: object) =>
    until(async () => {
      const answer = await service.post(path, body, key('k'))
      if (answer.status !== 409) return answer
      expect(answer.body.code).toBe('idempotency_in_progress')
      return false
    })

  const hi = [{ role: 'user', content: 'Hi' }]
  const mcpCall = (name: string) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: { message: 'Hi' } },
  })

  it.each([
    ['a reply', '/conversations/{id}/messages', () => ({ message: 'Hi', stream: true })],
    ['a reply for the AI SDK', '/conversations/{id}/messages?protocol=ai-sdk', () => ({ message: 'Hi', stream: true })],
    [
      'a chat completion',
      '/openai/v1/chat/completions',
      (agent: string) => ({ model: agent, messages: hi, stream: true, stream_options: { include_usage: true } }),
    ],
    ['an MCP call', '/mcp', () => mcpCall('ask_a')],
  ])('is replayed: %s', async (_, path, bodyFor) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const here = await stage({ deltas: ['Hel', 'lo', '!'], hold: released })
    const url = path.replace('{id}', await here.talk())
    const running = here.post(url, bodyFor(here.agent), key('k'))
    await until(() => here.provider.requests.length === 1)
    const busy = await here.post(url, bodyFor(here.agent), key('k'))
    expect([busy.status, busy.body.code]).toEqual([409, 'idempotency_in_progress'])
    release()
    const first = await running
    const again = await repeated(here, url, bodyFor(here.agent))
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([200, null])
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
    for (const name of ['content-type', 'x-vercel-ai-ui-message-stream'])
      expect(again.headers.get(name)).toBe(first.headers.get(name))
    const events = (text: string) => text.replaceAll(': alive\n\n', '')
    expect(events(again.body)).toBe(events(first.body))
    expect(first.body).toContain('lo')
    expect(here.provider.requests).toHaveLength(1)
    const { body: mismatch } = await here.post('/agents', { name: 'B' }, key('k'))
    expect(mismatch.code).toBe('idempotency_mismatch')
  })

  it.each<[string, Script]>([
    ['failed', { deltas: ['Hel', 'lo'], delay: 5, fault: 'cut', after: 1 }],
    ['lost its client', { deltas: ['Hel', 'lo'], fault: 'stall' }],
  ])('is not stored if it %s: the next request runs', async (what, script) => {
    const here = await stage(script)
    const path = '/openai/v1/chat/completions'
    const body = { model: here.agent, messages: hi, stream: true }
    const gone = new AbortController()
    const first = await fetch(`${here.url}/api${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${here.token}`, 'content-type': 'application/json', 'idempotency-key': 'k' },
      body: JSON.stringify(body),
      signal: gone.signal,
    })
    if (what === 'failed') expect(await first.text()).toContain('provider_error')
    await until(() => here.provider.requests.length === 1) // the next one gets another reply
    gone.abort()
    here.provider.next({ deltas: ['Fine'] })
    const second = await repeated(here, path, body)
    expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([200, null])
    expect(second.body).toContain('Fine')
  })
})
