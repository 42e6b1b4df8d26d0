import { describe, expect, it } from 'vitest'
import { echoTool } from '../../../test/echo-tool.ts'
import { readEvents } from '../../../test/event-stream.ts'
import type { Json } from '../../../test/harness.ts'
import type { Script } from '../../../test/scripted-provider.ts'
import { stage } from '../../../test/stage.ts'

async function withEcho(agentMore: object = {}) {
  const echo = echoTool()
  const here = await stage({ deltas: ['Done'] }, { shared: true, features: [echo.feature] })
  const tool = await echo.create(here)
  await here.put(`/agents/${here.agent}`, { tools: [tool], ...agentMore })
  return { ...here, tool, calls: echo.calls }
}

const call = (...inputs: string[]): Script => ({
  toolCalls: inputs.map((input, index) => ({ id: `call_${index}`, name: 'echo', arguments: input })),
})

const readMessages = (request: { body: Json } | undefined): Json[] => request?.body.messages ?? []

describe('an agent with tools', () => {
  it('calls them, several at once, and answers with what they said', async () => {
    const { say, talk, provider, tool, calls } = await withEcho()
    provider.next(
      { deltas: ['Let me see. '], ...call('{"text":"one"}', '{"text":"two"}') },
      { deltas: ['One and two.'] },
    )
    const { data } = (await say(await talk(), 'Echo')).body
    expect(data.content).toBe('Let me see. One and two.')
    expect(data.tool_calls).toMatchObject([
      { id: 'call_0', tool_id: tool, name: 'echo', arguments: { text: 'one' }, status: 'completed', result: 'one' },
      { id: 'call_1', tool_id: tool, name: 'echo', arguments: { text: 'two' }, status: 'completed', result: 'two' },
    ])
    expect(calls).toEqual([{ text: 'one' }, { text: 'two' }])
    const told = provider.requests[1]?.body.messages as Json[]
    expect(told.slice(-2)).toEqual([
      { role: 'tool', tool_call_id: 'call_0', content: 'one' },
      { role: 'tool', tool_call_id: 'call_1', content: 'two' },
    ])
    expect(provider.requests[0]?.body.tools).toMatchObject([{ type: 'function', function: { name: 'echo' } }])
  })

  it('is told what went wrong with a call, and goes on', async () => {
    const { say, talk, provider } = await withEcho()
    provider.next(
      call('{"text": oops', '{"text":"x","fail":true}'),
      { toolCalls: [{ id: 'call_9', name: 'unknown_tool', arguments: '{}' }] },
      { deltas: ['I could not.'] },
    )
    const { data } = (await say(await talk(), 'Echo')).body
    expect(data).toMatchObject({ status: 'completed', content: 'I could not.' })
    expect(data.tool_calls.map((each: Json) => [each.status, each.tool_id === null])).toEqual([
      ['failed', false],
      ['failed', false],
      ['failed', true],
    ])
    expect(data.tool_calls[0]).toMatchObject({
      arguments: '{"text": oops',
      result: expect.stringContaining('not valid JSON'),
    })
    expect(data.tool_calls[1].result).toContain('it would not')
    expect(data.tool_calls[2].result).toContain('There is no tool "unknown_tool"')
  })

  it('on the local model gives the answer of a tool without a citation marker', async () => {
    const { say, talk, put, get, agent, provider } = await withEcho()
    const [local] = (await get('/models?model_id=parley-extractive')).body.data
    await put(`/agents/${agent}`, { model_id: local.id })
    const { data } = (await say(await talk(), 'Please echo: the lamp is red')).body
    expect(data).toMatchObject({ status: 'completed', tool_calls: [{ status: 'completed' }], citations: [] })
    expect(data.content).toMatch(/the lamp is red$/)
    expect(provider.requests).toEqual([])
  })

  it('is told that there is no tool if it has none, and answers', async () => {
    const { say, talk, provider } = await stage()
    provider.next(call('{"text":"x"}'), { deltas: ['I have no tools.'] })
    const { data } = (await say(await talk(), 'Echo')).body
    expect(data).toMatchObject({ status: 'completed', content: 'I have no tools.', finish_reason: 'stop' })
    expect(data.tool_calls).toMatchObject([{ tool_id: null, status: 'failed' }])
    expect(data.tool_calls[0].result).toBe('There is no tool "echo". Answer without tools.')
  })

  it('fails with the name of the tool if it calls one to the end instead of answering', async () => {
    const bare = await stage(call('{"text":"x"}'))
    const conversation = await bare.talk()
    const answer = await bare.say(conversation, 'Echo')
    expect([answer.status, answer.body.code]).toEqual([502, 'provider_error'])
    expect(answer.body.error).toContain('The model called "echo" instead of answering')
    const stored = (await bare.get(`/conversations/${conversation}`)).body.data.messages.at(-1)
    expect(stored).toMatchObject({ status: 'failed', error: answer.body.error })
    expect(bare.provider.requests).toHaveLength(2)
    const { say, talk, provider } = await withEcho({ max_steps: 1 })
    provider.next(call('{"text":"a"}'), call('{"text":"b"}'))
    expect((await say(await talk(), 'Echo')).body.error).toContain('instead of answering')
  })

  it('must answer when it has used up its steps', async () => {
    const { say, talk, provider } = await withEcho({ max_steps: 2 })
    provider.next(call('{"text":"a"}'), call('{"text":"b"}'), { deltas: ['Enough.'] })
    const { data } = (await say(await talk(), 'Echo')).body
    expect([data.content, data.tool_calls.length]).toEqual(['Enough.', 2])
    expect(provider.requests.map((request) => 'tools' in request.body)).toEqual([true, true, false])
    expect(data.usage.total_tokens).toBeGreaterThan(0)
  })

  it('remembers in the next turn what they said', async () => {
    const { say, talk, provider, put, agent } = await withEcho()
    const id = await talk()
    provider.next(call('{"text":"one"}', '{"text":"two"}'), { deltas: ['One and two.'] })
    await say(id, 'Echo')
    provider.next(call(JSON.stringify({ text: 'x'.repeat(20_000) })), { deltas: ['Long.'] })
    await say(id, 'And now?')
    const told = () => readMessages(provider.requests.at(-1)).slice(1)
    expect(told().slice(0, 6)).toMatchObject([
      { role: 'user', content: 'Echo' },
      { role: 'assistant', tool_calls: [{ id: 'call_0' }, { id: 'call_1' }] },
      { role: 'tool', tool_call_id: 'call_0', content: 'one' },
      { role: 'tool', tool_call_id: 'call_1', content: 'two' },
      { role: 'assistant', content: 'One and two.' },
      { role: 'user', content: 'And now?' },
    ])
    await say(id, 'Thank you')
    const [asked, result, answer] = told().slice(6)
    expect(asked.tool_calls[0].function.name).toBe('echo')
    expect(asked.tool_calls[0].id).not.toBe('call_0') // the provider has used it before
    expect(result).toMatchObject({ role: 'tool', tool_call_id: asked.tool_calls[0].id })
    expect(result.content.length).toBeLessThan(5000)
    expect(answer).toEqual({ role: 'assistant', content: 'Long.' })
    await put(`/agents/${agent}`, { tools: [] })
    await say(id, 'Without tools')
    expect(told().map(({ role }) => role)).toEqual(Array(4).fill(['user', 'assistant']).flat().slice(0, 7))
  })

  it('reads from the database what they said, of the branch that goes on', async () => {
    const { say, talk, provider, post } = await withEcho()
    const id = await talk()
    provider.next(call('{"text":"one"}'), { deltas: ['One.'] })
    const { data } = (await say(id, 'Echo')).body
    const more = (await say(id, 'More')).body.data
    await post(`/conversations/${id}/messages/${more.id}/regenerate`)
    const toolsTold = () => readMessages(provider.requests.at(-1)).filter(({ role }) => role === 'tool')
    expect(toolsTold()).toEqual([{ role: 'tool', tool_call_id: 'call_0', content: 'one' }])
    await say(id, 'Another way', { parent_message_id: data.id })
    expect(toolsTold()).toHaveLength(1)
  })

  it('is shown less of old results when they no longer fit its model', async () => {
    const { say, talk, provider, put, model } = await withEcho({ max_steps: 6 })
    await put(`/models/${model}`, { context_window: 16_000 })
    const long = (word: string) => call(JSON.stringify({ text: `${word} `.repeat(3000) }))
    provider.next(long('alpha'), long('beta'), long('gamma'), { deltas: ['Done.'] })
    const { data } = (await say(await talk(), 'Echo')).body
    expect(data).toMatchObject({ status: 'completed', content: 'Done.' })
    const results = readMessages(provider.requests[3]).filter(({ role }) => role === 'tool')
    const [first, second, third] = results.map(({ content }) => content.length)
    expect(first).toBeLessThanOrEqual(1000)
    expect(second).toBeLessThanOrEqual(1000)
    expect(third).toBeGreaterThan(5000)
    expect(results[0].content).toContain('left out')
    expect(data.tool_calls[0].result).toHaveLength('alpha '.length * 3000) // all of it is stored
  })

  it('asks a fallback model with a smaller window for an answer to as much as fits it', async () => {
    const { say, talk, provider, put, post, agent } = await withEcho()
    const small = { name: 'Small', provider: 'openai-compatible', model_id: 'small', endpoint: provider.url }
    const { id: fallback } = (await post('/models', { ...small, context_window: 2000 })).body.data
    await put(`/agents/${agent}`, { fallback_model_ids: [fallback] })
    const id = await talk()
    for (let n = 0; n < 4; n++) await say(id, `Message ${n}: ${'some words of text '.repeat(150)}`)
    provider.next({ status: 400, body: { error: { message: 'No.' } } })
    expect((await say(id, 'Last')).body.data.model_id).toBe(fallback)
    const contents = (request: number) => readMessages(provider.requests.at(request)).map((each) => each.content)
    expect(contents(-2)).toHaveLength(10)
    expect(contents(-1).length).toBeLessThan(8)
    expect(contents(-1)[0]).toBe('Be kind.')
    expect(contents(-1).at(-1)).toBe('Last')
  })

  it('streams what it thinks, the same when streamed again, and gets it back with the results', async () => {
    const { say, talk, provider, url, token } = await withEcho()
    const id = await talk()
    provider.next(
      { thoughts: ['I shall ', 'echo.'], ...call('{"text":"one"}') },
      { thoughts: ['Now I know.'], deltas: ['One.'] },
    )
    const { data } = (await say(id, 'Echo')).body
    expect(data.content).toBe('One.')
    const [, , asked] = readMessages(provider.requests[1])
    expect(asked).toMatchObject({ reasoning_content: 'I shall echo.', tool_calls: [{ id: 'call_0' }] })
    const stream = await fetch(`${url}/api/conversations/${id}/messages/${data.id}/stream`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const events = await readEvents(stream)
    const order = events.map(({ data: { type, delta } }: Json) => (type.endsWith('delta') ? delta : type))
    expect(order.join('|').replace('I shall |echo.', 'I shall echo.')).toBe(
      'message.started|I shall echo.|tool.started|tool.finished|Now I know.|One.|message.completed',
    )
    await say(id, 'Thanks')
    expect(JSON.stringify(readMessages(provider.requests.at(-1)))).not.toContain('I shall')
  })

  it('shows its steps in the stream, the same when streamed again', async () => {
    const { talk, provider, url, token } = await withEcho()
    const id = await talk()
    provider.next({ deltas: ['Wait. '], ...call('{"text":"ping"}') }, { deltas: ['Got ', 'it.'] })
    const response = await fetch(`${url}/api/conversations/${id}/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'Echo', stream: true }),
    })
    const events = await readEvents(response)
    expect(events.map(({ event }) => event)).toEqual([
      'message.started',
      'text.delta',
      'tool.started',
      'tool.finished',
      'text.delta',
      'text.delta',
      'message.completed',
    ])
    expect(events[2]?.data).toMatchObject({ tool_call_id: 'call_0', name: 'echo', arguments: { text: 'ping' } })
    expect(events[3]?.data).toMatchObject({ tool_call_id: 'call_0', status: 'completed', result: 'ping' })
    const again = await fetch(`${url}/api/conversations/${id}/messages/${events[0]?.data.message_id}/stream`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(await readEvents(again)).toEqual(events)
  })
})
