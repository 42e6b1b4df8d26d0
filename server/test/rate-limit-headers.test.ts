import { describe, expect, it } from 'vitest'
import { startService } from './harness.ts'

describe('the rate limit', () => {
  it('is 100 per minute by default, with headers on every response', async () => {
    const { ask, get } = await startService({ environment: { RATE_LIMIT: '' } })
    const answers = [
      await get('/agents'),
      await get('/nowhere'),
      await get('/agents', { token: null }),
      await get('/agents', { token: 'wrong' }),
      await get('/health', { token: null }),
      await get('/openapi.json', { token: null }),
      await get('/docs', { token: null }),
      await ask('POST', '/agents', { raw: '{' }),
      await get('/agents/%zz'),
    ]
    for (const { headers } of answers) expect(headers.get('ratelimit-policy')).toBe('"default";q=100;w=60')
    expect(answers.every((answer) => answer.headers.get('x-request-id'))).toBe(true)
  })

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
})
