import { expect, it } from 'vitest'
import { answering, call, cautious } from '../../server/test/cautious-stage.ts'
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
