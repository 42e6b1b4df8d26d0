import { expect, it, onTestFinished } from 'vitest'
import { type Json, startService } from '../../../test/harness.ts'
import { scriptedProvider } from '../../../test/scripted-provider.ts'
import { stage } from '../../../test/stage.ts'

it('keeps the topic of a question when the topics of its agent change', async () => {
  const { say, talk, get, put, agent } = await stage(undefined, {}, { topics: ['invoices and payment'] })
  const topics = async () =>
    (await get('/analytics/conversations')).body.data.by_topic.map(({ topic, messages }: Json) => [topic, messages])
  const id = await talk()
  await say(id, 'How can I pay my invoice?')
  expect(await topics()).toEqual([['invoices and payment', 1]])
  await put(`/agents/${agent}`, { topics: ['parcel delivery'] })
  await say(id, 'When will the parcel be delivered?')
  await say(id, 'Who delivers the parcel?')
  expect(await topics()).toEqual([
    ['parcel delivery', 2],
    ['invoices and payment', 1],
  ])
})

it('removes the sums of a deleted workspace', async () => {
  const provider = await scriptedProvider()
  onTestFinished(() => provider.close())
  const here = await startService({ own: true })
  const { id: workspace } = (await here.post('/workspaces', { name: 'Other' })).body.data
  const there = { headers: { 'x-workspace': workspace } }
  const model = { name: 'M', provider: 'openai-compatible', model_id: 'm', endpoint: provider.url }
  const { id: model_id } = (await here.post('/models', model, there)).body.data
  const { id: agent_id } = (await here.post('/agents', { name: 'A', model_id }, there)).body.data
  const talk = (await here.post('/conversations', { agent_id, user_id: 'ada' }, there)).body.data.id
  await here.post(`/conversations/${talk}/messages`, { message: 'Hi' }, there)
  expect((await here.get('/analytics/conversations', there)).body.data.users.unique).toBe(1)
  expect((await here.remove(`/workspaces/${workspace}`)).status).toBe(200)
  for (const table of ['message', 'conversation_sums'] as const)
    expect(await here.ctx.db.selectFrom(table).selectAll().execute()).toEqual([])
})
