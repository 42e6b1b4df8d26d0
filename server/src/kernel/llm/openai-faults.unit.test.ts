import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { Agent } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { failure, modelRequest } from '../../../test/model-request.ts'
import { type ScriptedProvider, scriptedProvider } from '../../../test/scripted-provider.ts'
import { Problem } from '../errors.ts'
import { languageModel } from './create-model.ts'
import { createProviderPool, type ProviderPool, type Timeouts } from './http.ts'

let provider: ScriptedProvider
let pool: ProviderPool

beforeEach(async () => {
  provider = await scriptedProvider()
  pool = createProviderPool()
})
afterEach(async () => {
  await pool.close()
  await provider.close()
})

const model = (timeouts: Partial<Timeouts> = {}) =>
  languageModel(
    { provider: 'openai-compatible', model_id: 'm', type: 'chat', endpoint: provider.url, apiKey: 'sk-secret-key' },
    { ...pool, timeouts: { ...pool.timeouts, ...timeouts } },
  )

describe('an error status', () => {
  it.each([
    [400, false],
    [401, false],
    [404, false],
    [408, true],
    [409, true],
    [429, true],
    [500, true],
    [503, true],
  ])('of %i is reported with its message', async (status, retryable) => {
    provider.next({ status, body: { error: { message: 'That was wrong.', type: 'some_error' } } })
    const error = await failure(model().generate(modelRequest()))
    expect(error).toMatchObject({ kind: 'status', status, retryable, retryAfter: null })
    expect(error.message).toBe(`The provider answered ${status}: That was wrong.`)
  })

  it('never shows the key, even where the message is cut', async () => {
    const message = `${'x'.repeat(495)}sk-secret-key is not a key`
    provider.next({ status: 401, body: { error: { message } } })
    const error = await failure(model().generate(modelRequest()))
    expect(error.message).toBe(`The provider answered 401: ${'x'.repeat(495)}*** i`)
  })

  it('includes the retry delay', async () => {
    provider.next(
      { status: 429, headers: { 'retry-after': '7' } },
      { status: 503, headers: { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() } },
      { status: 429, headers: { 'retry-after': 'soon' } },
    )
    expect((await failure(model().generate(modelRequest()))).retryAfter).toBe(7000)
    const { retryAfter } = await failure(model().generate(modelRequest()))
    expect(retryAfter).toBeGreaterThan(60_000) // the rest of the hour
    expect(retryAfter).toBeLessThanOrEqual(3_600_000)
    expect((await failure(model().generate(modelRequest()))).retryAfter).toBeNull()
  })

  it('may have HTML instead of JSON, or no body', async () => {
    provider.next({ status: 502, body: '<html>Bad gateway</html>' }, { status: 500, body: '' })
    expect((await failure(model().generate(modelRequest()))).message).toContain('502: <html>Bad gateway</html>')
    expect((await failure(model().generate(modelRequest()))).message).toBe('The provider answered 500: no explanation')
  })

  it('with an endless body is read only in part', async () => {
    provider.next({ status: 500, body: 'x'.repeat(10 * 1024 * 1024) })
    const error = await failure(model().generate(modelRequest()))
    expect(error).toMatchObject({ kind: 'status', status: 500 })
    await provider.requests[0]?.gone
  })

  it('includes redirects', async () => {
    provider.next({ status: 307, headers: { location: 'http://127.0.0.1:1/' } })
    expect(await failure(model().generate(modelRequest()))).toMatchObject({ kind: 'status', status: 307 })
  })
})

describe('a connection', () => {
  it('that is refused is retryable', async () => {
    await provider.refuse()
    const error = await failure(model().generate(modelRequest()))
    expect(error).toMatchObject({ kind: 'connection', retryable: true, status: null })
    expect(error.message).toContain('ECONNREFUSED')
    await provider.accept()
    expect((await model().generate(modelRequest())).text).toBe('Hello')
  })

  it('that is dropped before a response is retryable', async () => {
    provider.next({ fault: 'refuse' })
    expect(await failure(model().generate(modelRequest()))).toMatchObject({ kind: 'connection', retryable: true })
  })

  it('that is dropped after the headers is retryable', async () => {
    provider.next({ frames: [], fault: 'cut' })
    expect(await failure(model().generate(modelRequest()))).toMatchObject({ kind: 'connection', retryable: true })
  })

  it('to something other than HTTP is malformed', async () => {
    provider.next({ fault: 'noise' })
    expect(await failure(model().generate(modelRequest()))).toMatchObject({ kind: 'malformed' })
  })

  it('that the egress rules refuse fails with their message', async () => {
    const refusal = new Problem('egress_blocked', 'Not there.')
    const guarded = new Agent({ connect: { lookup: (_host, _options, callback) => callback(refusal, '', 0) } })
    const blocked = languageModel(
      { provider: 'x', model_id: 'm', type: 'chat', endpoint: 'http://model.example/v1', apiKey: null },
      { ...pool, dispatcher: guarded },
    )
    await expect(blocked.generate(modelRequest())).rejects.toBe(refusal)
    await guarded.destroy()
  })

  it('that is never established times out', async () => {
    // TLS to a server that never says a word.
    const sockets: Socket[] = []
    const silent = createServer((socket) => sockets.push(socket))
    await once(silent.listen(0, '127.0.0.1'), 'listening')
    const endpoint = `https://127.0.0.1:${(silent.address() as { port: number }).port}`
    const impatient = createProviderPool({ connect: 50 })
    const unreachable = languageModel({ provider: 'x', model_id: 'm', type: 'chat', endpoint, apiKey: null }, impatient)
    const error = await failure(unreachable.generate(modelRequest()))
    expect(error).toMatchObject({ kind: 'connection', retryable: true })
    expect(error.message).toBe('The provider could not be reached: the connection timed out')
    await impatient.close()
    for (const socket of sockets) socket.destroy()
    await once(silent.close(), 'close')
  })
})

describe('a reply', () => {
  it('that is cut off keeps the text so far', async () => {
    provider.next({ deltas: ['one', 'two', 'three'], fault: 'cut', after: 2 })
    const request = modelRequest()
    expect(await failure(model().generate(request))).toMatchObject({ kind: 'cut', retryable: false, usage: null })
    expect(request.pieces).toEqual(['one', 'two'])
  })

  it('that ends before the model has finished is cut off too', async () => {
    provider.next({ deltas: ['one', 'two'], fault: 'end', after: 1 })
    const error = await failure(model().generate(modelRequest()))
    expect(error).toMatchObject({ kind: 'cut', message: 'The reply broke off before the model had finished.' })
  })

  it('with an event that is not JSON is malformed and drops the connection', async () => {
    provider.next({ deltas: ['one'], fault: 'malformed', delay: 5 })
    const request = modelRequest()
    const error = await failure(model().generate(request))
    expect(error).toMatchObject({ kind: 'malformed', retryable: false })
    expect(error.message).toContain('{"choices":[{"delta')
    expect(request.pieces).toEqual(['one'])
    await provider.whenSockets(0)
  })

  it.each(['null', '7', '"text"'])('with the event %s is malformed', async (data) => {
    provider.next({ frames: [`data: ${data}\n\n`] })
    expect(await failure(model().generate(modelRequest()))).toMatchObject({ kind: 'malformed' })
  })

  it.each(['', '{}', '[]', '{"choices":[]}', 'null'])('of JSON that is %j is malformed', async (body) => {
    provider.next({ status: 200, body })
    expect(await failure(model().generate(modelRequest()))).toMatchObject({ kind: 'malformed' })
  })

  it('of JSON with an error fails with that error', async () => {
    provider.next({ status: 200, body: { error: { message: 'No such model', code: 404 } } })
    expect(await failure(model().generate(modelRequest()))).toMatchObject({ kind: 'status', status: 404 })
  })

  it('that breaks off after its usage was reported fails with that usage', async () => {
    const told = 'data: {"choices":[{"delta":{"content":"one"}}],"usage":{"prompt_tokens":9,"completion_tokens":1}}\n\n'
    provider.next({ frames: [told], fault: 'cut' })
    const error = await failure(model().generate(modelRequest()))
    expect(error).toMatchObject({ kind: 'cut', usage: { input: 9, cachedInput: 0, output: 1, reasoning: 0 } })
  })

  it.each([
    [{ message: 'Slow down', code: 429 }, 429],
    [{ message: 'The server had an error', type: 'server_error', code: null }, 500],
    [{ message: 'Odd', code: 'unknown_thing' }, null],
    ['just words', null],
  ])('with the error %j in it fails with status %s', async (error, status) => {
    provider.next({ deltas: ['one'], fault: 'error', body: { error } })
    const thrown = await failure(model().generate(modelRequest()))
    expect(thrown).toMatchObject({ kind: 'status', status })
    expect(thrown.message).toContain(typeof error === 'string' ? error : error.message)
  })

  it('that is complete but never ends is accepted, and the connection dropped', async () => {
    provider.next({ deltas: ['one'], fault: 'linger' })
    expect(await model().generate(modelRequest())).toMatchObject({ text: 'one', usage: { output: 1 } })
    await provider.whenSockets(0)
  })

  it('that breaks off after the model has finished is complete', async () => {
    provider.next({ deltas: ['one'], finishReason: 'stop', fault: 'cut', after: 2 })
    expect(await model().generate(modelRequest())).toMatchObject({ text: 'one', finishReason: 'stop', usage: null })
  })

  it('whose reader throws fails with what the reader threw', async () => {
    provider.next({ deltas: ['one', 'two'], delay: 5 })
    const fault = new Error('The reader broke.')
    const request = modelRequest({
      onText() {
        throw fault
      },
    })
    await expect(model().generate(request)).rejects.toBe(fault)
    await provider.whenSockets(0)
  })
})
