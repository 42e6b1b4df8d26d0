import { expect, it } from 'vitest'
import type { Json } from '../../../test/harness.ts'
import { stage } from '../../../test/stage.ts'
import { removeOld } from '../../kernel/retention.ts'
import { day } from '../../kernel/time.ts'

it('records who changed what, when and in which request, and no values', async () => {
  let time = Date.parse('2026-03-01T12:00:00Z')
  const here = await stage({ deltas: ['Hi'] }, { now: () => time })
  const ada = (await here.post('/tokens', { name: 'Ada', role: 'admin', user_id: 'ada' })).body.data
  const as = { token: ada.token, headers: { 'x-request-id': 'request-of-ada' } }
  const secret = 'sk-very-secret-1234'
  const model = (await here.post('/models', { name: 'M', provider: 'openai', model_id: 'm', api_key: secret }, as)).body
    .data
  time += day
  await here.put(`/models/${model.id}`, { name: 'N', pricing: { input: 1, output: 2 } }, as)
  await here.put(`/models/${model.id}`, { api_key: `${secret}5` }, as)
  await here.put(`/models/${model.id}`, { name: 'N' }, as) // changes nothing
  await here.remove(`/models/${model.id}`, as)
  await here.put(`/agents/${here.agent}`, { name: 'B' }, as)
  await here.post(`/agents/${here.agent}/versions/1/restore`, undefined, as)
  const conversation = (await here.post('/conversations', { agent_id: here.agent }, as)).body.data.id
  await here.post(`/conversations/${conversation}/messages`, { message: 'Hi' }, as)
  await here.post(`/conversations/${conversation}/complete`, undefined, as)
  await here.remove(`/conversations/${conversation}`, as)
  await here.post('/agents', { name: '' }, as) // rejected
  const hook = { url: 'https://example.com/hook', events: ['*'] }
  const webhook = (await here.post('/webhooks', hook, as)).body.data.id
  await here.post(`/webhooks/${webhook}/rotate-secret`, undefined, as)

  const list = async (query: string) => (await here.get(`/audit?limit=100&order=asc&${query}`)).body
  const ofAda = (await list(`token_id=${ada.id}`)).data as Json[]
  expect(ofAda.map(({ action, kind, fields }) => [action, kind, fields.sort()])).toEqual([
    ['create', 'model', ['api_key', 'model_id', 'name', 'provider']],
    ['update', 'model', ['name', 'pricing']],
    ['update', 'model', ['api_key']],
    ['delete', 'model', []],
    ['update', 'agent', ['name']],
    ['restore', 'agent', ['name']],
    ['delete', 'conversation', []],
    ['create', 'webhook', expect.arrayContaining(['events', 'url'])],
    ['rotate-secret', 'webhook', []],
  ])
  // Names are those of now; the model was deleted.
  expect(ofAda.map(({ resource_name: name }) => name)).toEqual([
    null,
    null,
    null,
    null,
    expect.any(String),
    expect.any(String),
    null,
    null,
    null,
  ])
  expect(ofAda[0]).toMatchObject({
    id: expect.stringMatching(/^aud_/),
    token_name: 'Ada',
    role: 'admin',
    user_id: 'ada',
    resource_id: model.id,
    request_id: 'request-of-ada',
    created_at: '2026-03-01T12:00:00Z',
  })
  expect(JSON.stringify(ofAda)).not.toContain('very-secret')
  expect((await list(`resource_id=${model.id}`)).pagination.total).toBe(4)
  expect((await list(`kind=model&action=create&token_id=${ada.id}`)).pagination.total).toBe(1)
  expect((await list(`token_id=${ada.id}&end_date=2026-03-01`)).pagination.total).toBe(1)
  expect((await list(`token_id=${ada.id}&start_date=2026-03-02&end_date=2026-03-02`)).pagination.total).toBe(8)
  expect((await here.get('/audit?start_date=x')).body.details[0].path).toBe('start_date')
  expect((await here.get('/audit?color=red')).body.details[0].path).toBe('color')

  const elsewhere = (await here.post('/workspaces', { name: 'Elsewhere' })).body.data.id
  const there = await here.get('/audit', { headers: { 'x-workspace': elsewhere } })
  expect(there.body.data).toEqual([])
  expect((await list('kind=workspace')).data[0]).toMatchObject({ action: 'create', resource_id: elsewhere })
})

it('deletes data older than the retention period', async () => {
  let time = Date.parse('2026-03-01T12:00:00Z')
  const here = await stage({ deltas: ['Hi'] }, { now: () => time })
  const old = await here.talk()
  await here.say(old, 'Old')
  time += 40 * day
  const young = await here.talk()
  await here.say(young, 'Young')
  await here.put(`/conversations/${young}`, { title: 'Renamed' })
  const removed = await removeOld(here.ctx, time - 30 * day)
  expect(removed.conversations).toBe(1)
  expect(removed['audit entries']).toBeGreaterThan(1)
  expect((await here.get(`/conversations/${old}`)).status).toBe(404)
  expect((await here.get(`/conversations/${young}`)).body.data.messages.length).toBe(2)
  const { data } = (await here.get('/audit')).body
  expect(data.map(({ action, resource_id }: Json) => [action, resource_id])).toEqual([['update', young]])
  expect((await here.get('/usage/stats')).body.data.total_tokens).toBeGreaterThan(13)
  expect(await here.ctx.db.selectFrom('message').select('id').execute()).toHaveLength(2)
})
