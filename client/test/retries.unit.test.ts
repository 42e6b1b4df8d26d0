import { expect, it, onTestFinished, vi } from 'vitest'
import { isParleyError, Parley } from '../src/index.ts'

interface Asked {
  method: string
  key: string | null
}

const failure = (status: number, code: string, headers: Record<string, string> = {}) =>
  Response.json({ success: false, error: 'No.', code, request_id: 'req_1' }, { status, headers })
const fine = () => Response.json({ success: true, data: { id: 'agt_1' } })

/** A client whose requests are answered by these, in this order. */
function answering(...answers: (() => Response)[]) {
  const asked: Asked[] = []
  const parley = new Parley({
    baseUrl: 'http://parley.test',
    fetch: async (_input, init) => {
      asked.push({ method: init?.method ?? '', key: new Headers(init?.headers).get('idempotency-key') })
      const answer = answers.shift()
      if (!answer) throw new TypeError('nothing left to answer')
      return answer()
    },
  })
  return { parley, asked }
}
const lost = () => {
  throw new TypeError('the network is away')
}

it('retries a POST with the same key after a lost response or a conflict', async () => {
  const { parley, asked } = answering(
    lost,
    () => failure(429, 'rate_limited', { 'retry-after': '0' }),
    () => failure(409, 'idempotency_in_progress', { 'retry-after': '0' }),
    fine,
  )
  expect(await parley.agents.create({ name: 'A' })).toEqual({ id: 'agt_1' })
  expect(asked).toHaveLength(4)
  expect(new Set(asked.map(({ key }) => key)).size).toBe(1)
  expect(asked[0]?.key).toMatch(/^[0-9a-f]{32}$/)
})

it('waits as long as Retry-After says', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { parley, asked } = answering(() => failure(503, 'overloaded', { 'retry-after': '10' }), fine)
  const got = parley.agents.get('agt_1')
  await vi.advanceTimersByTimeAsync(9999)
  expect(asked).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(251) // with jitter
  expect(await got).toEqual({ id: 'agt_1' })
})

it('does not retry client errors, nor a conditional change after a lost response', async () => {
  for (const [status, code] of [
    [400, 'invalid_request'],
    [409, 'conversation_busy'],
    [500, 'internal_error'],
    [502, 'provider_error'],
  ] as const) {
    const { parley, asked } = answering(() => failure(status, code), fine)
    await expect(parley.agents.create({ name: 'A' })).rejects.toMatchObject({ code })
    expect(asked).toHaveLength(1)
  }
  const { parley, asked } = answering(lost, fine)
  await expect(parley.agents.update('agt_1', {}, { ifMatch: '"1"' })).rejects.toMatchObject({
    code: 'connection_failed',
  })
  expect(asked).toHaveLength(1)
})

it('treats a delete whose response was lost as done', async () => {
  const { parley, asked } = answering(lost, () => failure(404, 'not_found'))
  await parley.agents.delete('agt_1')
  expect(asked).toHaveLength(2)
  const again = answering(() => failure(404, 'not_found'))
  await expect(again.parley.agents.delete('agt_1')).rejects.toMatchObject({ code: 'not_found' })
})

it('retries gateway errors up to the limit', async () => {
  const page = () => new Response('<h1>Bad gateway</h1>', { status: 502 })
  const { parley, asked } = answering(page, fine)
  await parley.agents.create({ name: 'A' })
  expect(asked).toHaveLength(2)
  const hopeless = answering(lost, lost)
  await expect(hopeless.parley.agents.get('agt_1', { maxRetries: 1 })).rejects.toMatchObject({
    code: 'connection_failed',
  })
  const wrong = answering(() => new Response('<h1>Welcome to another site</h1>', { status: 404 }))
  await expect(wrong.parley.agents.get('agt_1')).rejects.toMatchObject({ code: 'unexpected_response', status: 404 })
})

it('stops waiting when aborted', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { parley, asked } = answering(() => failure(429, 'rate_limited', { 'retry-after': '50' }), fine)
  const stop = new AbortController()
  const reason = new Error('never mind')
  const got = expect(parley.agents.get('agt_1', { signal: stop.signal })).rejects.toMatchObject(aborted(reason))
  await vi.advanceTimersByTimeAsync(49_999)
  stop.abort(reason)
  await got
  expect(asked).toHaveLength(1)
})

it('throws an error of its own when aborted, whose cause is the reason', async () => {
  const reason = new Error('never mind')
  const stop = new AbortController()
  const { signal } = stop
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  stopped.catch(() => {})
  signal.addEventListener('abort', () => reject(reason))
  const hanging = new Parley({ baseUrl: 'http://parley.test', fetch: () => stopped })
  const body = new ReadableStream({ pull: () => stopped })
  const cut = answering(() => new Response(body, { headers: { 'content-type': 'application/json' } })).parley
  const asked = [
    cut.status({ signal }),
    hanging.status({ signal }),
    hanging.agents.list({}, { signal }).all(),
    hanging.conversations.stream('cnv_1', 'Hi', { signal }).next(),
    hanging.agents.tryStream('agt_1', { messages: [] }, { signal }).next(),
    hanging.conversations.export({}, { signal }).next(),
    hanging.files.upload(new File(['x'], 'a.txt'), { signal }),
  ]
  const thrown = Promise.all(asked.map((each) => each.catch((error: unknown) => error)))
  stop.abort(reason)
  for (const error of await thrown) {
    expect(error).toMatchObject(aborted(reason))
    expect([isParleyError(error, 'aborted'), isParleyError(error, 'timeout')]).toEqual([true, false])
  }
})

const aborted = (cause: unknown) => ({ name: 'ParleyError', code: 'aborted', status: 0, cause })

it('times out', async () => {
  const parley = new Parley({
    baseUrl: 'http://parley.test',
    timeout: 20,
    fetch: (_input, init) =>
      new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))),
  })
  await expect(parley.status()).rejects.toMatchObject({ code: 'timeout' })
})
