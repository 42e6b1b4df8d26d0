import { expect, it } from 'vitest'
import { asking, cautious } from '../../../test/cautious-stage.ts'
import type { Json } from '../../../test/harness.ts'
import { stage } from '../../../test/stage.ts'
import { removeOld } from '../../kernel/retention.ts'
import { day } from '../../kernel/time.ts'
import { recoverTurns } from '../conversations/turn/recovery.ts'

it('drops messages that retention removes, and keeps the ledger', async () => {
  let time = Date.parse('2026-01-10T12:00:00Z')
  const environment = { CONVERSATION_IDLE_MINUTES: '525600' } // the clock jumps
  const { say, talk, get, ctx } = await stage(undefined, { now: () => time, environment })
  const january = 'start_date=2026-01-01&end_date=2026-03-31'
  const messages = async () => (await get(`/analytics/conversations?${january}`)).body.data.messages.total
  const tokens = async () => (await get('/usage/stats?entity_type=user&entity_id=ada')).body.data.total_tokens
  await say(await talk(), 'One')
  time += 40 * day
  await say(await talk(), 'Two')
  expect(await messages()).toBe(4)
  const before = await tokens()
  await removeOld(ctx, time - 30 * day)
  expect(await messages()).toBe(2)
  expect(await tokens()).toBe(before)
})

it('shows every change at once', async () => {
  const { say, talk, provider, post, get, remove, ctx, agent } = await cautious()
  const analytics = async () => (await get('/analytics/conversations')).body.data as Json
  const id = await talk()
  expect((await analytics()).messages.total).toBe(0)
  const { data: hello } = (await say(id, 'Hello')).body
  const first = await analytics()
  expect(first).toMatchObject({ messages: { user: 1, assistant: 1 }, errors: { total: 0 }, users: { unique: 1 } })

  await post(`/conversations/${id}/messages/${hello.id}/feedback`, { rating: 'down' })
  expect((await analytics()).feedback).toEqual({ up: 0, down: 1, satisfaction_rate: 0 })
  await post(`/conversations/${id}/messages/${hello.id}/feedback`, { rating: 'up' })
  expect((await analytics()).feedback).toEqual({ up: 1, down: 0, satisfaction_rate: 1 })
  await post(`/conversations/${id}/messages/${hello.id}/regenerate`)
  expect(await analytics()).toMatchObject({ messages: { total: 2 }, tokens: { input: 2 * first.tokens.input } })

  provider.next(asking)
  const { data: waiting } = (await say(id, 'Send it')).body
  const paused = await analytics()
  expect(paused).toMatchObject({ messages: { total: 4 }, by_agent: [{ agent_id: agent, messages: 4 }] })
  const failed = { status: 400, body: { error: { message: 'No.' } } }
  await post(`/conversations/${id}/messages/${waiting.id}/cancel`)
  provider.next(failed)
  await say(id, 'Again')
  // Four replies have ended: two completed, one was cancelled while it waited, one failed.
  expect((await analytics()).errors).toEqual({ total: 1, rate: 0.25 })

  const { data: last } = (await say(id, 'Once more')).body
  await ctx.db.updateTable('message').set({ status: 'running', alive_at: 0 }).where('id', '=', last.id).execute()
  await recoverTurns(ctx, 0)
  expect((await analytics()).errors).toEqual({ total: 2, rate: 0.4 })

  await remove(`/conversations/${id}`)
  expect(await analytics()).toMatchObject({
    messages: { total: 0 },
    tokens: { input: 0 },
    users: { unique: 0 },
    tools: [],
  })
})
