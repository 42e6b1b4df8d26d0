import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { failure, modelRequest } from '../../../test/model-request.ts'
import { type ScriptedProvider, scriptedProvider } from '../../../test/scripted-provider.ts'
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

describe('silence', () => {
  it('instead of a response times out and drops the connection', async () => {
    provider.next({ fault: 'hang' })
    const error = await failure(model({ firstByte: 50 }).generate(modelRequest()))
    expect(error).toMatchObject({ kind: 'timeout', retryable: false })
    await provider.requests[0]?.gone
    await provider.whenSockets(0)
  })

  it('after the headers counts towards the first byte', async () => {
    provider.next({ frames: [], fault: 'stall' })
    const error = await failure(model({ firstByte: 50, idle: 10_000 }).generate(modelRequest()))
    expect(error).toMatchObject({ kind: 'timeout', message: 'The provider did not start to answer within 0.05 s.' })
  })

  it('in the middle of a reply times out and drops the connection', async () => {
    provider.next({ deltas: ['one', 'two', 'three'], fault: 'stall', after: 2 })
    const request = modelRequest()
    const error = await failure(model({ idle: 50 }).generate(request))
    expect(error).toMatchObject({ kind: 'timeout' })
    expect(error.message).toContain('in the middle of the reply')
    expect(request.pieces).toEqual(['one', 'two'])
    await provider.requests[0]?.gone
  })

  it('shorter than the idle time-out is accepted', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { promise: firstRead, resolve } = Promise.withResolvers<void>()
    provider.next({ deltas: ['a', 'b'], hold: firstRead })
    const onText = (delta: string) => {
      vi.advanceTimersByTime(300)
      if (delta === 'a') resolve()
    }
    const generated = await model({ idle: 350, firstByte: 350 }).generate(modelRequest({ onText }))
    expect(generated.text).toBe('ab')
  })
})

describe('a cancelled request', () => {
  it('drops the connection at once, in the middle of the reply', async () => {
    provider.next({ deltas: ['One ', 'two ', 'three ', 'four'], fault: 'stall', after: 3 })
    const cancel = new AbortController()
    const pieces: string[] = []
    const generation = model().generate(
      modelRequest({
        signal: cancel.signal,
        onText(delta) {
          pieces.push(delta)
          if (pieces.length === 3) cancel.abort(new Error('Enough.'))
        },
      }),
    )
    await expect(generation).rejects.toThrow('Enough.')
    await provider.requests[0]?.gone
    await provider.whenSockets(0)
    expect(pieces).toHaveLength(3)
  })

  it('gets no more text, not even from the chunk that is being read', async () => {
    provider.next({ deltas: ['one', 'two', 'three'] })
    const cancel = new AbortController()
    const pieces: string[] = []
    const onText = (delta: string) => {
      pieces.push(delta)
      cancel.abort(new Error('Enough.'))
    }
    await expect(model().generate(modelRequest({ signal: cancel.signal, onText }))).rejects.toThrow('Enough.')
    expect(pieces).toEqual(['one'])
  })

  it('drops the connection before the first byte', async () => {
    provider.next({ fault: 'hang' })
    const cancel = new AbortController()
    const generation = model().generate(modelRequest({ signal: cancel.signal }))
    await expect.poll(() => provider.requests.length).toBe(1)
    cancel.abort()
    await expect(generation).rejects.toMatchObject({ name: 'AbortError' })
    await provider.requests[0]?.gone
    await provider.whenSockets(0)
  })

  it('fails at once while connecting, and nothing is sent', async () => {
    const cancel = new AbortController()
    const generation = model().generate(modelRequest({ signal: cancel.signal }))
    cancel.abort(new Error('Never mind.'))
    await expect(generation).rejects.toThrow('Never mind.')
    await model().generate(modelRequest())
    expect(provider.requests).toHaveLength(1)
  })

  it('is never sent if it was cancelled before', async () => {
    await expect(model().generate(modelRequest({ signal: AbortSignal.abort(new Error('No.')) }))).rejects.toThrow('No.')
    expect(provider.requests).toHaveLength(0)
  })
})
