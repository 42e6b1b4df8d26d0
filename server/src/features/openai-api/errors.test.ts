import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { stage } from '../../../test/stage.ts'

const createClient = (url: string, token: string, base = '/api/openai/v1') =>
  new OpenAI({ baseURL: `${url}${base}`, apiKey: token, maxRetries: 0 })
const hi = { role: 'user', content: 'Hi' } as const
const failure = async (asked: PromiseLike<unknown>) => {
  const error = await asked.then(
    () => null,
    (thrown) => thrown,
  )
  const { status, code, type, param, message } = error ?? {}
  return { status, code, type, param, message }
}

describe('errors, as the official OpenAI client sees them', () => {
  it('have the format and status of OpenAI', async () => {
    const { url, token, agent, tokenFor, provider } = await stage()
    for (const base of ['/api/openai/v1', '/api/v1/openai/v1']) {
      const { chat, models } = createClient(url, token, base)
      expect(await failure(createClient(url, 'wrong', base).models.list())).toMatchObject({
        status: 401,
        code: 'invalid_token',
        type: 'authentication_error',
        param: null,
      })
      expect(await failure(models.retrieve('none'))).toMatchObject({
        status: 404,
        code: 'not_found',
        type: 'not_found_error',
        message: '404 There is no agent "none" in this workspace.',
      })
      expect(await failure(createClient(url, token, base).get('/nowhere'))).toMatchObject({
        status: 404,
        code: 'not_found',
        type: 'not_found_error',
      })
      expect(await failure(chat.completions.create({ model: agent, messages: [hi], temperature: 7 }))).toMatchObject({
        status: 400,
        code: 'invalid_request',
        type: 'invalid_request_error',
        param: 'temperature',
      })
    }
    const openai = createClient(url, token)
    const viewer = createClient(url, await tokenFor('viewer'))
    expect(await failure(viewer.embeddings.create({ model: 'e', input: 'x' }))).toMatchObject({
      status: 403,
      code: 'forbidden',
      type: 'permission_error',
    })
    const large = { role: 'user', content: 'x'.repeat(17 * 1024 * 1024) } as const
    expect(await failure(openai.chat.completions.create({ model: agent, messages: [large] }))).toMatchObject({
      status: 413,
      code: 'payload_too_large',
      type: 'invalid_request_error',
    })
    provider.next({ status: 401 })
    expect(await failure(openai.chat.completions.create({ model: agent, messages: [hi] }))).toMatchObject({
      status: 502,
      code: 'provider_error',
      type: 'api_error',
    })
    const limited = createClient(url, await tokenFor('editor', { rate_limit: 1 }))
    await limited.models.list()
    expect(await failure(limited.models.list())).toMatchObject({
      status: 429,
      code: 'rate_limited',
      type: 'rate_limit_error',
    })
  })

  it('also have the fields of all other errors of the service', async () => {
    const { post } = await stage()
    const { status, body } = await post('/openai/v1/chat/completions', { model: 'A', messages: [] })
    expect([status, body.success, body.code]).toEqual([400, false, 'invalid_request'])
    expect(body.request_id).toMatch(/^req_/)
    expect(body.error).toEqual({
      message: expect.stringContaining('messages'),
      type: 'invalid_request_error',
      param: 'messages',
      code: 'invalid_request',
    })
    expect(typeof (await post('/agents', {})).body.error).toBe('string')
  })

  it('end a stream that has started', async () => {
    const { url, token, agent } = await stage({ deltas: ['Hel', 'lo'], fault: 'cut', after: 1 })
    const stream = await createClient(url, token).chat.completions.create({
      model: agent,
      messages: [hi],
      stream: true,
    })
    let text = ''
    const read = async () => {
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
    }
    expect(await failure(read())).toMatchObject({ code: 'provider_error', type: 'api_error', param: null })
    expect(text).toBe('Hel')
  })

  it('report unsupported options', async () => {
    const { url, token, agent, provider } = await stage()
    const openai = createClient(url, token)
    expect(await failure(openai.chat.completions.create({ model: agent, messages: [hi], n: 2 }))).toMatchObject({
      status: 400,
      code: 'invalid_request',
      param: 'n',
    })
    expect(provider.requests).toHaveLength(0)
    const model = 'parley-static-256'
    expect(await failure(openai.embeddings.create({ model, input: 'x', dimensions: 64 }))).toMatchObject({
      status: 400,
      code: 'invalid_request',
      param: 'dimensions',
    })
    const { data } = await openai.embeddings.create({ model, input: 'x', dimensions: 256 })
    expect(data[0]?.embedding).toHaveLength(256)
    expect((await openai.chat.completions.create({ model: agent, messages: [hi], n: 1 })).choices).toHaveLength(1)
  })
})
