import { expect, it } from 'vitest'
import { asking, cautious } from '../../../test/cautious-stage.ts'
import type { Json } from '../../../test/harness.ts'
import { recoverTurns } from '../conversations/jobs.ts'

it('tells of every change at once', async () => {
  const { say, talk, provider, post, get, remove, ctx, agent } = await cautious()
  const told = async () => (await get('/analytics/conversations')).body.data as Json
  const id = await talk()
  expect((await told()).messages.total).toBe(0)
  const { data: hello } = (await say(id, 'Hello')).body
  const first = await told()
  expect(first).toMatchObject({ messages: { user: 1, assistant: 1 }, errors: { total: 0 }, users: { unique: 1 } })

  await post(`/conversations/${id}/messages/${hello.id}/feedback`, { rating: 'down' })
  expect((await told()).feedback).toEqual({ up: 0, down: 1, satisfaction_rate: 0 })
  await post(`/conversations/${id}/messages/${hello.id}/feedback`, { rating: 'up' })
  expect((await told()).feedback).toEqual({ up: 1, down: 0, satisfaction_rate: 1 })
  await post(`/conversations/${id}/messages/${hello.id}/regenerate`)
  expect(await told()).toMatchObject({ messages: { total: 2 }, tokens: { input: 2 * first.tokens.input } })

  provider.next(asking)
  const { data: waiting } = (await say(id, 'Send it')).body
  const paused = await told()
  expect(paused).toMatchObject({ messages: { total: 4 }, by_agent: [{ agent_id: agent, messages: 4 }] })
  const failed = { status: 400, body: { error: { message: 'No.' } } }
  await post(`/conversations/${id}/messages/${waiting.id}/cancel`)
  provider.next(failed)
  await say(id, 'Again')
  // Four replies came to an end: two as they should, one cancelled while it waited, one that failed.
  expect((await told()).errors).toEqual({ total: 1, rate: 0.25 })

  const { data: last } = (await say(id, 'Once more')).body
  await ctx.db.updateTable('message').set({ status: 'running', alive_at: 0 }).where('id', '=', last.id).execute()
  await recoverTurns(ctx, 0)
  expect((await told()).errors).toEqual({ total: 2, rate: 0.4 })

  await remove(`/conversations/${id}`)
  expect(await told()).toMatchObject({ messages: { total: 0 }, tokens: { input: 0 }, users: { unique: 0 }, tools: [] })
})
