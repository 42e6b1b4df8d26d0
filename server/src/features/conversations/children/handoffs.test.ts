import { describe, expect, it } from 'vitest'
import { agentsStage, ask, mail } from '../../../../test/agents-stage.ts'
import { readEvents } from '../../../../test/event-stream.ts'
import { type Json, startService, until } from '../../../../test/harness.ts'
import { connect } from '../../../../test/mcp.ts'
import type { Script } from '../../../../test/scripted-provider.ts'
import { signedHeaders } from '../../webhooks/signature.ts'

const transfer = (name: string, reason = 'It knows more'): Script => ({
  toolCalls: [{ id: `to_${name}`, name: `transfer_to_${name}`, arguments: JSON.stringify({ reason }) }],
})

describe('an agent with handoffs', () => {
  it('passes the conversation on in the same stream, and the reply is one message of the last agent', async () => {
    const { agent, script, converse, send, read, url, token, listRequests, get } = await agentsStage()
    const helper = await agent('Helper')
    const expert = await agent('Expert', { description: 'Knows invoices.' })
    const front = await agent('Front', { tools: [helper], handoffs: [expert] })
    const conversation = await converse(front)
    script('Front', { toolCalls: [ask('early', 'Helper', 'Before')] }, { deltas: ['Earlier'] })
    await send(conversation, 'First')
    script(
      'Front',
      { toolCalls: [ask('private', 'Helper', 'Secret')] },
      { deltas: ['One moment. '], ...transfer('Expert') },
    )
    script('Expert', { deltas: ['Paid.'] })
    const response = await fetch(`${url}/api/conversations/${conversation}/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'Is it paid?', stream: true }),
    })
    const events = await readEvents(response)
    expect(events.map(({ event }) => event)).toEqual([
      'message.started',
      'tool.started',
      'tool.finished',
      'text.delta',
      'handoff',
      'text.delta',
      'message.completed',
    ])
    const handoff = { from_agent_id: front, to_agent_id: expert, reason: 'It knows more' }
    expect(events[4]?.data).toMatchObject(handoff)
    expect(events[0]?.data.agent_id).toBe(front)
    const { message } = events.at(-1)?.data ?? {}
    expect(message).toMatchObject({ content: 'One moment. Paid.', agent_id: expert, handoffs: [handoff] })
    const { agent_id, messages } = await read(conversation)
    expect(agent_id).toBe(expert)
    expect(messages.map((each: Json) => each.agent_id)).toEqual([front, front, front, expert])

    const [first] = listRequests('Expert')
    const told = JSON.stringify(first.messages)
    expect(listRequests('Front').at(-1).tools[1].function).toMatchObject({
      name: 'transfer_to_Expert',
      description: expect.stringContaining('Knows invoices.'),
    })
    expect(told).toContain('Earlier')
    expect(told).toContain('It knows more')
    expect(told).not.toContain('Secret')
    const replayed = await fetch(`${url}/api/conversations/${conversation}/messages/${message.id}/stream`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect((await readEvents(replayed)).map(({ data }) => data)).toEqual(events.map(({ data }) => data))
    const { by_entity } = (await get('/usage/stats')).body.data
    const tokens = messages.reduce((sum: number, { usage }: Json) => sum + (usage?.total_tokens ?? 0), 0)
    expect(by_entity.agent[front].tokens + by_entity.agent[expert].tokens).toBe(tokens)
    expect([by_entity.agent[front].requests, by_entity.agent[expert].requests]).toEqual([4, 1])

    await send(conversation, 'Thanks')
    expect(listRequests('Expert').length).toBe(2)
  })

  it('gives the next agent tool calls of earlier turns as tool calls, if it has tools', async () => {
    const { agent, script, converse, send, listRequests, put } = await agentsStage()
    const helper = await agent('Helper')
    const front = await agent('Front', { tools: [helper] })
    const expert = await agent('Expert', { handoffs: [front] })
    await put(`/agents/${front}`, { handoffs: [expert] })
    script('Front', { toolCalls: [ask('early', 'Helper', 'Before')] }, { deltas: ['Earlier'] }, transfer('Expert'))
    script('Helper', { deltas: ['Found it'] })
    const conversation = await converse(front)
    await send(conversation, 'First')
    await send(conversation, 'Second')
    const { messages } = listRequests('Expert')[0]
    expect(messages.find(({ tool_calls }: Json) => tool_calls)?.tool_calls[0].function.name).toBe('Helper')
    expect(messages.find(({ role }: Json) => role === 'tool')?.content).toBe('Found it')
  })

  it('go on with the conversation when the first agent is asked again, on every way in', async () => {
    const { agent, script, converse, send, post, get, ask: request, url, tokenFor } = await agentsStage()
    const expert = await agent('Expert')
    const front = await agent('Front', { handoffs: [expert] })
    const other = await agent('Other')
    script('Front', transfer('Expert'), transfer('Expert'))
    const conversation = await converse(front)
    expect((await send(conversation)).data.agent_id).toBe(expert)
    const client = await connect(url, await tokenFor('editor'))
    const followUp = { message: 'And?', conversation_id: conversation }
    const answer = (await client.callTool({ name: 'ask_front', arguments: followUp })) as Json
    expect(answer.structuredContent).toMatchObject({ answer: 'Done by Expert', conversation_id: conversation })
    expect(await client.callTool({ name: 'ask_other', arguments: followUp })).toMatchObject({ isError: true })

    const respond = (more: object) => post('/openai/v1/responses', { model: front, input: 'And?', ...more })
    const first = (await respond({ conversation })).body
    expect([first.status, first.conversation.id]).toEqual(['completed', conversation])
    expect((await respond({ previous_response_id: first.id })).body.conversation.id).toBe(conversation)
    expect((await respond({ conversation, model: other })).status).toBe(400)

    const trigger = { name: 'T', agent_id: front, template: '{{body.text}}', conversation_key: 'body.key' }
    const { id, secret } = (await post('/triggers', trigger)).body.data
    const found: string[] = []
    for (const event of ['one', 'two']) {
      const raw = JSON.stringify({ text: 'Hi', key: 7 })
      const headers = signedHeaders({
        id: event,
        timestamp: Math.floor(Date.now() / 1000),
        body: raw,
        secrets: [secret],
      })
      found.push(
        (await request('POST', `/triggers/${id}/fire`, { raw, token: null, headers })).body.data.conversation_id,
      )
      await until(async () => {
        const { data } = (await get(`/triggers/${id}/runs`)).body
        return data.length === found.length && data.every(({ finished_at }: Json) => finished_at !== null)
      })
    }
    expect(found[1]).toBe(found[0])
    expect((await get(`/conversations/${found[0]}`)).body.data.agent_id).toBe(expert)
  })

  it('can get it back, but not without an end', async () => {
    const { agent, script, converse, send, listRequests, put } = await agentsStage()
    const one = await agent('One')
    const two = await agent('Two', { handoffs: [one] })
    await put(`/agents/${one}`, { handoffs: [two] })
    script('One', ...Array.from({ length: 9 }, () => transfer('Two')))
    script('Two', ...Array.from({ length: 2 }, () => transfer('One')), { deltas: ['I have it'] })
    const { data } = await send(await converse(one))
    expect(data).toMatchObject({ status: 'completed', content: 'I have it', agent_id: two })
    expect(data.handoffs.map(({ to_agent_id }: Json) => to_agent_id)).toEqual([two, one, two, one, two])
    expect(listRequests('Two').at(-1).tools).toBeUndefined()
  })

  it('goes on after the approval of a call that the next agent makes', async () => {
    const { agent, script, converse, send, get, post, mailer, read } = await agentsStage()
    const expert = await agent('Expert', { tools: [await mailer()] })
    const front = await agent('Front', { handoffs: [expert] })
    script('Front', transfer('Expert'))
    script('Expert', mail, { deltas: ['Mailed'] })
    const conversation = await converse(front)
    const { data } = await send(conversation)
    expect(data).toMatchObject({ status: 'awaiting_approval', agent_id: expert })
    const [approval] = (await get('/approvals?status=pending')).body.data
    expect(approval).toMatchObject({ agent_id: expert, agent_name: 'Expert' })
    await post(`/approvals/${approval.id}`, { approved: true })
    const reply = await until(async () => {
      const last = (await read(conversation)).messages.at(-1)
      return last.status === 'completed' && last
    })
    expect(reply).toMatchObject({ content: 'Mailed', agent_id: expert, handoffs: [{ to_agent_id: expert }] })
  })

  it('is held to the budget of the next agent', async () => {
    const { agent, script, converse, send, post } = await agentsStage()
    const expert = await agent('Expert')
    const front = await agent('Front', { handoffs: [expert] })
    const limited = { name: 'x', entity_type: 'agent', entity_id: expert, metric: 'tokens', window: 'day' }
    await post('/usage/thresholds', { ...limited, action: 'block', limit: 1 })
    script('Front', transfer('Expert'))
    const failed = await send(await converse(front))
    expect(failed.code).toBe('budget_exceeded')
  })

  it('names agents that exist, not itself, and keeps them from being deleted', async () => {
    const { agent, put, remove, mailer, get } = await agentsStage()
    const [one, two] = [await agent('One'), await agent('Two')]
    expect((await put(`/agents/${one}`, { handoffs: [two] })).body.data.handoffs).toEqual([two])
    for (const [handoffs, code] of [
      [[one], 'invalid_request'],
      [[two, two], 'invalid_request'],
      [['agt_none'], 'unknown_reference'],
      [[await mailer()], 'unknown_reference'],
    ] as const) {
      const { body } = await put(`/agents/${one}`, { handoffs })
      expect([body.code, body.details[0].path]).toEqual([code, expect.stringMatching(/^handoffs/)])
    }
    expect((await remove(`/agents/${two}`)).body.code).toBe('in_use')
    expect((await get(`/agents/${two}`)).body.data.handoffs).toEqual([])
  })

  it('works in chat completions, too', async () => {
    const { agent, script, post, get } = await agentsStage()
    const expert = await agent('Expert')
    const front = await agent('Front', { handoffs: [expert] })
    script('Front', transfer('Expert'))
    script('Expert', { deltas: ['From the expert'] })
    const { body } = await post('/openai/v1/chat/completions', {
      model: front,
      messages: [{ role: 'user', content: 'Go' }],
    })
    expect(body.choices[0].message.content).toBe('From the expert')
    const { by_entity } = (await get('/usage/stats')).body.data
    expect([by_entity.agent[front].requests, by_entity.agent[expert].requests]).toEqual([1, 1])
  })
})

it('the local model asks agents and passes conversations on', async () => {
  const { post } = await startService()
  const agent = async (name: string, more: object): Promise<string> =>
    (await post('/agents', { name, ...more })).body.data.id
  const talk = async (agent_id: string, message: string): Promise<Json> => {
    const { id } = (await post('/conversations', { agent_id })).body.data
    return (await post(`/conversations/${id}/messages`, { message })).body.data
  }
  const delivery = await agent('Delivery', { description: 'Knows delivery times.' })
  const refunds = await agent('Refunds', { description: 'Knows how money is paid back.' })
  const top = await agent('Top', { tools: [delivery, refunds] })
  const asked = await talk(top, 'What about delivery and refunds?')
  expect(asked.tool_calls.map(({ tool_id, status }: Json) => [tool_id, status])).toEqual([
    [delivery, 'completed'],
    [refunds, 'completed'],
  ])
  expect(asked.content).toMatch(/^Delivery: .*\n\nRefunds: /)
  const front = await agent('Front', { handoffs: [refunds] })
  const passed = await talk(front, 'When is my money paid back?')
  expect(passed).toMatchObject({ agent_id: refunds, handoffs: [{ from_agent_id: front, to_agent_id: refunds }] })
})

it('what an agent can do is known although many agents in it ask the same ones', async () => {
  const { agent, get, mailer } = await agentsStage()
  let layer = [await agent('A', { tools: [await mailer()] }), await agent('B')]
  for (let n = 0; n < 30; n++) layer = [await agent('A', { tools: layer }), await agent('B', { tools: layer })]
  expect((await get(`/agents/${layer[0]}`)).body.data.tools).toHaveLength(2)
})
