import { expect, it } from 'vitest'
import { connect, textOf } from './mcp.ts'
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
  expect(data.tool_calls[0]).toMatchObject({ tool_id: tool.body.data.id, arguments: { to: 'ada' } })
  const decision = { tool_call_id: 'call_a', approved: true }
  const done = (await here.post(`/conversations/${id}/messages/${data.id}/approvals`, decision)).body.data
  expect(done).toMatchObject({ status: 'completed', tool_calls: [{ status: 'completed', approved: true }] })
  expect(api.requests.map(({ method, body }) => [method, JSON.parse(body)])).toEqual([['POST', { to: 'ada' }]])

  const client = await connect(here.url, here.token)
  expect(textOf(await client.callTool({ name: 'send_mail', arguments: { to: 'bob' } }))).toContain('approval')
  expect(api.requests.length).toBe(1)
})
