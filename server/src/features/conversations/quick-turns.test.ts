import { expect, it } from 'vitest'
import { type Json, until } from '../../../test/harness.ts'
import { stage } from '../../../test/stage.ts'

const quick = { deltas: ['Hel', 'lo'], usage: { input: 100, output: 50 }, delay: 1 }

it('stores every quick turn once, and everything that is written at the same time', async () => {
  const { say, talk, get, post, put } = await stage(quick)
  const conversations = [await talk(), await talk(), await talk()]
  const [first = '', second = ''] = conversations
  const turns = 48
  for (let turn = 0; turn < turns; turn++) {
    const said = say(conversations[turn % 3] ?? '', `Question ${turn}`)
    // While the model answers, the service does nothing else, or a write, a read, or a turn elsewhere.
    if (turn % 8 === 3) expect((await post('/agents', { name: `Agent ${turn}` })).status).toBe(201)
    if (turn % 8 === 4) expect((await get('/agents')).status).toBe(200)
    if (turn % 8 === 5) expect((await put(`/conversations/${first}`, { title: `Title ${turn}` })).status).toBe(200)
    if (turn % 8 === 6) expect((await say(conversations[(turn + 1) % 3] ?? '', 'Beside')).status).toBe(200)
    expect((await said).body.data).toMatchObject({ status: 'completed', content: 'Hello' })
  }
  const contents: string[] = []
  for (const id of conversations) {
    const { messages } = (await get(`/conversations/${id}`)).body.data
    contents.push(...messages.map(({ content }: Json) => content))
  }
  const extraTurns = turns / 8
  const expected = [
    ...Array.from({ length: turns }, (_, turn) => `Question ${turn}`),
    ...Array(extraTurns).fill('Beside'),
    ...Array(turns + extraTurns).fill('Hello'),
  ]
  expect(contents.sort()).toEqual(expected.sort())
  expect((await get('/usage/stats')).body.data.total_tokens).toBe((turns + extraTurns) * 150)
  const names = (await get('/agents?limit=100')).body.data.map(({ name }: Json) => name)
  expect(names.filter((name: string) => name.startsWith('Agent '))).toHaveLength(turns / 8)
  expect((await get(`/conversations/${first}`)).body.data.title).toBe('Title 45')
  expect((await get(`/conversations/${second}`)).body.data.title).toBe('Question 1')
})

it('a conversation that is deleted during a turn takes the reply with it, but not its cost', async () => {
  const { say, talk, get, remove, provider } = await stage(quick)
  const id = await talk()
  expect((await say(id, 'One')).status).toBe(200)
  provider.next({ ...quick, fault: 'stall' })
  const asked = provider.requests.length
  const said = say(id, 'Two')
  await until(() => provider.requests.length > asked)
  expect((await remove(`/conversations/${id}`)).status).toBe(200)
  expect((await said).body.data.status).toBe('cancelled')
  expect((await get(`/conversations/${id}`)).status).toBe(404)
  expect((await get('/usage/stats')).body.data.total_tokens).toBeGreaterThan(150)
  expect((await say(await talk(), 'Three')).status).toBe(200)
})

it('a turn with one model call stores nothing but its messages while it runs', async () => {
  const { promise: isShown, resolve } = Promise.withResolvers<void>()
  const { ctx, say, talk } = await stage({ deltas: ['One ', 'two'], usage: { input: 10, output: 2 }, hold: isShown })
  const said = say(await talk(), 'Count.')
  const isStored = async () =>
    (await ctx.db.selectFrom('message').select('id').where('content', '=', 'One ').execute()).length > 0
  await until(isStored)
  expect(await ctx.db.selectFrom('calls_under_way').select('holder').execute()).toEqual([])
  resolve()
  expect((await said).body.data.content).toBe('One two')
})
