import { describe, expect, it } from 'vitest'
import { startService } from './harness.ts'

describe('the rate limit', () => {
  it('is exact and returns the remaining requests and the time to wait', async () => {
    const now = Date.parse('2026-01-01T00:00:00Z')
    const { get } = await startService({ environment: { RATE_LIMIT: '10' }, now: () => now })
    const answers = await Promise.all(Array.from({ length: 15 }, () => get('/agents')))
    const statuses = answers.map((answer) => answer.status).sort()
    expect(statuses).toEqual([...Array(10).fill(200), ...Array(5).fill(429)])
    const left = answers
      .filter((answer) => answer.status === 200)
      .map((answer) => Number(answer.headers.get('x-ratelimit-remaining')))
    expect(left.sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    const limited = answers.find((answer) => answer.status === 429)
    expect(limited?.body.code).toBe('rate_limited')
    expect(Number(limited?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(limited?.headers.get('ratelimit-policy')).toBe('"default";q=10;w=60')
    const [, seconds] = /^"default";r=0;t=(\d+)$/.exec(limited?.headers.get('ratelimit') ?? '') ?? []
    expect(Number(seconds)).toBeGreaterThan(0)
    expect(Number(seconds)).toBeLessThanOrEqual(60)
    expect(limited?.headers.get('x-ratelimit-limit')).toBe('10')
    expect(Number(limited?.headers.get('x-ratelimit-reset'))).toBe(now / 1000 + Number(seconds))
  })

  it('counts failed authentication against the address, without affecting valid tokens', async () => {
    const { get } = await startService({ environment: { RATE_LIMIT: '5' } })
    const guesses = []
    for (let i = 0; i < 7; i++) guesses.push((await get('/agents', { token: `guess-${i}` })).status)
    expect(guesses).toEqual([401, 401, 401, 401, 401, 429, 429])
    expect((await get('/agents')).status).toBe(200)
    expect((await get('/health', { token: null })).status).toBe(200)
  })
})
