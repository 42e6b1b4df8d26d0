import { expect, it } from 'vitest'
import type { Json } from '../../../test/harness.ts'
import { stage } from '../../../test/stage.ts'

it('is read by others in the workspace while it is shared, and only read', async () => {
  const here = await stage()
  const [ada, bob] = [await here.tokenFor('user', { user_id: 'ada' }), await here.tokenFor('user', { user_id: 'bob' })]
  const { id } = (await here.post('/conversations', { agent_id: here.agent }, { token: ada })).body.data
  const reply = (await here.say(id, 'Hi', {}, { token: ada })).body.data
  const paths = ['', '/messages', `/messages/${reply.id}`, '/totals'].map((path) => `/conversations/${id}${path}`)
  const statuses = async (token: string) => {
    const answers = await Promise.all(paths.map((path) => here.get(path, { token })))
    return [...new Set(answers.map(({ status }) => status))]
  }
  expect(await statuses(bob)).toEqual([404])
  expect((await here.put(`/conversations/${id}`, { shared: true }, { token: bob })).status).toBe(404)
  expect((await here.put(`/conversations/${id}`, { shared: true }, { token: ada })).body.data.shared).toBe(true)
  expect(await statuses(bob)).toEqual([200])
  expect((await here.get(`/conversations/${id}`, { token: bob })).body.data.messages).toHaveLength(2)
  expect((await here.get('/conversations', { token: bob })).body.pagination.total).toBe(0)
  expect((await here.get('/conversations/export', { token: bob })).body).toBe('')

  const refused = [
    await here.say(id, 'Hi', {}, { token: bob }),
    await here.put(`/conversations/${id}`, { title: 'Mine' }, { token: bob }),
    await here.remove(`/conversations/${id}`, { token: bob }),
    await here.post(`/conversations/${id}/complete`, {}, { token: bob }),
    await here.get(`/conversations/${id}/messages/${reply.id}/trace`, { token: bob }),
    ...(await Promise.all(
      ['regenerate', 'cancel', 'activate'].map((action) =>
        here.post(`/conversations/${id}/messages/${reply.id}/${action}`, undefined, { token: bob }),
      ),
    )),
    await here.post(`/conversations/${id}/messages/${reply.id}/feedback`, { rating: 'up' }, { token: bob }),
  ]
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 404))

  await here.put(`/conversations/${id}`, { shared: false }, { token: ada })
  expect(await statuses(bob)).toEqual([404])
  const { data } = (await here.get(`/audit?resource_id=${id}&user_id=ada`)).body
  expect(data.map(({ action, fields, user_id }: Json) => [action, fields, user_id])).toEqual([
    ['update', ['shared'], 'ada'],
    ['update', ['shared'], 'ada'],
  ])
})

it('shows the messages before one, and the totals of all', async () => {
  const here = await stage({ deltas: ['Hi'], usage: { input: 100, output: 50 } })
  const id = await here.talk()
  for (let n = 0; n < 3; n++) await here.say(id, `Question ${n}`)
  const all: Json[] = (await here.get(`/conversations/${id}/messages`)).body.data
  const before = async (message: string, page = 1) =>
    (await here.get(`/conversations/${id}/messages?before=${message}&limit=2&page=${page}`)).body
  const near = await before(all[5].id)
  expect(near.data).toEqual(all.slice(3, 5))
  expect(near.pagination).toEqual({ page: 1, limit: 2, total: 5, pages: 3 })
  expect((await before(all[5].id, 3)).data).toEqual(all.slice(0, 1))
  expect((await before(all[0].id)).data).toEqual([])

  await here.post(`/conversations/${id}/messages/${all[5].id}/regenerate`)
  await here.say(id, 'Another', { parent_message_id: null })
  expect((await here.get(`/conversations/${id}/totals`)).body.data).toEqual({
    messages: { total: 2, user: 1, assistant: 1 },
    tokens: { input: 500, output: 250 },
    cost: 0.001,
  })
  expect((await here.get('/conversations/cnv_none/totals')).status).toBe(404)
})
