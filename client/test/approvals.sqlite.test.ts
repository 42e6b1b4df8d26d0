import { expect, it } from 'vitest'
import { addQuestion, asksForDay } from '../../server/test/account-stage.ts'
import { answering, call, cautious } from '../../server/test/cautious-stage.ts'
import { mayCallLoopback } from '../../server/test/scripted-api.ts'
import { stage } from '../../server/test/stage.ts'
import { Parley, type ReplyEvent } from '../src/index.ts'

const all = async (events: AsyncIterable<ReplyEvent>): Promise<ReplyEvent[]> => {
  const seen: ReplyEvent[] = []
  for await (const event of events) seen.push(event)
  return seen
}

it('pauses for approvals and continues after the last decision', async () => {
  const { url, token, talk, provider, calls } = await cautious()
  const { conversations } = new Parley({ baseUrl: url, token })
  const id = await talk()
  provider.next({ toolCalls: [call('call_a', 'one'), call('call_b', 'two')] }, answering)
  const asked = await all(conversations.stream(id, 'Both'))
  expect(asked.map(({ type }) => type)).toEqual(['message.started', 'approval.required', 'approval.required'])
  const [started] = asked
  const message = started?.type === 'message.started' ? started.message_id : ''
  expect(await all(conversations.resume(id, message, { after: 3 }))).toEqual([])
  const decide = (tool_call_id: string, approved: boolean) =>
    all(conversations.approveStream(id, message, { tool_call_id, approved }))
  expect(await decide('call_a', false)).toEqual([])
  const rest = await decide('call_b', true)
  expect(rest[0]?.sequence).toBe(4)
  expect(rest.at(-1)).toMatchObject({ type: 'message.completed', message: { content: 'It is done.' } })
  expect(calls).toEqual([{ text: 'two' }])
  const again = await conversations.approve(id, message, { tool_call_id: 'call_b', approved: true })
  expect(again.status).toBe('completed')
})

it('answers the questions of tools, and continues with the rest of the reply', async () => {
  const here = await stage({ deltas: ['Booked'] }, mayCallLoopback)
  await here.put(`/agents/${here.agent}`, { tools: [await addQuestion(here)] })
  const { conversations } = new Parley({ baseUrl: here.url, token: here.token })
  const id = await here.talk()
  here.provider.next(asksForDay('c1'))
  const asked = await all(conversations.stream(id, 'Book a table'))
  expect(asked.at(-1)).toMatchObject({ type: 'input.required', tool_call_id: 'c1', message: 'When shall I book?' })
  const [, waiting] = (await conversations.messages(id)).data
  const accepted = { tool_call_id: 'c1', action: 'accept', content: { day: 'friday' } } as const
  const rest = await all(conversations.answerStream(id, waiting?.id ?? '', accepted))
  expect(rest.at(-1)).toMatchObject({ type: 'message.completed', message: { content: 'Booked' } })

  here.provider.next(asksForDay('c2'))
  const again = await conversations.send(id, 'Another one')
  expect(again.status).toBe('awaiting_input')
  const wrong = conversations.answer(id, again.id, { ...accepted, tool_call_id: 'c2', content: { day: 'never' } })
  await expect(wrong).rejects.toMatchObject({ status: 400, details: [{ path: 'content.day' }] })
  const declined = await conversations.answer(id, again.id, { tool_call_id: 'c2', action: 'decline' })
  expect([declined.status, declined.tool_calls[0]?.inputs?.[0]?.action]).toEqual(['completed', 'decline'])
})
