import { expect, it } from 'vitest'
import { answering, asking, cautious, call as makeCall } from '../../../../test/cautious-stage.ts'
import { joinText, readEvents } from '../../../../test/event-stream.ts'
import { type Json, until } from '../../../../test/harness.ts'
import { type Stage, stage } from '../../../../test/stage.ts'

const usage = { input: 1000, output: 500 }
const hello = [{ role: 'user', content: 'Hello' }]

const openStream = (at: Pick<Stage, 'url' | 'token' | 'agent'>, body: object, signal: AbortSignal | null = null) =>
  fetch(`${at.url}/api/agents/${at.agent}/try`, {
    method: 'POST',
    headers: { authorization: `Bearer ${at.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ stream: true, ...body }),
    signal,
  })

it('runs a draft without saving it, and bills it', async () => {
  const here = await stage({ deltas: ['Good ', 'day.'], usage }, undefined, { temperature: 0.1 })
  const { post, get, agent, provider, told } = here
  const before = (await get(`/agents/${agent}`)).body.data
  const { status, body } = await post(`/agents/${agent}/try`, {
    system_prompt: 'Be terse.',
    temperature: 0.9,
    messages: [{ role: 'user', content: 'Hi' }, { role: 'assistant', content: 'Hi there.' }, ...hello],
  })
  expect([status, body.data.content, body.data.status]).toEqual([200, 'Good day.', 'completed'])
  expect(body.data).toMatchObject({ model_id: here.model, agent_version: null, conversation_id: '' })
  expect(body.data.usage).toEqual({ input_tokens: 1000, output_tokens: 500, total_tokens: 1500, cost: 0.002 })
  expect(body.data.latency_ms).toBeGreaterThanOrEqual(body.data.time_to_first_token_ms)
  expect(body.data.steps.map(({ type }: Json) => type)).toEqual(['agent', 'history', 'model'])
  expect(body.data.steps[2]).toMatchObject({ name: 'scripted-1', status: 'completed', usage: { cost: 0.002 } })
  expect(told(0)).toEqual(['Be terse.', 'Hi', 'Hi there.', 'Hello'])
  expect(provider.requests[0]?.body.temperature).toBe(0.9)
  expect((await get(`/agents/${agent}`)).body.data).toEqual(before)
  expect((await get('/conversations')).body.data).toEqual([])
  const { by_entity, total_cost } = (await get('/usage/stats')).body.data
  expect([total_cost, by_entity.agent[agent].requests]).toEqual([0.002, 1])
})

it('streams the events of a message, and the last one has the steps', async () => {
  const here = await stage({ deltas: ['Good ', 'day.'], usage })
  const events = await readEvents(await openStream(here, { messages: hello }))
  expect(events.map(({ event }) => event)).toEqual(['message.started', 'text.delta', 'text.delta', 'message.completed'])
  const { message } = events.at(-1)?.data ?? {}
  expect([joinText(events), message.content, message.agent_version]).toEqual(['Good day.', 'Good day.', 1])
  expect(message.steps).toHaveLength(3)

  here.provider.next({ status: 400, body: { error: { message: 'No such model' } } })
  const failed = await readEvents(await openStream(here, { messages: hello }))
  expect(failed.at(-1)?.data).toMatchObject({ type: 'message.failed', code: 'provider_error' })
  here.provider.next({ status: 400, body: { error: { message: 'No such model' } } })
  const whole = await here.post(`/agents/${here.agent}/try`, { messages: hello })
  expect([whole.status, whole.body.code]).toEqual([502, 'provider_error'])
})

it('runs an earlier version, or that version with changes', async () => {
  const { post, put, agent, told } = await stage({ deltas: ['Yes'] })
  await put(`/agents/${agent}`, { system_prompt: 'Be rude.' })
  const first = await post(`/agents/${agent}/try`, { base_version: 1, messages: hello })
  await post(`/agents/${agent}/try`, { base_version: 1, max_steps: 3, messages: hello })
  const now = await post(`/agents/${agent}/try`, { messages: hello })
  expect([0, 1, 2].map((request) => told(request)[0])).toEqual(['Be kind.', 'Be kind.', 'Be rude.'])
  expect([first, now].map(({ body }) => body.data.agent_version)).toEqual([1, 2])
  const none = await post(`/agents/${agent}/try`, { base_version: 9, messages: hello })
  expect([none.status, none.body.code]).toEqual([404, 'not_found'])
})

it('names the field that is wrong, as saving would', async () => {
  const { post, agent, provider } = await stage()
  const tryBody = async (body: object) => {
    const { status, body: answer } = await post(`/agents/${agent}/try`, { messages: hello, ...body })
    return [status, answer.code, answer.details?.map(({ path }: Json) => path)]
  }
  expect(await tryBody({ temperature: 3 })).toEqual([400, 'invalid_request', ['temperature']])
  expect(await tryBody({ name: '' })).toEqual([400, 'invalid_request', ['name']])
  expect(await tryBody({ model_id: 'mdl_none' })).toEqual([400, 'unknown_reference', ['model_id']])
  expect(await tryBody({ tools: ['rag_none'] })).toEqual([400, 'unknown_reference', ['tools[0]']])
  expect(await tryBody({ prompt_template_id: 'tpl_none', system_prompt: null })).toEqual([
    400,
    'unknown_reference',
    ['prompt_template_id'],
  ])
  expect(await tryBody({ messages: [] })).toEqual([400, 'invalid_request', ['messages']])
  expect(await tryBody({ messages: [{ role: 'assistant', content: 'Hi' }] })).toEqual([
    400,
    'invalid_request',
    ['messages'],
  ])
  expect(provider.requests).toHaveLength(0)
})

it('is held by budgets, before the stream starts', async () => {
  const here = await stage({ deltas: ['Yes'], usage }, undefined, { max_tokens: 500 })
  const budget = { name: 'Tight', entity_type: 'agent', entity_id: here.agent, metric: 'tokens', limit: 1600 }
  await here.post('/usage/thresholds', { ...budget, window: 'total', action: 'block' })
  expect((await here.post(`/agents/${here.agent}/try`, { messages: hello })).status).toBe(200)
  const response = await openStream(here, { messages: hello })
  expect([response.status, ((await response.json()) as Json).code]).toEqual([403, 'budget_exceeded'])
  expect(here.provider.requests).toHaveLength(1)
})

it('calls tools, but none that needs approval', async () => {
  const here = await cautious()
  here.provider.next(
    { ...asking, toolCalls: [makeCall('call_a', 'sent'), makeCall('call_b', 'read', 'echo')] },
    answering,
  )
  const events = await readEvents(await openStream(here, { messages: hello }))
  const calls = events.at(-1)?.data.message.tool_calls
  expect(calls.map(({ name, status }: Json) => [name, status])).toEqual([
    ['echo_1', 'refused'],
    ['echo', 'completed'],
  ])
  expect(calls[0].result).toContain('needs the approval of a person')
  expect(here.calls).toEqual([{ text: 'read' }])
})

it('stops when the client disconnects, and is billed all the same', async () => {
  const here = await stage({ deltas: ['Some ', 'words'], fault: 'stall' })
  const gone = new AbortController()
  const response = await openStream(here, { messages: hello }, gone.signal)
  await readEvents(response, ({ event }) => event === 'text.delta')
  gone.abort()
  await here.provider.requests[0]?.gone
  await until(async () => (await here.get('/usage/stats')).body.data.total_tokens > 0)
})

it('leaves out what does not fit the model', async () => {
  const { post, put, agent, model, told } = await stage({ deltas: ['Yes'] })
  await put(`/models/${model}`, { context_window: 200 })
  const long = { role: 'user', content: 'tea '.repeat(300) }
  const { body } = await post(`/agents/${agent}/try`, {
    messages: [long, { role: 'assistant', content: 'Ok' }, ...hello],
  })
  expect(told(0)).toEqual(['Be kind.', 'Hello'])
  expect(body.data.steps[1]).toMatchObject({ type: 'history', messages: 2, omitted_messages: 2 })
})
