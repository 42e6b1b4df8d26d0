import { expect, it } from 'vitest'
import { addQuestion, asksForDay, withCalendar } from '../../../test/account-stage.ts'
import { type Json, until } from '../../../test/harness.ts'
import { connect as connectMcp, resultText } from '../../../test/mcp.ts'
import { consent } from '../../../test/oauth-server.ts'
import { mayCallLoopback } from '../../../test/scripted-api.ts'
import { stage } from '../../../test/stage.ts'

it('clients of the MCP server and of the Responses API learn which account is missing, and where to connect it', async () => {
  const { url, tokenFor, provider, agent, post, get, callback, put } = await withCalendar()
  const ada = await tokenFor('editor', { user_id: 'ada' })
  await put(`/agents/${agent}`, { name: 'Helper' })
  const client = await connectMcp(url, ada)
  const direct = (await client.callTool({ name: 'calendar', arguments: {} })) as Json
  expect(direct.isError).toBe(true)
  expect(resultText(direct)).toMatch(/"calendar" needs an account .* at http\S+\/authorize\?\S+, then call/)

  provider.next({ toolCalls: [{ id: 'c1', name: 'calendar', arguments: '{}' }] })
  const asked = (await client.callTool({ name: 'ask_helper', arguments: { message: 'Today?' } })) as Json
  const { needs, status, conversation_id } = asked.structuredContent
  expect([status, needs]).toEqual([
    'awaiting_connection',
    [
      {
        kind: 'connection',
        tool_call_id: 'c1',
        name: 'calendar',
        message: expect.stringContaining('must connect their account for "calendar" at http'),
        url: expect.stringContaining('/authorize?'),
      },
    ],
  ])
  expect(resultText(asked)).toContain(needs[0].url)

  provider.next({ toolCalls: [{ id: 'c2', name: 'calendar', arguments: '{}' }] })
  const sent = { model: agent, input: 'Today?' }
  const response = (await post('/openai/v1/responses', sent, { token: ada })).body
  expect(response).toMatchObject({
    status: 'in_progress',
    output: [
      { type: 'mcp_call', status: 'in_progress', name: 'calendar' },
      {
        type: 'mcp_approval_request',
        name: 'calendar',
        action: 'connect_account',
        message: expect.stringContaining('Connect your account'),
        approval_url: expect.stringContaining('/authorize?'),
      },
    ],
  })

  expect((await callback(await consent(needs[0].url))).status).toBe(200)
  const done = await until(async () => {
    const { body } = await get(`/openai/v1/responses/${response.id}`, { token: ada })
    return body.status === 'completed' && body
  })
  expect(done.output.map(({ type }: Json) => type)).toEqual(['mcp_call', 'mcp_approval_request', 'message'])
  const reply = await until(async () => {
    const again = (await client.callTool({ name: 'ask_helper', arguments: { conversation_id } })) as Json
    return again.structuredContent.status === 'completed' && again.structuredContent
  })
  expect(reply).toMatchObject({ answer: 'Done', needs: [] })
})

it('they learn what a tool asks the person, and get the reply after the answer', async () => {
  const here = await stage({ deltas: ['Done'] }, mayCallLoopback)
  const { url, token, provider, agent, post, put, get } = here
  await put(`/agents/${agent}`, { name: 'Helper', tools: [await addQuestion(here)] })
  const client = await connectMcp(url, token)
  const direct = (await client.callTool({ name: 'table_book', arguments: {} })) as Json
  expect(resultText(direct)).toBe('Answer: "decline"') // a direct call has nobody to ask

  provider.next(asksForDay('c1'))
  const asked = (await client.callTool({ name: 'ask_helper', arguments: { message: 'Book' } })) as Json
  const { conversation_id, message_id, ...rest } = asked.structuredContent
  expect(rest).toMatchObject({
    status: 'awaiting_input',
    needs: [{ kind: 'input', tool_call_id: 'c1', name: 'table_book', message: 'When shall I book?' }],
  })
  expect(resultText(asked)).toMatch(
    /table_book asks the user: When shall I book\? .*in the conversation in the console/,
  )
  const answer = { tool_call_id: 'c1', action: 'accept', content: { day: 'friday' } }
  await post(`/conversations/${conversation_id}/messages/${message_id}/input`, answer)
  const after = (await client.callTool({ name: 'ask_helper', arguments: { conversation_id } })) as Json
  expect(after.structuredContent).toMatchObject({ status: 'completed', answer: 'Done', needs: [] })

  provider.next(asksForDay('c1'))
  const response = (await post('/openai/v1/responses', { model: agent, input: 'Book', user: 'ada' })).body
  const request = {
    type: 'mcp_approval_request',
    name: 'table_book',
    action: 'answer_question',
    message: 'When shall I book?',
    approval_url: expect.stringContaining('/conversations/'),
  }
  expect([response.status, response.output.at(-1)]).toMatchObject(['in_progress', request])
  const [conversation] = (await get(`/conversations?agent_id=${agent}&limit=1`)).body.data
  const [, reply] = (await get(`/conversations/${conversation.id}/messages`)).body.data
  await post(`/conversations/${conversation.id}/messages/${reply.id}/input`, answer)
  const done = (await get(`/openai/v1/responses/${response.id}`)).body
  expect([done.status, done.output.map(({ type }: Json) => type)]).toEqual([
    'completed',
    ['mcp_call', 'mcp_approval_request', 'message'],
  ])
})
