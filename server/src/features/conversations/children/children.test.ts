import { describe, expect, it } from 'vitest'
import { agentsStage, ask, mail, waitingAgents } from '../../../../test/agents-stage.ts'
import { type Json, onPostgres, startOn, until } from '../../../../test/harness.ts'

describe('an agent that has agents as tools', () => {
  it('asks them in conversations of their own, and gets only their final answers', async () => {
    const { agent, script, converse, send, read, get, listRequests, mailer, put } = await agentsStage()
    const one = await agent('One', { description: 'Knows one thing.' })
    const two = await agent('Two', { tools: [await mailer()] })
    const top = await agent('Top', { tools: [one, two] })
    script('Top', { deltas: ['Let me ask. '], toolCalls: [ask('a', 'One'), ask('b', 'Two')] }, { deltas: ['All done'] })
    script('One', { deltas: ['First'] })
    script('Two', { toolCalls: [{ id: 'x', name: 'unknown', arguments: '{}' }] }, { deltas: ['Second'] })
    const conversation = await converse(top)
    const { data } = await send(conversation)
    expect(data).toMatchObject({ status: 'completed', content: 'Let me ask. All done' })
    expect(data.tool_calls).toMatchObject([
      {
        id: 'a',
        tool_id: one,
        name: 'One',
        status: 'completed',
        result: 'First',
        conversation_id: expect.any(String),
      },
      {
        id: 'b',
        tool_id: two,
        name: 'Two',
        status: 'completed',
        result: 'Second',
        conversation_id: expect.any(String),
      },
    ])
    expect(listRequests('Top')[0].tools).toMatchObject([
      { function: { name: 'One', description: 'Knows one thing.' } },
      { function: { name: 'Two' } },
    ])
    expect(listRequests('Top')[1].messages.slice(-2)).toMatchObject([{ content: 'First' }, { content: 'Second' }])
    expect(JSON.stringify(listRequests('Top'))).not.toContain('unknown')
    const child = await read(data.tool_calls[1].conversation_id)
    expect(child).toMatchObject({ agent_id: two, user_id: 'ada', parent_message_id: data.id, title: 'Go, Two' })
    expect(child.messages.map(({ content }: Json) => content)).toEqual(['Go, Two', 'Second'])
    expect((await get('/conversations')).body.data.map(({ id }: Json) => id)).toEqual([conversation])
    const children = (await get(`/conversations?parent_message_id=${data.id}`)).body
    expect(children.data.map(({ id }: Json) => id).sort()).toEqual(
      data.tool_calls.map(({ conversation_id }: Json) => conversation_id).sort(),
    )
    expect((await put(`/conversations/${conversation}`, { title: 'Kept' })).status).toBe(200)
    const stats = (await get('/usage/stats')).body.data.by_entity.agent
    expect([stats[top].requests, stats[one].requests, stats[two].requests]).toEqual([2, 1, 2])
  })

  it('refuses a circle that two requests would make together', async () => {
    const { agent, put } = await agentsStage()
    for (let n = 0; n < 5; n++) {
      const [one, three] = [await agent('One'), await agent('Three')]
      const [two, four] = [await agent('Two', { tools: [three] }), await agent('Four', { tools: [one] })]
      const both = await Promise.all([
        put(`/agents/${one}`, { tools: [two] }),
        put(`/agents/${three}`, { tools: [four] }),
      ])
      expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    }
  })

  it('keeps an agent that it asks from being deleted', async () => {
    const { agent, remove, put } = await agentsStage()
    const one = await agent('One')
    const top = await agent('Top', { tools: [one] })
    const refused = await remove(`/agents/${one}`)
    expect([refused.status, refused.body.code, refused.body.details[0].path]).toEqual([409, 'in_use', top])
    await put(`/agents/${top}`, { tools: [] })
    expect((await remove(`/agents/${one}`)).status).toBe(200)
  })
})

describe('an agent that waits inside of another one', () => {
  it('makes it wait too, with the path of agents, and both go on after the decision', async () => {
    const { data, get, post, one, top, conversation, over, api, read, listRequests } = await waitingAgents()
    expect(data.status).toBe('awaiting_approval')
    const [approval] = (await get('/approvals?status=pending')).body.data
    expect(data.tool_calls).toMatchObject([
      { id: 'a', status: 'awaiting_approval', approval_id: approval.id, conversation_id: approval.conversation_id },
      { id: 'b', status: 'completed' },
    ])
    expect(approval.agent_path).toEqual([
      { agent_id: top, agent_name: 'Top', conversation_id: conversation, message_id: data.id },
      {
        agent_id: one,
        agent_name: 'One',
        conversation_id: approval.conversation_id,
        message_id: approval.message_id,
      },
    ])
    expect((await post(`/approvals/${approval.id}`, { approved: true })).status).toBe(200)
    expect(await over()).toMatchObject({
      status: 'completed',
      content: 'The end',
      tool_calls: [
        { id: 'a', status: 'completed', result: 'Mailed' },
        { id: 'b', status: 'completed' },
      ],
    })
    expect(api.requests.length).toBe(1)
    expect((await read(approval.conversation_id)).messages.at(-1).status).toBe('completed')
    expect([listRequests('Top').length, listRequests('One').length, listRequests('Two').length]).toEqual([2, 2, 1])
  })

  it('is cancelled with it, and its approval is refused', async () => {
    const { path, post, get, read, data, api } = await waitingAgents()
    expect((await post(`${path}/cancel`)).body.data.status).toBe('cancelled')
    expect((await get('/approvals?status=pending')).body.data).toEqual([])
    expect((await read(data.tool_calls[0].conversation_id)).messages.at(-1).status).toBe('cancelled')
    expect(api.requests).toEqual([])
  })
})

it('goes on with the agents that asked on the node where somebody decides', async () => {
  const here = await agentsStage({ own: true })
  const other = onPostgres ? await startOn(here.environment) : here
  const one = await here.agent('One', { tools: [await here.mailer()] })
  const top = await here.agent('Top', { tools: [await here.agent('Middle', { tools: [one] })] })
  here.script('Top', { toolCalls: [ask('a', 'Middle')] }, { deltas: ['The end'] })
  here.script('Middle', { toolCalls: [ask('b', 'One')] }, { deltas: ['Passed'] })
  here.script('One', mail, { deltas: ['Mailed'] })
  const conversation = await here.converse(top)
  expect((await here.send(conversation)).data.status).toBe('awaiting_approval')
  const [approval] = (await other.get('/approvals?status=pending')).body.data
  expect(approval.agent_path.map((each: Json) => each.agent_name)).toEqual(['Top', 'Middle', 'One'])
  await other.post(`/approvals/${approval.id}`, { approved: true })
  const reply = await until(async () => {
    const last = (await here.read(conversation)).messages.at(-1)
    return last.status === 'completed' && last
  })
  expect(reply).toMatchObject({ content: 'The end', tool_calls: [{ result: 'Passed' }] })
  expect(here.api.requests.length).toBe(1)
})

it('stops the agents that it asks when it is cancelled', async () => {
  const { agent, script, converse, send, get, post, read } = await agentsStage()
  const top = await agent('Top', { tools: [await agent('One')] })
  let release = () => {}
  const hold = new Promise<void>((resolve) => {
    release = resolve
  })
  script('Top', { toolCalls: [ask('a', 'One')] })
  script('One', { deltas: ['Slow', 'er'], hold })
  const conversation = await converse(top)
  const sent = send(conversation)
  const call = await until(async () => (await read(conversation)).messages.at(-1)?.tool_calls?.[0])
  await until(async () => (await read(call.conversation_id)).messages.at(-1)?.status === 'running')
  const [, reply] = (await read(conversation)).messages
  expect((await post(`/conversations/${conversation}/messages/${reply.id}/cancel`)).body.data.status).toBe('cancelled')
  expect((await read(call.conversation_id)).messages.at(-1).status).toBe('cancelled')
  expect((await sent).data.status).toBe('cancelled')
  expect((await get(`/conversations?parent_message_id=${reply.id}`)).body.pagination.total).toBe(1)
  release()
})
