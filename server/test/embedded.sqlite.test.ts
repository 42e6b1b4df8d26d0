import { expect, it } from 'vitest'
import { freshEnvironment, type Json, startOn } from './harness.ts'
import { stage } from './stage.ts'

it('only one process can use a data folder', async () => {
  const environment = await freshEnvironment()
  const first = await startOn({ ...environment, ADMIN_TOKEN: 't' })
  await expect(startOn({ ...environment, ADMIN_TOKEN: 't' })).rejects.toThrow(/Another Parley is using the data folder/)
  expect((await first.get('/health')).status).toBe(200)
})

it('a write is on disk before it is acknowledged', async () => {
  const { ctx } = await startOn({ ...(await freshEnvironment({ empty: true })), ADMIN_TOKEN: 't' })
  const { sql } = await import('kysely')
  const pragma = async (name: string) =>
    Object.values((await sql.raw(`pragma ${name}`).execute(ctx.db)).rows[0] as object)[0]
  expect([await pragma('journal_mode'), await pragma('synchronous'), await pragma('foreign_keys')]).toEqual([
    'wal',
    2,
    1,
  ])
})

it('reads return acknowledged writes under parallel reads, writes and turns', async () => {
  const here = await stage({ deltas: ['Hi'] })
  const talk = await here.talk()
  let isOver = false
  const repeat = async (work: () => Promise<unknown>) => {
    while (!isOver) await work()
  }
  const reading = [1, 2, 3].map(() => repeat(() => here.get(`/agents/${here.agent}`)))
  const talking = repeat(() => here.say(talk, 'Hello'))
  for (let version = 0; version < 40; version++) {
    const name = `Agent ${version}`
    await here.put(`/agents/${here.agent}`, { name })
    const [one, list] = await Promise.all([here.get(`/agents/${here.agent}`), here.get('/agents?limit=5')])
    expect([one.body.data.name, list.body.data.map((agent: Json) => agent.name)]).toEqual([
      name,
      expect.arrayContaining([name]),
    ])
    expect((await here.say(await here.talk(), 'Hello')).body.data.agent_version).toBe(one.body.data.version)
  }
  isOver = true
  await Promise.all([...reading, talking])
})
