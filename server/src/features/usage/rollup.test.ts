import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Service, startService } from '../../../test/harness.ts'
import { stage } from '../../../test/stage.ts'
import { day } from '../../kernel/time.ts'
import { bill } from './ledger.ts'
import { periodsBetween } from './rollup.ts'

/** The sums as they are kept, and the same made from the ledger anew. */
async function bothSums({ ctx }: Pick<Service, 'ctx'>) {
  const kept = new Map<string, number[]>()
  const anew = new Map<string, number[]>()
  const add = (sums: Map<string, number[]>, key: unknown[], figures: number[]) => {
    const name = JSON.stringify(key)
    const known = sums.get(name) ?? [0, 0, 0, 0]
    sums.set(
      name,
      known.map((sum, at) => sum + Number(figures[at])),
    )
  }
  for (const row of await ctx.db.selectFrom('usage_rollup').selectAll().execute()) {
    const { workspace_id, entity_type, period, entity_id, model_id } = row
    const figures = [row.requests, row.input_tokens, row.output_tokens, row.cost_nano]
    add(kept, [workspace_id, entity_type, period, entity_id, model_id], figures)
  }
  for (const row of await ctx.db.selectFrom('usage_record').selectAll().execute()) {
    const { agent_id: agent, user_id: user, token_id: token, tool_id: tool, evaluation_id: evaluation } = row
    for (const [type, id] of Object.entries({ workspace: '', agent, user, token, tool, evaluation })) {
      if (id === null) continue
      for (const period of [`d${row.day}`, `m${row.day.slice(0, 7)}`]) {
        const figures = [1, row.input_tokens, row.output_tokens, row.cost_nano]
        add(anew, [row.workspace_id, type, period, id, row.model_id], figures)
      }
    }
  }
  return [[...kept].sort(), [...anew].sort()] as const
}

it('the sums equal the ledger after turns that run at once, fail, are regenerated and cut off', async () => {
  let time = Date.parse('2026-01-30T22:00:00Z')
  let played = 0
  const here = await stage(
    () => {
      played++
      if (played % 9 === 0) return { status: 400, body: { error: { message: 'No.' } } }
      if (played % 7 === 0) return { deltas: ['Half', ' more'], fault: 'cut', after: 1, delay: 1 }
      return { deltas: ['Hi'], usage: { input: played, output: 2 * played } }
    },
    { now: () => time },
  )
  const talks = await Promise.all(Array.from({ length: 8 }, () => here.talk()))
  for (let round = 0; round < 6; round++) {
    const turns = talks.map(async (id) => {
      const answer = await here.say(id, `Round ${round}`)
      if (answer.status === 200 && round % 2 === 0)
        await here.post(`/conversations/${id}/messages/${answer.body.data.id}/regenerate`, {})
    })
    const door = here.post('/openai/v1/chat/completions', {
      model: here.agent,
      messages: [{ role: 'user', content: 'Hi' }],
      user: 'bob',
    })
    await Promise.all([...turns, door])
    time += day / 2
  }
  const [kept, anew] = await bothSums(here)
  expect(kept.length).toBeGreaterThan(5)
  expect(kept).toEqual(anew)
}, 60_000)

it('statistics of any days and of anything are those of the ledger', async () => {
  const here = await startService()
  const workspace = (await here.get('/workspaces')).body.data[0].id
  const first = Date.parse('2025-11-20T12:00:00Z')
  const oneOf = (values: (string | null)[]) => fc.constantFrom(...values)
  const call = fc.record({
    days: fc.integer({ min: 0, max: 120 }),
    model: fc.constantFrom('mdl_a', 'mdl_b'),
    agentId: oneOf([null, 'agt_a', 'agt_b']),
    userId: oneOf([null, 'ada', 'bob']),
    conversationId: oneOf([null, 'cnv_a']),
    toolId: oneOf([null, 'rag_a']),
    token: fc.constantFrom('tok_a', 'tok_b'),
    input: fc.integer({ min: 0, max: 1000 }),
    output: fc.integer({ min: 0, max: 1000 }),
  })
  const [history] = fc.sample(fc.array(call, { minLength: 300, maxLength: 300 }), 1)
  if (!history) throw new Error('there is no history')
  await Promise.all(
    history.map(async ({ days, model, token, input, output, ...purpose }) => {
      const at = { ...here.ctx, now: () => first + days * day }
      const usage = { input, output, cachedInput: 0, reasoning: 0 }
      const price = { input: 0.001, output: 0.003 }
      const charge = { kind: 'chat', modelId: model, usage, estimated: false, price } as const
      const { statements } = await bill(at, { workspace, token }, purpose, [charge, charge])
      await here.ctx.commits.commit(statements)
    }),
  )
  const [kept, anew] = await bothSums(here)
  expect(kept).toEqual(anew)

  const dayOf = (days: number) => new Date(first + days * day).toISOString().slice(0, 10)
  const anyDays = fc.option(fc.integer({ min: -40, max: 160 }), { nil: undefined })
  const filter = fc.constantFrom(
    '',
    'agent',
    'agent=agt_a',
    'user=ada',
    'model=mdl_b',
    'conversation',
    'conversation=cnv_a',
  )
  await fc.assert(
    fc.asyncProperty(anyDays, anyDays, filter, async (from, to, entity) => {
      if (from !== undefined && to !== undefined && from > to) return
      const [type, id] = entity.split('=')
      const query = new URLSearchParams({
        ...(from !== undefined && { start_date: dayOf(from) }),
        ...(to !== undefined && { end_date: dayOf(to) }),
        ...(type && { entity_type: type }),
        ...(id && { entity_id: id }),
      })
      const field = { agent: 'agentId', user: 'userId', model: 'model', conversation: 'conversationId' } as const
      const expected = history.filter((each) => {
        const value = type ? each[field[type as 'agent']] : 'any'
        return each.days >= (from ?? -999) && each.days <= (to ?? 999) && value !== null && (!id || value === id)
      })
      const tokens = (rows: typeof expected) => rows.reduce((sum, { input, output }) => sum + 2 * (input + output), 0)
      const { data } = (await here.get(`/usage/stats?${query}`)).body
      expect(data.total_tokens).toBe(tokens(expected))
      expect(data.by_entity.user.bob?.tokens ?? 0).toBe(tokens(expected.filter(({ userId }) => userId === 'bob')))
      expect(data.by_model.mdl_a?.requests ?? 0).toBe(2 * expected.filter(({ model }) => model === 'mdl_a').length)
      const costs = (await here.get(`/usage/costs?${query}`)).body.data
      expect(costs.total_cost).toBe(data.total_cost)
      expect(costs.daily.map(({ date }: { date: string }) => date)).toEqual(
        [...new Set(expected.map(({ days }) => dayOf(days)))].sort(),
      )
    }),
    { numRuns: 40 },
  )
}, 60_000)

it('days are whole months where they can be', () => {
  expect(periodsBetween('2026-01-15', '2026-04-10')).toEqual([
    ['m2026-02', 'm2026-03'],
    ['d2026-01-15', 'd2026-01-31'],
    ['d2026-04-01', 'd2026-04-10'],
  ])
  expect(periodsBetween('2026-02-01', '2026-02-28')).toEqual([['m2026-02', 'm2026-02']])
  expect(periodsBetween('2026-02-02', '2026-03-30')).toEqual([['d2026-02-02', 'd2026-03-30']])
  expect(periodsBetween(undefined, undefined)).toEqual([['m', 'm9999-99']])
  expect(periodsBetween('9999-12-02', '9999-12-31')).toEqual([['d9999-12-02', 'd9999-12-31']])
})
