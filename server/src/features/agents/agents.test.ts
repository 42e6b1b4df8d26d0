import { describe, expect, it } from 'vitest'
import { startService } from '../../../test/harness.ts'

describe('agents', () => {
  it('are stored with all fields, and listed with a few', async () => {
    const { get, post } = await startService()
    const body = {
      name: 'Support',
      description: 'Helps',
      system_prompt: 'Be kind.',
      temperature: 0.3,
      top_p: 0.9,
      stop: ['END', '\n\n'],
      seed: 9_007_199_254_740_991,
      reasoning_effort: 'low',
      tool_choice: 'none',
      parallel_tool_calls: false,
      max_tokens: 100,
      max_steps: 5,
      topics: ['billing', 'Lieferung'],
      type: 'assistant',
      status: 'archived',
      metadata: { team: 'a', 日本: '語' },
    }
    const created = await post('/agents', body)
    expect(created.body.data).toMatchObject({ ...body, tools: [], model_id: null, fallback_model_ids: [], version: 1 })
    expect((await get(`/agents/${created.body.data.id}`)).body.data).toEqual(created.body.data)
    const { data } = (await get('/agents?type=assistant&status=archived')).body
    expect(data.length).toBe(1)
    expect(Object.keys(data[0]).sort()).toEqual([
      'created_at',
      'description',
      'id',
      'model_id',
      'name',
      'status',
      'temperature',
      'tools',
    ])
  })

  it('refer to models by id, or by the name of the provider if it is unique', async () => {
    const { get, post, put, remove } = await startService()
    const make = async (model_id: string) =>
      (await post('/models', { name: 'M', provider: 'ollama', model_id })).body.data.id
    const llama = await make('llama')
    await make('twin')
    await make('twin')
    const byId = await post('/agents', { name: 'A', model_id: llama })
    const byName = await post('/agents', { name: 'B', model_id: 'llama' })
    expect([byId.body.data.model_id, byName.body.data.model_id]).toEqual([llama, 'llama'])
    expect((await get(`/agents?model_id=${llama}`)).body.pagination.total).toBe(2)
    const twin = await make('llama')
    expect((await put(`/agents/${byName.body.data.id}`, byName.body.data)).status).toBe(200)
    expect((await get(`/agents?model_id=${llama}`)).body.pagination.total).toBe(2)
    await remove(`/models/${twin}`)
    const ambiguous = await post('/agents', { name: 'C', model_id: 'twin' })
    expect([ambiguous.status, ambiguous.body.details[0].path]).toEqual([400, 'model_id'])
    const unknown = await post('/agents', { name: 'C', model_id: 'none' })
    expect([unknown.status, unknown.body.code]).toEqual([400, 'unknown_reference'])
    expect((await post('/agents', { name: 'C', model_id: 'parley-static-256' })).body.details[0].path).toBe('model_id')
    const fallback = await post('/agents', { name: 'C', fallback_model_ids: ['llama', 'none'] })
    expect([fallback.body.code, fallback.body.details[0].path]).toEqual(['unknown_reference', 'fallback_model_ids[1]'])
    const refused = await remove(`/models/${llama}`)
    expect([refused.status, refused.body.code, refused.body.details.length]).toEqual([409, 'in_use', 2])
    for (const agent of [byId, byName]) await remove(`/agents/${agent.body.data.id}`)
    expect((await remove(`/models/${llama}`)).status).toBe(200)
  })

  it('have versions that can be listed and restored', async () => {
    const { get, post, put, remove, tokenFor } = await startService()
    const { id } = (await post('/agents', { name: 'One', temperature: 1 })).body.data
    const token = await tokenFor('editor', { name: 'Phone of Ada', user_id: 'ada' })
    expect((await put(`/agents/${id}`, { name: 'Two', temperature: null }, { token })).body.data.version).toBe(2)
    const revoked = (await get(`/agents/${id}/versions/2`)).body.data.created_by
    expect((await remove(`/tokens/${revoked}`)).status).toBe(200)
    expect((await put(`/agents/${id}`, { name: 'Two' })).body.data.version).toBe(2)
    const restored = (await post(`/agents/${id}/versions/1/restore`)).body.data
    expect(restored).toMatchObject({ name: 'One', temperature: 1, version: 3 })
    const { data } = (await get(`/agents/${id}/versions?limit=2`)).body
    expect(
      data.map((each: { version: number; snapshot: { name: string } }) => [each.version, each.snapshot.name]),
    ).toEqual([
      [3, 'One'],
      [2, 'Two'],
    ])
    expect(data[1]).toMatchObject({ created_by: revoked, author_id: 'ada', author_name: 'Phone of Ada' })
    expect((await post(`/agents/${id}/versions/7/restore`)).status).toBe(404)
    await remove(`/agents/${id}`)
    expect((await get(`/agents/${id}/versions`)).status).toBe(404)
  })

  it('keep references consistent under concurrent changes', async () => {
    const { get, post, remove } = await startService()
    for (let round = 0; round < 5; round++) {
      const model = (await post('/models', { name: 'M', provider: 'ollama', model_id: `m${round}` })).body.data.id
      const [deleted, ...created] = await Promise.all([
        remove(`/models/${model}`),
        ...Array.from({ length: 5 }, () => post('/agents', { name: 'A', model_id: model })),
      ])
      const users = created.filter((answer) => answer.status === 201)
      if (deleted?.status === 200) expect(users).toEqual([])
      else expect([deleted?.body.code, (await get(`/models/${model}`)).status]).toEqual(['in_use', 200])
    }
  })
})
