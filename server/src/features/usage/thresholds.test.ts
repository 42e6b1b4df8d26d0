import { expect, it } from 'vitest'
import { features, findEvents, reply, replyCost, threshold } from '../../../test/budgets.ts'
import type { Json } from '../../../test/harness.ts'
import { stage } from '../../../test/stage.ts'
import { day } from '../../kernel/time.ts'

it('blocks before the limit is passed, leaves no trace, tells of it once, and lets go in the next window', async () => {
  let time = Date.parse('2026-03-05T23:50:00Z')
  const here = await stage(reply, { now: () => time, features }, { max_tokens: 10 })
  const { id } = await threshold(here, { name: 'Pocket money', limit: 0.0001, window: 'day' })
  const talking = await here.talk()
  expect((await here.say(talking, 'Hi')).status).toBe(200)
  for (const stream of [false, true]) {
    const blocked = await here.say(talking, 'Hi', { stream })
    expect([blocked.status, blocked.body.code]).toEqual([403, 'budget_exceeded'])
    expect(blocked.body.error).toContain('"Pocket money"')
    expect(blocked.body.error).toContain('2026-03-06T00:00:00Z')
  }
  expect((await here.get(`/conversations/${talking}`)).body.data.messages.length).toBe(2)
  expect((await here.get(`/usage/thresholds/${id}`)).body.data).toMatchObject({
    used: replyCost,
    reserved: 0,
    exceeded_at: '2026-03-05T23:50:00Z',
  })
  expect(findEvents(id)).toMatchObject([
    { reason: 'call_blocked', threshold: { name: 'Pocket money', limit: 0.0001 }, resets_at: '2026-03-06T00:00:00Z' },
  ])
  time += day / 24
  expect((await here.say(talking, 'Hi')).status).toBe(200)
  expect((await here.get(`/usage/thresholds/${id}`)).body.data).toMatchObject({ used: replyCost, exceeded_at: null })
  await here.put(`/usage/thresholds/${id}`, { limit: 1 })
  expect((await here.say(talking, 'Hi')).status).toBe(200)
})

it('counts only what belongs to its agent, model, user or token', async () => {
  const here = await stage(reply, {}, { max_tokens: 10 })
  const other = (await here.post('/agents', { name: 'B', model_id: here.model, max_tokens: 10 })).body.data.id
  const editor = (await here.post('/tokens', { name: 'E', role: 'editor' })).body.data
  const start = async (agent: string, user: string, token = here.token) => {
    const made = await here.post('/conversations', { agent_id: agent, user_id: user }, { token })
    return (await here.post(`/conversations/${made.body.data.id}/messages`, { message: 'Hi' }, { token })).status
  }
  const nothing = { metric: 'tokens', limit: 0 }
  const block = (type: string, id: string) => threshold(here, { ...nothing, entity_type: type, entity_id: id })
  const lift = async ({ id }: Json) => here.remove(`/usage/thresholds/${id}`)

  const onAgent = await block('agent', other)
  expect([await start(other, 'ada'), await start(here.agent, 'ada')]).toEqual([403, 200])
  await lift(onAgent)
  const onUser = await block('user', 'bob')
  expect([await start(other, 'bob'), await start(other, 'ada')]).toEqual([403, 200])
  await lift(onUser)
  const onToken = await block('token', editor.id)
  expect([await start(other, 'ada', editor.token), await start(other, 'ada')]).toEqual([403, 200])
  await lift(onToken)
  await block('model', here.model)
  expect(await start(other, 'ada')).toBe(403)
  const local = (await here.post('/agents', { name: 'Local' })).body.data.id
  expect(await start(local, 'ada')).toBe(200)
})
