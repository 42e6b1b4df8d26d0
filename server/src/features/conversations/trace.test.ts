import { describe, expect, it } from 'vitest'
import { echoTool } from '../../../test/echo-tool.ts'
import { library } from '../../../test/handbook.ts'
import { type Json, startService, until } from '../../../test/harness.ts'
import { stage } from '../../../test/stage.ts'

const usage = { input: 1000, output: 500 }
const toolCalls = [{ id: 'call_0', name: 'echo', arguments: '{"text":"one"}' }]

/** Every step starts and ends within the turn, and every part within its step. */
function expectNested({ steps, duration_ms }: Json): void {
  for (const step of steps) {
    const whole = steps.find(({ number }: Json) => number === step.parent) ?? { start_ms: 0, duration_ms }
    expect(step.start_ms).toBeGreaterThanOrEqual(whole.start_ms)
    expect(step.start_ms + step.duration_ms).toBeLessThanOrEqual(whole.start_ms + whole.duration_ms)
  }
}

describe('the trace of a reply', () => {
  it('has every step with its time, tokens and cost', async () => {
    const echo = echoTool()
    const { say, talk, get, put, provider, agent, model, ctx, tokenFor } = await stage(
      { deltas: ['Done'] },
      { shared: true, features: [echo.feature] },
    )
    const tool = await echo.create({ ctx, get })
    await put(`/agents/${agent}`, { tools: [tool] })
    const id = await talk()
    provider.next({ deltas: ['Before'] })
    await say(id, 'Hi')
    provider.next(
      { status: 503, body: { error: { message: 'A secret of the provider.' } } },
      { toolCalls, usage },
      { deltas: ['One'], usage },
    )
    const { data } = (await say(id, 'Echo')).body
    const answer = await get(`/conversations/${id}/messages/${data.id}/trace`)
    expect(answer.status).toBe(200)
    const trace = answer.body.data
    expect(trace).toMatchObject({ message_id: data.id, conversation_id: id, status: 'completed', usage: data.usage })
    expect(trace.duration_ms).toEqual(expect.any(Number))
    const paid = { input_tokens: 1000, output_tokens: 500, total_tokens: 1500, cost: 0.002, estimated: false }
    const call = { type: 'model', name: 'scripted-1', model_id: model, provider: 'openai-compatible', usage: paid }
    expect(trace.steps).toMatchObject([
      { number: 1, type: 'agent', status: 'completed', parent: null },
      { type: 'history', status: 'completed', messages: 2, omitted_messages: 0 },
      { ...call, attempts: 2, finish_reason: 'tool_calls', time_to_first_token_ms: null },
      { type: 'tool', name: 'echo', tool_id: tool, tool_call_id: 'call_0', status: 'completed' },
      { ...call, attempts: 1, finish_reason: 'stop', time_to_first_token_ms: expect.any(Number) },
    ])
    expectNested(trace)
    expect(JSON.stringify(trace)).not.toMatch(/secret|"one"/)

    const messages = (await get(`/conversations/${id}`)).body.data.messages
    expect(messages.at(-1)).toEqual(data)
    const question = messages.at(-2).id
    expect((await get(`/conversations/${id}/messages/${question}/trace`)).body.code).toBe('invalid_request')
    expect((await get(`/conversations/${id}/messages/msg_none/trace`)).status).toBe(404)
    const path = `/conversations/${id}/messages/${data.id}/trace`
    const statuses = []
    for (const [role, more] of [
      ['user', { user_id: 'ada' }],
      ['user', { user_id: 'eve' }],
      ['viewer', {}],
    ] as const)
      statuses.push((await get(path, { token: await tokenFor(role, more) })).status)
    expect(statuses).toEqual([200, 404, 403])
  })

  it('shows the parts of a search', async () => {
    const service = await startService()
    const { ragTool } = await library(service)
    const tool = await ragTool()
    const agent = (await service.post('/agents', { name: 'A', tools: [tool] })).body.data.id
    const id = (await service.post('/conversations', { agent_id: agent })).body.data.id
    const message = 'Where is the password of the guest network?'
    const { data } = (await service.post(`/conversations/${id}/messages`, { message })).body
    const trace = (await service.get(`/conversations/${id}/messages/${data.id}/trace`)).body.data
    const retrieval = trace.steps.find(({ type }: Json) => type === 'retrieval')
    expect(retrieval).toMatchObject({ name: 'Handbook', tool_id: tool, tool_call_id: data.tool_calls[0].id })
    const parts = trace.steps.filter(({ parent }: Json) => parent === retrieval.number)
    expect(parts).toMatchObject([{ type: 'search', results: retrieval.results }])
    expect(retrieval.results).toBeGreaterThan(0)
    expectNested(trace)
  })

  it('says which model failed before another one answered', async () => {
    const { say, talk, get, post, put, provider, agent, model } = await stage()
    const other = { name: 'Other', provider: 'openai-compatible', model_id: 'other-1', endpoint: provider.url }
    const fallback = (await post('/models', other)).body.data.id
    await put(`/agents/${agent}`, { fallback_model_ids: [fallback] })
    const id = await talk()
    provider.next({ status: 400, body: { error: { message: 'Bad prompt.' } } }, { deltas: ['Fine'] })
    const { data } = (await say(id, 'Hi')).body
    const { steps } = (await get(`/conversations/${id}/messages/${data.id}/trace`)).body.data
    expect(steps.slice(2)).toMatchObject([
      { type: 'model', model_id: model, status: 'failed', error: '400', usage: null },
      { type: 'model', model_id: fallback, name: 'other-1', status: 'completed', error: null },
    ])
  })

  it('of a failed one ends with the step that failed', async () => {
    const { say, talk, get } = await stage({ deltas: ['Half', ' more'], fault: 'cut', after: 1, delay: 1 })
    const id = await talk()
    const failed = (await say(id, 'Hi')).body.details[0].message
    const trace = (await get(`/conversations/${id}/messages/${failed}/trace`)).body.data
    expect(trace.status).toBe('failed')
    expect(trace.steps.at(-1)).toMatchObject({
      type: 'model',
      status: 'failed',
      error: 'cut',
      usage: { estimated: true },
    })
    expectNested(trace)
  })

  it('of a running one shows the steps so far, and of a cancelled one where it stopped', async () => {
    const { say, talk, get, post } = await stage({ deltas: ['Half', ' more'], fault: 'stall', after: 1, delay: 1 })
    const id = await talk()
    const answer = say(id, 'Hi')
    const reply = await until(async () => {
      const last = (await get(`/conversations/${id}`)).body.data.messages[1]
      return last?.content === 'Half' && last.id
    })
    const path = `/conversations/${id}/messages/${reply}`
    const running = (await get(`${path}/trace`)).body.data
    expect(running).toMatchObject({ status: 'running', duration_ms: null })
    expect(running.steps.at(-1)).toMatchObject({ type: 'model', status: 'running', duration_ms: null })
    await post(`${path}/cancel`)
    await answer
    const trace = (await get(`${path}/trace`)).body.data
    expect(trace.steps.at(-1)).toMatchObject({ type: 'model', status: 'cancelled', duration_ms: expect.any(Number) })
    expectNested(trace)
  })
})
