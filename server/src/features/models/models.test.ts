import { describe, expect, it, onTestFinished } from 'vitest'
import { startService } from '../../../test/harness.ts'
import { scriptedApi } from '../../../test/scripted-api.ts'
import { scriptedProvider } from '../../../test/scripted-provider.ts'

const openai = { name: 'GPT', provider: 'openai', model_id: 'gpt-4o', api_key: 'sk-secret-key-1234' }

describe('models', () => {
  it('exist from the start, without key or network', async () => {
    const { get, post, put, remove } = await startService()
    const { data } = (await get('/models?provider=local&order=asc')).body
    expect(
      data.map((model: { model_id: string; type: string; is_default: boolean }) => [
        model.model_id,
        model.type,
        model.is_default,
      ]),
    ).toEqual([
      ['parley-extractive', 'chat', true],
      ['all-MiniLM-L6-v2', 'embedding', true],
      ['parley-static-256', 'embedding', false],
    ])
    expect(data[0].api_key_set).toBe(false)
    expect((await remove(`/models/${data[0].id}`)).body.code).toBe('in_use')
    expect((await put(`/models/${data[0].id}`, { provider: 'openai' })).status).toBe(400)
    expect((await post('/models', { name: 'X', provider: 'local', model_id: 'gpt' })).status).toBe(400)
    expect((await post(`/models/${data[0].id}/test`)).body.data).toMatchObject({ ok: true, error: null })
    for (const { id } of data.slice(1)) {
      expect((await post(`/models/${id}/test`)).body.data).toMatchObject({ ok: true, error: null })
    }
  })

  it('store their key encrypted and return only a hint', async () => {
    const { ctx, get, post, put } = await startService()
    const created = await post('/models', openai)
    expect(created.status).toBe(201)
    const { id } = created.body.data
    const answers = [
      created,
      await get(`/models/${id}`),
      await get('/models'),
      await put(`/models/${id}`, { name: 'GPT 2' }),
    ]
    for (const { body } of answers) expect(JSON.stringify(body)).not.toContain('sk-secret-key')
    expect(created.body.data).toMatchObject({ api_key_set: true, api_key_hint: '1234' })
    expect('api_key' in created.body.data).toBe(false)
    const rows = JSON.stringify(await ctx.db.selectFrom('model').selectAll().execute())
    expect(rows).not.toContain('sk-secret-key')
    expect(rows).not.toContain(Buffer.from('sk-secret-key').toString('base64').slice(0, 12))
    const cleared = await put(`/models/${id}`, { api_key: null })
    expect(cleared.body.data).toMatchObject({ api_key_set: false, api_key_hint: null })
  })

  it('never send a key to a new address', async () => {
    const { get, post, put } = await startService()
    const { id } = (await post('/models', openai)).body.data
    for (const change of [{ endpoint: 'https://evil.example/v1' }, { provider: 'groq' }]) {
      const moved = await put(`/models/${id}`, change)
      expect([moved.status, moved.body.details[0].path]).toEqual([400, 'api_key'])
    }
    expect((await get(`/models/${id}`)).body.data).toMatchObject({ endpoint: null, provider: 'openai' })
    const both = await put(`/models/${id}`, { endpoint: 'https://proxy.example/v1', api_key: 'sk-another-key-5678' })
    expect(both.body.data).toMatchObject({ endpoint: 'https://proxy.example/v1', api_key_hint: '5678' })
  })

  it('get their type from their name, unless it is given', async () => {
    const { get, post } = await startService()
    const made = async (body: object) => (await post('/models', { ...openai, ...body })).body.data
    expect((await made({ name: 'Vectors', model_id: 'text-embedding-3-small' })).type).toBe('embedding')
    expect((await made({ model_id: 'rerank-v3.5', type: null })).type).toBe('rerank')
    expect((await made({ model_id: 'gpt-4o' })).type).toBe('chat')
    expect((await made({ model_id: 'embeddings-expert', type: 'chat' })).type).toBe('chat')
    const local = { name: 'Second', provider: 'local', model_id: 'parley-static-256' }
    expect((await post('/models', local)).body.data.type).toBe('embedding')
    expect((await get('/models?type=embedding&provider=openai')).body.pagination.total).toBe(1)
  })

  it('are named as embedding_model by the name of the provider or their own, if one embedding model has it', async () => {
    const { post, put } = await startService()
    const embedder = (await post('/models', { ...openai, name: 'Vectors', model_id: 'text-embedding-3-small' })).body
    await post('/models', { ...openai, name: 'Vectors', model_id: 'text-embedding-3-small', type: 'chat' })
    const source = await post('/knowledge-sources', { name: 'S', type: 'text', configuration: { documents: [] } })
    const tool = (embedding_model: string) =>
      post('/rag-tools', { name: 'T', knowledge_source_id: source.body.data.id, embedding_model })
    for (const name of ['text-embedding-3-small', 'Vectors', embedder.data.id]) {
      const created = await tool(name)
      expect([created.status, created.body.data.embedding_model]).toEqual([201, name])
    }
    const chat = await tool('parley-extractive')
    expect([chat.status, chat.body.details[0].message]).toEqual([
      400,
      'must be a model of type embedding, but is of type chat',
    ])
    const second = (await post('/models', { ...openai, model_id: 'text-embedding-3-small' })).body.data.id
    const ambiguous = await tool('text-embedding-3-small')
    expect(ambiguous.status).toBe(400)
    for (const id of [embedder.data.id, second]) expect(ambiguous.body.details[0].message).toContain(id)
    expect((await put(`/models/${second}`, { name: 'Renamed' })).status).toBe(200)
    expect((await tool('Vectors')).status).toBe(201)
    expect((await tool('Nothing')).body.code).toBe('unknown_reference')
  })

  it('are named where a reference matches none', async () => {
    const { post } = await startService()
    const { id } = (await post('/models', { ...openai, model_id: 'chat-1' })).body.data
    await post('/models', { ...openai, name: 'E', model_id: 'text-embedding-3-small' })
    const { status, body } = await post('/agents', { name: 'A', model_id: 'gpt-4' })
    expect([status, body.code, body.details[0].path]).toEqual([400, 'unknown_reference', 'model_id'])
    expect(body.error).toContain(`there is no model "gpt-4" in this workspace; there are: chat-1 (${id}), `)
    expect(body.error).not.toContain('text-embedding-3-small')
  })

  it('accept prices in both forms and return the one that was sent, too', async () => {
    const { post, put } = await startService()
    const long = await post('/models', {
      ...openai,
      pricing: { input_per_1k: 0.5, output_per_1k: 1.5, cached_input_per_1k: 0.25 },
    })
    const both = {
      input: 0.5,
      output: 1.5,
      cached_input: 0.25,
      input_per_1k: 0.5,
      output_per_1k: 1.5,
      cached_input_per_1k: 0.25,
    }
    expect(long.body.data.pricing).toEqual(both)
    const path = `/models/${long.body.data.id}`
    expect((await put(path, long.body.data)).body.data.pricing).toEqual(both)
    const raised = await put(path, { pricing: { ...both, output_per_1k: 2 } })
    expect(raised.body.data.pricing).toEqual({ ...both, output: 2, output_per_1k: 2 })
    const lowered = await put(path, { pricing: { ...raised.body.data.pricing, output: 1 } })
    expect(lowered.body.data.pricing).toEqual({ ...both, output: 1, output_per_1k: 1 })
    const unclear = await put(path, { pricing: { ...both, input: 3, input_per_1k: 4 } })
    expect([unclear.status, unclear.body.details[0].path]).toEqual([400, 'pricing.input'])
    const simple = await put(path, { pricing: { input: 1, output: 2 } })
    expect(simple.body.data.pricing).toEqual({ input: 1, output: 2 })
    const short = await post('/models', { ...openai, pricing: { input: 0.0000015, output: 2 } })
    expect(short.body.data.pricing).toEqual({ input: 0.0000015, output: 2 })
    const { id } = short.body.data
    expect((await put(`/models/${id}`, { pricing: { input: 1, output_per_1k: 1 } })).status).toBe(400)
    expect((await put(`/models/${id}`, { pricing: { input: -1 } })).status).toBe(400)
    expect((await put(`/models/${id}`, { pricing: { input: 'free' } })).body.details[0].path).toBe('pricing.input')
    expect((await put(`/models/${id}`, { pricing: null })).body.data.pricing).toBeNull()
    const halves = [{ input: 1 }, { output: 1 }, { cached_input: 1 }, { input_per_1k: 1 }, {}]
    for (const pricing of halves) {
      const refused = await put(`/models/${id}`, { pricing })
      expect([refused.status, refused.body.details[0].path]).toEqual([
        400,
        'input' in pricing || 'input_per_1k' in pricing ? 'pricing.output' : 'pricing.input',
      ])
    }
    const embedder = await post('/models', { ...openai, model_id: 'text-embedding-3-small', pricing: { input: 1 } })
    expect(embedder.body.data.pricing).toEqual({ input: 1, output: 0 })
  })

  it("have the price that is known for them at their provider's own address", async () => {
    const { post, put } = await startService()
    const made = async (body: object) => (await post('/models', { ...openai, ...body })).body.data
    const known = await made({})
    expect([known.pricing, known.warnings]).toEqual([{ input: 0.0025, output: 0.01, cached_input: 0.00125 }, []])
    const cleared = (await put(`/models/${known.id}`, { pricing: null })).body.data
    expect([cleared.pricing, cleared.warnings]).toMatchObject([null, [{ code: 'price_unknown' }]])
    expect((await put(`/models/${known.id}`, { name: 'Renamed' })).body.data.pricing).toBe(null)
    expect((await made({ pricing: null })).pricing).toBe(null)
    expect((await made({ pricing: { input: 0, output: 0 } })).pricing).toEqual({ input: 0, output: 0 })
    for (const other of [{ endpoint: 'https://proxy.example/v1' }, { model_id: 'my-own-1' }])
      expect((await made(other)).pricing).toBe(null)
  })

  it('have one default of each type', async () => {
    const { get, post, put, remove } = await startService()
    const first = (await post('/models', { ...openai, is_default: true })).body.data
    const second = (await post('/models', { ...openai, name: 'Second' })).body.data
    const defaults = async () =>
      (await get('/models?is_default=true&order=asc')).body.data.map((model: { name: string }) => model.name)
    expect(await defaults()).toEqual(['Local MiniLM', 'GPT'])
    await put(`/models/${second.id}`, { is_default: true })
    expect(await defaults()).toEqual(['Local MiniLM', 'Second'])
    expect((await put(`/models/${second.id}`, { is_default: false })).status).toBe(400)
    await remove(`/models/${second.id}`)
    expect(await defaults()).toEqual(['Local extractive', 'Local MiniLM'])
    expect((await get(`/models/${first.id}`)).body.data.is_default).toBe(false)
  })

  it('always include the local ones, which may be duplicated', async () => {
    const { get, post, remove } = await startService()
    const builtIn = (await get('/models?model_id=parley-extractive')).body.data[0].id
    const local = { name: 'Second', provider: 'local', model_id: 'parley-extractive' }
    const second = (await post('/models', local)).body.data.id
    const other = (await post('/models', { ...openai, is_default: true })).body.data.id
    expect((await remove(`/models/${other}`)).status).toBe(200)
    expect((await get(`/models/${builtIn}`)).body.data.is_default).toBe(true)
    expect((await remove(`/models/${second}`)).status).toBe(200)
    const refused = await remove(`/models/${builtIn}`)
    expect([refused.status, refused.body.code]).toEqual([409, 'in_use'])
  })

  it('are refused with invalid and link-local endpoints', async () => {
    const { post } = await startService()
    const at = (endpoint: string) => post('/models', { ...openai, endpoint })
    for (const endpoint of [
      'http://169.254.169.254/latest',
      'http://[fe80::1]/v1',
      'http://[::ffff:169.254.169.254]/',
      'http://2852039166/',
    ]) {
      expect([endpoint, (await at(endpoint)).body.code]).toEqual([endpoint, 'egress_blocked'])
    }
    for (const endpoint of ['ftp://host/', 'file:///etc/passwd', 'nonsense', 'http://', 'http://user:pass@host/']) {
      expect([endpoint, (await at(endpoint)).body.details?.[0]?.path]).toEqual([endpoint, 'endpoint'])
    }
    expect((await at('http://10.0.0.5:8000/v1')).status).toBe(201)
    expect(
      (await post('/models', { name: 'X', provider: 'openai-compatible', model_id: 'x' })).body.details[0].path,
    ).toBe('endpoint')
    expect(
      (await post('/models', { name: 'X', provider: 'acme', model_id: 'x', endpoint: 'http://127.0.0.1:1/v1' })).status,
    ).toBe(201)
  })

  it('can be tested, and report what failed', async () => {
    const provider = await scriptedProvider()
    onTestFinished(() => provider.close())
    const { get, post, put } = await startService()
    const { id } = (await post('/models', { ...openai, endpoint: provider.url })).body.data
    const good = await post(`/models/${id}/test`)
    expect(good.body.data).toMatchObject({ ok: true, error: null })
    expect(good.body.data.latency_ms).toBeGreaterThanOrEqual(0)
    expect(provider.requests[0]).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer sk-secret-key-1234' },
      body: { model: 'gpt-4o' },
    })
    provider.next({ status: 401, body: { error: { message: 'Incorrect API key sk-secret-key-1234' } } })
    const bad = (await post(`/models/${id}/test`)).body.data
    expect(bad.ok).toBe(false)
    expect(bad.error).toContain('401')
    expect(bad.error).not.toContain('sk-secret-key')
    const shown = async () => (await get(`/models/${id}`)).body.data.last_test
    expect(await shown()).toEqual({ ...bad, tested_at: expect.stringMatching(/Z$/) })
    await put(`/models/${id}`, { name: 'Renamed' })
    expect((await shown()).ok).toBe(false)
    await put(`/models/${id}`, { model_id: 'gpt-4o-mini' })
    expect(await shown()).toBeNull()
    await put(`/models/${id}`, { model_id: 'gpt-4o' })
    const embedding = { name: 'E', provider: 'ollama', model_id: 'e', type: 'embedding', endpoint: provider.url }
    const embedder = (await post('/models', embedding)).body.data.id
    expect((await post(`/models/${embedder}/test`)).body.data.ok).toBe(true)
    const unknown = (await post('/models', { ...openai, provider: 'constructor', endpoint: provider.url })).body.data.id
    expect((await post(`/models/${unknown}/test`)).body.data.ok).toBe(true)
    await provider.refuse()
    const away = (await post(`/models/${id}/test`)).body.data
    expect([away.ok, /reach|connect/i.test(away.error)]).toEqual([false, true])
  })

  it('can be tested before they are stored, with the key of a stored one at the same address', async () => {
    const provider = await scriptedProvider()
    onTestFinished(() => provider.close())
    const { get, post } = await startService()
    const draft = { provider: 'openai', model_id: 'gpt-4o', endpoint: provider.url }
    const count = async () => (await get('/models')).body.pagination.total
    const before = await count()
    const good = await post('/models/check', { ...draft, api_key: 'sk-new-key-9876' })
    expect([good.status, good.body.data]).toMatchObject([200, { ok: true, error: null }])
    provider.next({ status: 401, body: { error: { message: 'Incorrect API key sk-new-key-9876' } } })
    const bad = (await post('/models/check', { ...draft, api_key: 'sk-new-key-9876' })).body.data
    expect([bad.ok, bad.error.includes('401'), bad.error.includes('9876')]).toEqual([false, true, false])
    expect(await count()).toBe(before)
    const { id } = (await post('/models', { ...openai, endpoint: provider.url })).body.data
    await post('/models/check', { ...draft, model: id })
    expect(provider.requests.at(-1)?.headers.authorization).toBe('Bearer sk-secret-key-1234')
    await post('/models/check', { ...draft, endpoint: `${provider.url}/other`, model: id })
    expect(provider.requests.at(-1)?.headers.authorization ?? '').not.toContain('sk-secret-key')
    expect((await get('/usage/costs')).body.data.total_cost).toBe(0)
  })

  it('are listed by their provider, with what is known of them', async () => {
    const api = await scriptedApi(({ url: path, headers }) => {
      if (headers.authorization !== 'Bearer good-key-1234' && headers['x-api-key'] !== 'good-key-1234')
        return { status: 401, body: { error: { message: `No such key: ${headers.authorization}` } } }
      if (path.startsWith('/v1/models')) {
        const own = { id: 'own-model', context_length: 4096, pricing: { prompt: '0.000001', completion: '0.000002' } }
        const retiring = { id: 'gpt-4o-mini-2024-07-18', shutdown_date: '2027-03-31' }
        return { body: { data: [retiring, own, { id: 'text-embedding-3-small' }, {}, null] } }
      }
      return { status: 404, body: {} }
    })
    const { post } = await startService()
    const at = { provider: 'openai', endpoint: `${api.url}/v1`, api_key: 'good-key-1234' }
    const listed = await post('/models/available', at)
    expect(listed.body.data).toEqual({
      status: 'listed',
      error: null,
      models: [
        {
          model_id: 'gpt-4o-mini-2024-07-18',
          type: 'chat',
          context_window: 128_000,
          pricing: { input: 0.00015, output: 0.0006, cached_input: 0.000075 },
          warnings: [{ code: 'shutdown', message: expect.stringContaining('2027-03-31') }],
        },
        {
          model_id: 'own-model',
          type: 'chat',
          context_window: 4096,
          pricing: { input: 0.001, output: 0.002 },
          warnings: [],
        },
        {
          model_id: 'text-embedding-3-small',
          type: 'embedding',
          context_window: 8192,
          pricing: { input: 0.00002, output: 0 },
          warnings: [],
        },
      ],
    })
    expect((await post('/models/available', { ...at, provider: 'anthropic' })).body.data.status).toBe('listed')

    const refused = (await post('/models/available', { ...at, api_key: 'wrong-key-1234' })).body.data
    expect(refused).toEqual({
      status: 'refused',
      error: 'The provider answered 401: No such key: Bearer ***',
      models: [],
    })
    const elsewhere = (await post('/models/available', { ...at, endpoint: `${api.url}/v2` })).body.data
    expect([elsewhere.status, elsewhere.models]).toEqual(['unavailable', []])

    const { id } = (await post('/models', { ...openai, ...at })).body.data
    const { api_key: _, ...keyless } = at
    const stored = { ...keyless, model: id }
    expect((await post('/models/available', stored)).body.data.status).toBe('listed')
    const other = await post('/models/available', { ...stored, endpoint: `${api.url}/v1/` })
    expect(other.body.data.status).toBe('refused') // the stored key never reaches another address
    const metadata = await post('/models/available', { provider: 'x', endpoint: 'http://169.254.169.254/' })
    expect(metadata.body.code).toBe('egress_blocked')
    const nowhere = await post('/models/available', { provider: 'openai-compatible' })
    expect(nowhere.body.details[0].path).toBe('endpoint')
  })

  it.each(['openai', 'anthropic'])(
    'never tell their key, however the provider has escaped it: %s',
    async (provider) => {
      const api = await scriptedApi(() => ({ status: 401, body: '{"detail":{"x":"SEKRIT\\/k\\u0026y+zzzz"}}' }))
      const { post } = await startService()
      const model = { ...openai, provider, api_key: 'SEKRIT/k&y+zzzz', endpoint: `${api.url}/v1` }
      const { id } = (await post('/models', model)).body.data
      expect((await post(`/models/${id}/test`)).body.data.error).toBe(
        'The provider answered 401: {"detail":{"x":"***"}}',
      )
    },
  )
})
