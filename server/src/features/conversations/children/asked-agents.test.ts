import { describe, expect, it } from 'vitest'
import { agentsStage, ask, mail, waitingAgents } from '../../../../test/agents-stage.ts'
import { createFile } from '../../../../test/attachments.ts'
import { readEvents } from '../../../../test/event-stream.ts'
import { type Json, until } from '../../../../test/harness.ts'
import { mcpServer } from '../../../../test/mcp-server.ts'
import { consent, oauthServer } from '../../../../test/oauth-server.ts'

describe('an agent that has agents as tools', () => {
  it('shows the conversation in the event', async () => {
    const { agent, script, converse, url, token } = await agentsStage()
    const top = await agent('Top', { tools: [await agent('One')] })
    script('Top', { toolCalls: [ask('a', 'One')] }, { deltas: ['Done'] })
    const response = await fetch(`${url}/api/conversations/${await converse(top)}/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'Go', stream: true }),
    })
    const events = await readEvents(response)
    expect(events.map(({ event }) => event)).toEqual([
      'message.started',
      'tool.started',
      'tool.finished',
      'text.delta',
      'message.completed',
    ])
    const [call] = events.at(-1)?.data.message.tool_calls ?? []
    expect(events[1]?.data).toMatchObject({ tool_call_id: 'a', name: 'One', conversation_id: call.conversation_id })
  })

  it('refuses a circle when it is configured, and names it', async () => {
    const { agent, put, post } = await agentsStage()
    const one = await agent('One')
    const two = await agent('Two', { tools: [one] })
    const three = await agent('Three', { tools: [two] })
    for (const tools of [[one], [two], [three]]) {
      const { status, body } = await put(`/agents/${one}`, { tools })
      expect([status, body.code, body.details[0].path]).toEqual([400, 'invalid_request', 'tools[0]'])
    }
    expect((await put(`/agents/${one}`, { tools: [three] })).body.error).toContain('"Three" → "Two" → "One"')
    expect((await post('/agents', { name: 'X', tools: ['agt_none'] })).body.code).toBe('unknown_reference')
    expect((await put(`/agents/${three}`, { tools: [two, one] })).status).toBe(200)
  })

  it('goes five levels deep, and the model is told that there are no more', async () => {
    const { agent, script, converse, send, listRequests } = await agentsStage()
    let last = await agent('L6')
    for (const level of [5, 4, 3, 2, 1, 0]) {
      last = await agent(`L${level}`, { tools: [last] })
      script(`L${level}`, { toolCalls: [ask('a', `L${level + 1}`)] }, { deltas: [`Back ${level}`] })
    }
    const { data } = await send(await converse(last))
    expect(data).toMatchObject({ status: 'completed', tool_calls: [{ status: 'completed', result: 'Back 1' }] })
    expect(listRequests('L6')).toEqual([])
    expect(listRequests('L5')[1].messages.at(-1).content).toContain('at most 5 levels')
  })

  it('goes on when the budget of an agent that it asks is exhausted, and spends its own for them', async () => {
    const { agent, script, converse, send, post, get } = await agentsStage()
    const [one, two] = [await agent('One'), await agent('Two')]
    const top = await agent('Top', { tools: [one, two] })
    const limit = (entity_id: string, limit: number) =>
      post('/usage/thresholds', {
        ...{
          name: entity_id,
          entity_type: 'agent',
          entity_id,
          metric: 'tokens',
          window: 'day',
          action: 'block',
          limit,
        },
      })
    await limit(top, 1_000_000)
    await limit(one, 1)
    script('Top', { toolCalls: [ask('a', 'One'), ask('b', 'Two')] }, { deltas: ['Without it'] })
    const { data } = await send(await converse(top))
    expect(data).toMatchObject({
      status: 'completed',
      content: 'Without it',
      tool_calls: [{ status: 'failed', result: expect.stringContaining('budget_exceeded') }, { status: 'completed' }],
    })
    const { by_entity } = (await get('/usage/stats')).body.data
    const own = (await get('/usage/thresholds')).body.data.find(({ entity_id }: Json) => entity_id === top)
    expect([own.used, own.reserved]).toEqual([by_entity.agent[top].tokens + by_entity.agent[two].tokens, 0])
  })

  it('gives them the files and the access of the person', async () => {
    const here = await agentsStage()
    const { agent, script, listRequests, tokenFor, post } = here
    const one = await agent('One')
    const hidden = await agent('Hidden', { access: { groups: ['staff'], users: [] } })
    const top = await agent('Top', { tools: [one, hidden] })
    const token = await tokenFor('user', { user_id: 'bob' })
    const file_id = await createFile(here, 'code.txt', 'The code is 4711.', { token, type: 'text/plain' })
    script('Top', { toolCalls: [ask('a', 'One'), ask('b', 'Hidden')] })
    const conversation = (await post('/conversations', { agent_id: top }, { token })).body.data.id
    const body = { message: 'Go', attachments: [{ file_id }] }
    const { data } = (await post(`/conversations/${conversation}/messages`, body, { token })).body
    expect(data.tool_calls).toMatchObject([{ status: 'completed' }, { status: 'failed', tool_id: null }])
    expect(listRequests('Top')[0].tools.length).toBe(1)
    expect(JSON.stringify(listRequests('One')[0].messages)).toContain('4711')
    const child = (await here.get(`/conversations/${data.tool_calls[0].conversation_id}`, { token })).body.data
    expect(child.user_id).toBe('bob')
    expect((await here.get(`/agents/${top}`, { token })).body.data.tools).toEqual([one])
  })

  it('asks them without a stored conversation where it has none itself', async () => {
    const { agent, script, post, get } = await agentsStage()
    const top = await agent('Top', { tools: [await agent('One')] })
    script('Top', { toolCalls: [ask('a', 'One')] }, { deltas: ['Asked'] })
    const body = { model: top, messages: [{ role: 'user', content: 'Go' }] }
    const { body: reply } = await post('/openai/v1/chat/completions', body)
    expect(reply.choices[0].message.content).toBe('Asked')
    expect((await get('/usage/stats')).body.data.requests ?? 3).toBe(3)
    const { pagination } = (await get('/conversations')).body
    expect(pagination.total).toBe(0)
  })
})

describe('an agent that waits inside of another one', () => {
  it('can be decided in the conversation of the person', async () => {
    const { path, post, over, api } = await waitingAgents()
    const decided = await post(`${path}/approvals`, { tool_call_id: 'a', approved: true })
    expect(decided.status).toBe(200)
    expect(await over()).toMatchObject({ status: 'completed', tool_calls: [{ result: 'Mailed' }, {}] })
    expect(api.requests.length).toBe(1)
  })

  it('fails if its agent was deleted in the meantime, and leaves nothing open', async () => {
    const { post, get, remove, over, top, path } = await waitingAgents()
    const [approval] = (await get('/approvals?status=pending')).body.data
    expect((await remove(`/agents/${top}`)).status).toBe(200)
    expect((await post(`/approvals/${approval.id}`, { approved: true })).status).toBe(200)
    expect(await over()).toMatchObject({
      status: 'failed',
      code: 'unknown_reference',
      tool_calls: [{ status: 'failed', result: 'The reply ended during the call.' }, { status: 'completed' }],
    })
    const { steps } = (await get(`${path}/trace`)).body.data
    expect(steps.filter(({ status }: Json) => status === 'running')).toEqual([])
  })

  it('lets it go on when it is cancelled itself', async () => {
    const { post, get, over } = await waitingAgents()
    const [approval] = (await get('/approvals?status=pending')).body.data
    await post(`/conversations/${approval.conversation_id}/messages/${approval.message_id}/cancel`)
    expect(await over()).toMatchObject({ status: 'completed', tool_calls: [{ status: 'failed' }, {}] })
  })
})

it('shows in each reply what an agent that it asked waits for, one after the other, with the path of agents', async () => {
  const oauth = await oauthServer()
  const question = {
    mode: 'form',
    message: 'When?',
    requestedSchema: { type: 'object', properties: { day: { type: 'string' } } },
  }
  const server = await mcpServer([
    { name: 'book', annotations: { readOnlyHint: true }, run: async (_args, _report, elicit) => elicit(question) },
  ])
  const { agent, mailer, script, converse, send, get, post, api, url, token } = await agentsStage()
  const auth = {
    type: 'oauth2',
    client_id: 'parley',
    authorization_url: `${oauth.url}/authorize`,
    token_url: `${oauth.url}/token`,
  }
  const tool = async (body: object): Promise<string> =>
    (await post('/api-tools', { description: 'T', ...body })).body.data.id
  const tools = [
    await mailer(),
    await tool({ name: 'calendar', url: `${api.url}/calendar`, auth }),
    await tool({ name: 'table', type: 'mcp', url: server.url }),
  ]
  const middle = await agent('Middle', { tools: [await agent('One', { tools })] })
  const top = await agent('Top', { tools: [middle] })
  script('Top', { toolCalls: [ask('a', 'Middle')] }, { deltas: ['The end'] })
  script('Middle', { toolCalls: [ask('b', 'One')] })
  const calls = ['send_mail', 'calendar', 'table_book'].map((name) => ({ id: `call_${name}`, name, arguments: '{}' }))
  script('One', { toolCalls: calls })
  const conversation = await converse(top)
  const { data } = await send(conversation)
  const path = `/conversations/${conversation}/messages/${data.id}`
  const shown = async (status: string) => {
    const reply = await until(async () => {
      const { data } = (await get(path)).body
      return data.status === status && data
    })
    const [call] = reply.tool_calls
    expect([status, call.status, call.agent_path?.map((each: Json) => each.agent_name)]).toEqual([
      status,
      status,
      ['Top', 'Middle', 'One'],
    ])
    const [child] = (await get(`/conversations?parent_message_id=${data.id}`)).body.data
    const { messages } = (await get(`/conversations/${child.id}`)).body.data
    expect(messages.at(-1)).toMatchObject({ status, tool_calls: [{ status, agent_path: call.agent_path }] })
    return call
  }
  const { approval_id: approval } = await shown('awaiting_approval')
  expect((await get(`/approvals/${approval}`)).body.data.agent_path).toMatchObject([{}, {}, { agent_name: 'One' }])
  await post(`/approvals/${approval}`, { approved: true })
  const { connection } = await shown('awaiting_connection')
  expect(connection).toMatchObject({ name: 'calendar', status: 'required' })
  const callback = await consent(connection.authorize_url)
  await get(`${callback.pathname}${callback.search}`, { token: null })
  const asked = await shown('awaiting_input')
  expect(asked.inputs).toEqual([{ message: 'When?', schema: question.requestedSchema, action: null }])
  const headers = { authorization: `Bearer ${token}` }
  const events = await readEvents(await fetch(`${url}/api${path}/stream`, { headers }))
  expect(events.map(({ event }) => event).slice(-3)).toEqual([
    'approval.required',
    'connection.required',
    'input.required',
  ])
  await post(`${path}/input`, { tool_call_id: 'a', action: 'accept', content: { day: 'Monday' } })
  const [call] = (
    await until(async () => {
      const { data } = (await get(path)).body
      return data.status === 'completed' && data
    })
  ).tool_calls
  const answered = { action: 'accept', content: { day: 'Monday' } }
  expect(call).toMatchObject({ status: 'completed', result: 'Done by Middle', inputs: [answered] })
  expect([call.agent_path, call.connection]).toEqual([undefined, undefined])
})

it('is no success of a schedule if a call of an agent that it asked was refused', async () => {
  const { agent, mailer, script, post, get } = await agentsStage()
  const top = await agent('Top', { tools: [await agent('One', { tools: [await mailer()] })] })
  script('Top', { toolCalls: [ask('a', 'One')] }, { deltas: ['Fine'] })
  script('One', mail, { deltas: ['Not sent'] })
  const action = { type: 'message', agent_id: top, message: 'Go' }
  const { id } = (await post('/schedules', { name: 'Nightly', cron: '0 3 * * *', action })).body.data
  await post(`/schedules/${id}/run`)
  const approval = await until(async () => (await get('/approvals?status=pending')).body.data[0])
  const lastRun = async (): Promise<Json> => (await get(`/schedules/${id}/runs`)).body.data[0]
  await until(async () => (await lastRun()).status === 'awaiting_approval')
  await post(`/approvals/${approval.id}`, { approved: false })
  const run = await until(async () => (await lastRun()).finished_at !== null && lastRun())
  const { total_cost } = (await get('/usage/costs')).body.data
  expect(run).toMatchObject({ status: 'failed', code: 'tool_refused', cost: total_cost })
})

it('calls what a schedule has granted in the agents that it asks or hands over to, until the tool changes', async () => {
  const { agent, mailer, script, post, put, get, api } = await agentsStage()
  const mails = await mailer()
  const one = await agent('One', { tools: [mails] })
  const other = await agent('Other', { tools: [await agent('Two', { tools: [one] })] })
  const top = await agent('Top', { handoffs: [other] })
  const action = { type: 'message', agent_id: top, message: 'Go' }
  const shape = { name: 'Nightly', cron: '0 3 * * *', action, approved_tools: [mails] }
  const { id } = (await post('/schedules', shape)).body.data
  const run = async (wanted: string) => {
    script('Top', { toolCalls: [{ id: 'call_to', name: 'transfer_to_Other', arguments: '{}' }] })
    script('Other', { toolCalls: [ask('a', 'Two')] }, { deltas: ['Fine'] })
    script('Two', { toolCalls: [ask('b', 'One')] }, { deltas: ['Fine'] })
    script('One', mail, { deltas: ['Sent'] })
    const started = (await post(`/schedules/${id}/run`)).body.data.id
    const find = async () => (await get(`/schedules/${id}/runs`)).body.data.find((each: Json) => each.id === started)
    await until(async () => (await find()).status === wanted)
  }
  await run('succeeded')
  expect(api.requests.length).toBe(1)
  await put(`/api-tools/${mails}`, { description: 'Sends other mails.' })
  await run('awaiting_approval')
  expect(api.requests.length).toBe(1)
})

it('goes on when somebody decides before all of its agents have answered', async () => {
  const { agent, mailer, script, converse, send, get, post, read } = await agentsStage()
  const top = await agent('Top', { tools: [await agent('One', { tools: [await mailer()] }), await agent('Two')] })
  let release = () => {}
  const hold = new Promise<void>((resolve) => {
    release = resolve
  })
  script('Top', { toolCalls: [ask('a', 'One'), ask('b', 'Two')] }, { deltas: ['The end'] })
  script('One', mail, { deltas: ['Mailed'] })
  script('Two', { deltas: ['Done'], hold, after: 0 })
  const conversation = await converse(top)
  const sent = send(conversation)
  const approval = await until(async () => (await get('/approvals?status=pending')).body.data[0])
  await post(`/approvals/${approval.id}`, { approved: true })
  await until(async () => (await read(approval.conversation_id)).messages.at(-1).status === 'completed')
  release()
  await sent
  const reply = await until(async () => {
    const last = (await read(conversation)).messages.at(-1)
    return last.status === 'completed' && last
  })
  expect(reply).toMatchObject({ content: 'The end', tool_calls: [{ result: 'Mailed' }, { result: 'Done' }] })
})
