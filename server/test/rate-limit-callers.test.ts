import { describe, expect, it } from 'vitest'
import { startService } from './harness.ts'

describe('the rate limit', () => {
  it('differs by token', async () => {
    const { get, tokenFor } = await startService({ environment: { RATE_LIMIT: '5' } })
    const own = await tokenFor('viewer', { rate_limit: 2 })
    const free = await tokenFor('viewer', { rate_limit: 0 })
    const statuses = async (token: string) => {
      const answers = []
      for (let i = 0; i < 8; i++) answers.push((await get('/agents', { token })).status)
      return answers
    }
    expect(await statuses(own)).toEqual([200, 200, 429, 429, 429, 429, 429, 429])
    expect(await statuses(free)).toEqual(Array(8).fill(200))
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
