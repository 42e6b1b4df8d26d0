import { describe, expect, it } from 'vitest'
import { connect, resultText } from './mcp.ts'
import { mcpServer } from './mcp-server.ts'
import { mayCallLoopback, scriptedApi } from './scripted-api.ts'
import { stage } from './stage.ts'

it('an API tool that needs approval runs after it is approved, and not through the MCP server', async () => {
  const api = await scriptedApi(() => ({ body: { sent: true } }))
  const here = await stage({ deltas: ['Done'] }, mayCallLoopback)
  const tool = await here.post('/api-tools', {
    name: 'send_mail',
    description: 'Sends a mail.',
    method: 'POST',
    url: `${api.url}/mails`,
    parameters: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
    body: { to: '{to}' },
    requires_approval: true,
  })
  expect(tool.status).toBe(201)
  await here.put(`/agents/${here.agent}`, { tools: [tool.body.data.id] })
  here.provider.next({ toolCalls: [{ id: 'call_a', name: 'send_mail', arguments: '{"to":"ada"}' }] })
  const id = await here.talk()
  const { data } = (await here.say(id, 'Write to Ada')).body
  expect([data.status, api.requests.length]).toEqual(['awaiting_approval', 0])
  expect(data.tool_calls[0]).toMatchObject({
    tool_id: tool.body.data.id,
    arguments: { to: 'ada' },
    target: `POST ${api.url}/mails`,
  })
  const decision = { tool_call_id: 'call_a', approved: true }
  const done = (await here.post(`/conversations/${id}/messages/${data.id}/approvals`, decision)).body.data
  expect(done).toMatchObject({ status: 'completed', tool_calls: [{ status: 'completed', approved: true }] })
  expect(api.requests.map(({ method, body }) => [method, JSON.parse(body)])).toEqual([['POST', { to: 'ada' }]])

  const client = await connect(here.url, here.token)
  expect(resultText(await client.callTool({ name: 'send_mail', arguments: { to: 'bob' } }))).toContain('approval')
  expect(api.requests.length).toBe(1)
})

describe('a tool that is edited while a call waits for approval', () => {
  async function waiting() {
    const api = await scriptedApi(() => ({ body: { sent: true } }))
    const elsewhere = await scriptedApi()
    const here = await stage({ deltas: ['Done'] }, mayCallLoopback)
    const parameters = { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] }
    const made = await here.post('/api-tools', {
      name: 'send_mail',
      description: 'Sends a mail.',
      method: 'POST',
      url: `${api.url}/mails`,
      parameters,
      body: { to: '{to}' },
      auth: { type: 'bearer', token: 'sesame-one' },
      requires_approval: true,
    })
    const { id: tool } = made.body.data
    await here.put(`/agents/${here.agent}`, { tools: [tool] })
    here.provider.next({ toolCalls: [{ id: 'call_a', name: 'send_mail', arguments: '{"to":"ada"}' }] })
    const conversation = await here.talk()
    const { data } = (await here.say(conversation, 'Write to Ada')).body
    expect(data.status).toBe('awaiting_approval')
    const approve = async () => {
      const decision = { tool_call_id: 'call_a', approved: true }
      return (await here.post(`/conversations/${conversation}/messages/${data.id}/approvals`, decision)).body.data
    }
    const edit = async (change: object) => expect((await here.put(`/api-tools/${tool}`, change)).status).toBe(200)
    return { ...here, api, elsewhere, tool, parameters, approve, edit }
  }

  it('is called as it was approved', async () => {
    const { api, elsewhere, approve, edit, post, put, agent, tool, parameters } = await waiting()
    await edit({ name: 'send_letter', method: 'PUT', body: { to: 'eve', cc: '{to}' }, requires_approval: false })
    await edit({ url: `${elsewhere.url}/mails`, auth: { type: 'bearer', token: 'sesame-two' } })
    const other = { name: 'send_mail', description: 'Another.', url: `${elsewhere.url}/other`, parameters }
    const { id } = (await post('/api-tools', other)).body.data
    await put(`/agents/${agent}`, { tools: [id, tool] })
    expect(await approve()).toMatchObject({ status: 'completed', tool_calls: [{ tool_id: tool, status: 'completed' }] })
    expect(api.requests.map(({ method, url, body, headers }) => [method, url, body, headers.authorization])).toEqual([
      ['POST', '/mails', '{"to":"ada"}', 'Bearer sesame-one'],
    ])
    expect(elsewhere.requests).toEqual([])
  })

  it('is called with a secret that was replaced', async () => {
    const { api, approve, edit } = await waiting()
    await edit({ auth: { type: 'bearer', token: 'sesame-two' }, description: 'Sends mails.' })
    expect((await approve()).tool_calls[0].status).toBe('completed')
    expect(api.requests[0]?.headers.authorization).toBe('Bearer sesame-two')
  })

  it('is not called if the agent no longer has it', async () => {
    const { api, approve, put, agent } = await waiting()
    await put(`/agents/${agent}`, { tools: [] })
    expect((await approve()).tool_calls[0]).toMatchObject({
      status: 'failed',
      result: expect.stringMatching(/no tool/),
    })
    expect(api.requests).toEqual([])
  })

  it('may belong to an MCP server', async () => {
    const ran: string[] = []
    const serve = (name: string) => {
      const run = () => {
        ran.push(name)
        return { content: [{ type: 'text', text: name }] }
      }
      return mcpServer([{ name: 'send', run }])
    }
    const [first, second] = [await serve('first'), await serve('second')]
    const here = await stage({ deltas: ['Done'] }, mayCallLoopback)
    const made = await here.post('/api-tools', {
      name: 'mail',
      description: 'Mail.',
      type: 'mcp',
      url: first.url,
      requires_approval: true,
    })
    const { id: tool } = made.body.data
    await here.put(`/agents/${here.agent}`, { tools: [tool] })
    here.provider.next({ toolCalls: [{ id: 'call_a', name: 'mail_send', arguments: '{}' }] })
    const conversation = await here.talk()
    const { data } = (await here.say(conversation, 'Write')).body
    await here.put(`/api-tools/${tool}`, { url: second.url })
    const decision = { tool_call_id: 'call_a', approved: true }
    const path = `/conversations/${conversation}/messages/${data.id}/approvals`
    expect((await here.post(path, decision)).body.data.tool_calls[0]).toMatchObject({ result: 'first' })
    expect(ran).toEqual(['first'])
  })
})
