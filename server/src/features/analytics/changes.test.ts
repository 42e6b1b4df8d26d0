import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { asking, cautious } from '../../../test/cautious-stage.ts'
import { type Json, startOn, startService } from '../../../test/harness.ts'
import { scriptedProvider } from '../../../test/scripted-provider.ts'
import { recoverTurns } from '../conversations/turn/recovery.ts'

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

it('forgets a workspace that was deleted', async () => {
  const provider = await scriptedProvider()
  onTestFinished(() => provider.close())
  const here = await startService()
  const { id: workspace } = (await here.post('/workspaces', { name: 'Other' })).body.data
  const there = { headers: { 'x-workspace': workspace } }
  const model = { name: 'M', provider: 'openai-compatible', model_id: 'm', endpoint: provider.url }
  const { id: model_id } = (await here.post('/models', model, there)).body.data
  const { id: agent_id } = (await here.post('/agents', { name: 'A', model_id }, there)).body.data
  const talk = (await here.post('/conversations', { agent_id, user_id: 'ada' }, there)).body.data.id
  await here.post(`/conversations/${talk}/messages`, { message: 'Hi' }, there)
  expect((await here.get('/analytics/conversations', there)).body.data.users.unique).toBe(1)
  expect((await here.get('/usage/stats?entity_type=user&entity_id=ada', there)).body.data.total_tokens).toBeGreaterThan(
    0,
  )
  expect((await here.remove(`/workspaces/${workspace}`)).status).toBe(200)
  await here.close()

  const again = await startOn(here.environment)
  await again.get('/analytics/conversations')
  const kept = new BetterSqlite(join(here.environment.DATA_DIR ?? '', 'figures.db'), { readonly: true })
  onTestFinished(() => void kept.close())
  for (const table of ['segment', 'name']) expect(kept.prepare(`select * from ${table}`).all()).toEqual([])
  expect(await again.ctx.db.selectFrom('message').select('id').execute()).toEqual([])
})
