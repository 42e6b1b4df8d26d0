import { expect, it } from 'vitest'
import { startService } from '../../../../test/harness.ts'
import { type ApiAnswer, mayCallLoopback, scriptedApi } from '../../../../test/scripted-api.ts'

/** A token server and an API that takes only its newest token. */
async function withOauth(more: { life?: number; answer?: (count: number) => ApiAnswer } = {}) {
  const clock = { now: Date.now() }
  const service = await startService({ environment: mayCallLoopback.environment, now: () => clock.now })
  let count = 0
  let valid = ''
  const tokens = await scriptedApi(async () => {
    count++
    valid = `token-number-${count}`
    return (
      more.answer?.(count) ?? { body: { access_token: valid, token_type: 'Bearer', expires_in: more.life ?? 3600 } }
    )
  })
  const api = await scriptedApi(({ headers }) => ({
    status: headers.authorization === `Bearer ${valid}` ? 200 : 401,
    body: { echo: headers.authorization },
  }))
  const auth = {
    type: 'oauth2_client_credentials',
    token_url: `${tokens.url}/token`,
    client_id: 'the client',
    client_secret: 'sesame:open&up',
    scope: 'read write',
  }
  const made = await service.post('/api-tools', { name: 'o', description: 'D', url: `${api.url}/x`, auth })
  const { id } = made.body.data
  const test = async () => (await service.post(`/api-tools/${id}/test`, {})).body.data
  return { ...service, clock, tokens, api, test, id, revoke: () => (valid = 'none') }
}

it('requests a token, caches it and renews it shortly before it expires', async () => {
  const { test, tokens, clock, api } = await withOauth({ life: 600 })
  expect(await test()).toMatchObject({ ok: true, status: 200 })
  const { headers, body } = tokens.requests[0] ?? { headers: {}, body: '' }
  expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
    grant_type: 'client_credentials',
    scope: 'read write',
  })
  expect(Buffer.from(headers.authorization?.slice(6) ?? '', 'base64').toString()).toBe('the+client:sesame%3Aopen%26up')
  await Promise.all([test(), test(), test()])
  expect([tokens.requests.length, api.requests.length]).toEqual([1, 4])
  clock.now += 560_000
  expect((await test()).ok).toBe(true)
  expect(tokens.requests.length).toBe(1)
  clock.now += 20_000
  const many = await Promise.all([test(), test(), test(), test()])
  expect(many.every(({ ok }) => ok)).toBe(true)
  expect(tokens.requests.length).toBe(2)
})

it('requests a new token once when the API answers 401', async () => {
  const { test, tokens, revoke, api } = await withOauth()
  await test()
  revoke()
  expect((await test()).ok).toBe(true)
  expect([tokens.requests.length, api.requests.length]).toEqual([2, 3])
})

it('sends the secret in the body to servers that reject basic authentication', async () => {
  const { test, tokens } = await withOauth({
    answer: (count) =>
      count === 1
        ? { status: 401, body: { error: 'invalid_client' } }
        : { body: { access_token: `token-number-${count}` } },
  })
  expect((await test()).ok).toBe(true)
  expect(Object.fromEntries(new URLSearchParams(tokens.requests[1]?.body))).toMatchObject({
    client_id: 'the client',
    client_secret: 'sesame:open&up',
  })
})

it('reports the error of the token server without the secret', async () => {
  const { test, api } = await withOauth({
    answer: () => ({ status: 400, body: { error: 'invalid_scope', error_description: 'not with sesame:open&up' } }),
  })
  const result = await test()
  expect(result).toMatchObject({ ok: false, status: null, error: expect.stringContaining('invalid_scope') })
  expect(JSON.stringify(result)).not.toContain('sesame')
  expect(api.requests).toEqual([])
})

it('masks encoded credentials, and a token that came with an error', async () => {
  const basic = Buffer.from('the+client:sesame%3Aopen%26up').toString('base64')
  const plain = Buffer.from('the client:sesame:open&up').toString('base64')
  const { test } = await withOauth({
    answer: () => ({
      status: 403,
      body: {
        access_token: 'token-of-no-use',
        error: `not token-of-no-use with Basic ${basic}`,
        error_description: `nor ${plain}, ${'x'.repeat(180)} sesame:open&up`,
      },
    }),
  })
  const { error } = await test()
  expect(error).toContain('(not •••• with Basic ••••: nor ••••, xxx')
  expect(error).not.toContain('sesame')
})

it('masks a token that the API echoes', async () => {
  const { test } = await withOauth()
  const result = await test()
  expect(result.body).toEqual({ echo: 'Bearer ••••' })
  expect(result.request.headers.authorization).toBe('••••')
})
