import { describe, expect, it } from 'vitest'
import { echoTool } from '../../../test/echo-tool.ts'
import { startService } from '../../../test/harness.ts'
import { stage } from '../../../test/stage.ts'

describe('agents', () => {
  it('report every invalid field', async () => {
    const { post } = await startService()
    const wrong: [string, unknown[]][] = [
      ['name', ['', 'x'.repeat(201), 7, null, {}, []]],
      ['description', [7, {}, ['a']]],
      ['system_prompt', [1, true]],
      ['temperature', [-0.1, 2.1, '1', true, []]],
      ['max_tokens', [0, 1.5, '10', 1e12]],
      ['top_p', [-0.1, 1.1, '1']],
      ['stop', ['', [], ['a', 'b', 'c', 'd', 'e'], 7, 'x'.repeat(501)]],
      ['seed', [1.5, '7', 2 ** 53]],
      ['reasoning_effort', ['none', 'max', 1]],
      ['tool_choice', ['', 'any', 'api_none', 1, {}]],
      ['parallel_tool_calls', ['yes', 1]],
      ['max_steps', [0, 51, 'x']],
      ['topics', ['billing', { 0: 'a' }, 7]],
      ['tools', ['x', 5]],
      ['status', ['deleted', 1]],
      ['metadata', ['x', [], 4]],
      ['prompt_variables', ['x', 3]],
    ]
    for (const [field, values] of wrong) {
      for (const value of values) {
        const { status, body } = await post('/agents', { name: 'A', [field]: value })
        expect([field, value, status, body.details?.[0]?.path]).toEqual([field, value, 400, field])
      }
    }
    expect((await post('/agents', { name: 'A', metadata: { a: 1 } })).body.details[0].path).toBe('metadata.a')
    expect((await post('/agents', { name: 'A', topics: ['ok', 7] })).body.details[0].path).toBe('topics[1]')
  })

  it('reject tools that do not exist', async () => {
    const { post } = await startService()
    for (const id of ['rag_none', 'api_none', 'ret_none', 'nonsense', 'agt_none']) {
      const { status, body } = await post('/agents', { name: 'A', tools: [id] })
      expect([id, status, body.code, body.details[0].path]).toEqual([id, 400, 'unknown_reference', 'tools[0]'])
    }
  })

  it('pass their sampling and the choice of a tool to the model, and keep both in versions', async () => {
    const echo = echoTool()
    const { put, post, say, talk, agent, provider, ...here } = await stage(undefined, {
      shared: true,
      features: [echo.feature],
    })
    const tool = await echo.create({ ...here, get: here.get })
    const settings = { top_p: 0.5, stop: 'END', seed: 7, reasoning_effort: 'high', parallel_tool_calls: false }
    const changed = await put(`/agents/${agent}`, { tools: [tool], tool_choice: tool, ...settings })
    expect(changed.body.data).toMatchObject({ tool_choice: tool, ...settings })
    provider.next({ toolCalls: [{ name: 'echo', arguments: '{"text":"ping"}' }] }, { deltas: ['Pong'] })
    expect((await say(await talk(), 'Hi')).body.data.content).toBe('Pong')
    const [first, second] = provider.requests.map(({ body }) => body)
    const sent = { top_p: 0.5, stop: ['END'], seed: 7, reasoning_effort: 'high', parallel_tool_calls: false }
    expect(first).toMatchObject({ ...sent, tool_choice: { type: 'function', function: { name: 'echo' } } })
    expect(second).toMatchObject(sent)
    expect(second).not.toHaveProperty('tool_choice') // or it would never answer

    const removed = await put(`/agents/${agent}`, { tools: [] })
    expect([removed.status, removed.body.details[0].path]).toEqual([400, 'tool_choice'])
    const cleared = await put(`/agents/${agent}`, { tool_choice: 'none', stop: null, parallel_tool_calls: null })
    expect(cleared.body.data).toMatchObject({ tool_choice: 'none', stop: null, parallel_tool_calls: null })
    await say(await talk(), 'Hi')
    expect(provider.requests[2]?.body).toMatchObject({ tool_choice: 'none', tools: [{ type: 'function' }] })
    expect(provider.requests[2]?.body).not.toHaveProperty('stop')
    const restored = await post(`/agents/${agent}/versions/2/restore`)
    expect(restored.body.data).toMatchObject({ tool_choice: tool, ...settings })
  })

  it('reject resources that are not tools', async () => {
    const { get, post, put, remove } = await startService()
    const { id } = (await post('/agents', { name: 'A' })).body.data
    const conversation = (await post('/conversations', { agent_id: id })).body.data.id
    const token = (await post('/tokens', { name: 'T', role: 'viewer' })).body.data.id
    const workspace = (await post('/workspaces', { name: 'Other' })).body.data.id
    const model = (await get('/models')).body.data[0].id
    for (const other of [conversation, token, workspace, model]) {
      const { body } = await put(`/agents/${id}`, { tools: [other] })
      expect([other, body.code, body.details?.[0].path]).toEqual([other, 'unknown_reference', 'tools[0]'])
    }
    const rag = await post('/rag-tools', { name: 'R', knowledge_source_id: id })
    expect([rag.body.code, rag.body.details?.[0].path]).toEqual(['unknown_reference', 'knowledge_source_id'])
    const retrieval = await post('/retrieval-tools', { name: 'R', knowledge_source_ids: [id] })
    expect([retrieval.body.code, retrieval.body.details?.[0].path]).toEqual([
      'unknown_reference',
      'knowledge_source_ids[0]',
    ])
    expect((await remove(`/agents/${id}`)).status).toBe(200)
  })

  it('hide the system prompt from the role user, in lists too', async () => {
    const { get, post } = await startService()
    await post('/agents', { name: 'A', system_prompt: 'The code is 4711' })
    const { token } = (await post('/tokens', { name: 'U', role: 'user', user_id: 'ada' })).body.data
    expect((await get('/agents?system_prompt=The%20code%20is%204711')).body.pagination.total).toBe(1)
    for (const [query, path] of [
      ['system_prompt=The%20code%20is%204711', 'system_prompt'],
      ['sort=system_prompt', 'sort'],
    ]) {
      const { status, body } = await get(`/agents?${query}`, { token })
      expect([status, body.details?.[0].path]).toEqual([400, path])
    }
  })

  it('take their prompt from a template with all its variables', async () => {
    const { post, put } = await startService()
    const template = (await post('/prompt-templates', { name: 'T', template: 'Be {{mood}}.' })).body.data.id
    const missing = await post('/agents', { name: 'A', prompt_template_id: template })
    expect([missing.status, missing.body.details[0].path]).toEqual([400, 'prompt_variables.mood'])
    const both = await post('/agents', {
      name: 'A',
      prompt_template_id: template,
      prompt_variables: { mood: 'x' },
      system_prompt: 'y',
    })
    expect(both.status).toBe(400)
    expect((await post('/agents', { name: 'A', prompt_template_id: 'tpl_none' })).body.code).toBe('unknown_reference')
    const agent = (
      await post('/agents', { name: 'A', prompt_template_id: template, prompt_variables: { mood: 'kind' } })
    ).body.data
    expect((await put(`/agents/${agent.id}`, { prompt_variables: {} })).status).toBe(400)
  })
})
