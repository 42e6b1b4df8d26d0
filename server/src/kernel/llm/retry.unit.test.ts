import { describe, expect, it } from 'vitest'
import { modelRequest } from '../../../test/model-request.ts'
import { ProviderError } from './model.ts'
import { generateWithRetries, type RetryOptions, withRetries } from './retry.ts'

const overloaded = (retryAfter: number | null = null) =>
  new ProviderError('status', 'Too many requests.', { status: 429, retryAfter })

/** An attempt that fails with each of these in turn, and then succeeds. */
function failing(...errors: unknown[]) {
  const attempt = async () => {
    attempt.count++
    const error = errors.shift()
    if (error) throw error
    return 'done'
  }
  attempt.count = 0
  return attempt
}

function options(more: RetryOptions = {}) {
  const waits: number[] = []
  const sleep = async (milliseconds: number) => waits.push(milliseconds)
  return { signal: new AbortController().signal, sleep, random: () => 1, waits, ...more }
}

describe('retries', () => {
  it('help against transient failures, with waits that double', async () => {
    const attempt = failing(overloaded(), new ProviderError('connection', 'Reset.'), overloaded())
    const told = options({ attempts: 4 })
    expect(await withRetries(attempt, told)).toBe('done')
    expect(told.waits).toEqual([500, 1000, 2000])
  })

  it('add jitter to the waits, down to half', async () => {
    const told = options({ random: () => 0 })
    await withRetries(failing(overloaded(), overloaded()), told)
    expect(told.waits).toEqual([250, 500])
  })

  it('end with the last failure after the maximum of attempts', async () => {
    const last = overloaded()
    const attempt = failing(overloaded(), overloaded(), last)
    await expect(withRetries(attempt, options({ attempts: 3 }))).rejects.toBe(last)
    expect(attempt.count).toBe(3)
  })

  it('wait at least as long as the provider asks, and fail if it asks for too long', async () => {
    const told = options()
    await withRetries(failing(overloaded(60_000)), told)
    expect(told.waits[0]).toBeGreaterThanOrEqual(60_000)

    const attempt = failing(overloaded(60_001))
    await expect(withRetries(attempt, options())).rejects.toMatchObject({ status: 429 })
    expect(attempt.count).toBe(1)
  })

  it.each([
    new ProviderError('status', 'Wrong key.', { status: 401 }),
    new ProviderError('timeout', 'Silence.'),
    new ProviderError('cut', 'Broken off.'),
    new ProviderError('malformed', 'Nonsense.'),
    new TypeError('Our own fault.'),
  ])('do not happen for $message', async (error) => {
    const attempt = failing(error)
    await expect(withRetries(attempt, options())).rejects.toBe(error)
    expect(attempt.count).toBe(1)
  })

  it('end once something has been shown', async () => {
    let count = 0
    const attempt = async (commit: () => void) => {
      count++
      if (count === 2) commit()
      throw overloaded()
    }
    await expect(withRetries(attempt, options({ attempts: 9 }))).rejects.toMatchObject({ status: 429 })
    expect(count).toBe(2)
  })

  it('call onRetry before each wait', async () => {
    const told: unknown[] = []
    const onRetry = (error: ProviderError, wait: number) => told.push([error.status, wait])
    await withRetries(failing(overloaded()), options({ onRetry }))
    expect(told).toEqual([[429, 500]])
  })

  it('stop waiting at once when cancelled', async () => {
    const cancel = new AbortController()
    const attempt = failing(overloaded(60_000)) // as long as the test may take
    const onRetry = () => setImmediate(() => cancel.abort(new Error('Enough.')))
    await expect(withRetries(attempt, { signal: cancel.signal, onRetry })).rejects.toThrow('Enough.')
    expect(attempt.count).toBe(1)
  })

  it('never start if cancelled before', async () => {
    const attempt = failing()
    const signal = AbortSignal.abort(new Error('No.'))
    await expect(withRetries(attempt, { signal })).rejects.toThrow('No.')
    expect(attempt.count).toBe(0)
  })
})

describe('retries of a generation', () => {
  const completion = { text: 'ab', toolCalls: [], finishReason: 'stop' as const, usage: null }

  it('happen only before the first text', async () => {
    let count = 0
    const model = {
      async generate({ onText }: { onText(delta: string): void }) {
        count++
        if (count === 1) throw overloaded()
        onText('a')
        if (count === 2) throw overloaded()
        return completion
      },
    }
    const request = modelRequest()
    await expect(generateWithRetries(model, request, options({ attempts: 9 }))).rejects.toMatchObject({ status: 429 })
    expect(request.pieces).toEqual(['a'])
    expect(await generateWithRetries(model, request)).toBe(completion)
  })
})
