import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Service, startService } from '../../../test/harness.ts'
import { stage } from '../../../test/stage.ts'
import { day } from '../../kernel/time.ts'
import { computeCost } from './cost.ts'
import { bill } from './ledger.ts'
import { usageOfPerson } from './personal-data.ts'

/** The roll-up, and the same sums computed from the ledger. */
async function bothSums({ ctx }: { ctx: Pick<Service['ctx'], 'db'> }) {
  const kept = new Map<string, number[]>()
  const anew = new Map<string, number[]>()
  const add = (sums: Map<string, number[]>, key: unknown[], figures: number[]) => {
    const name = JSON.stringify(key)
    const known = sums.get(name) ?? [0, 0, 0, 0, 0]
    sums.set(
      name,
      known.map((sum, at) => sum + Number(figures[at])),
    )
  }
  for (const row of await ctx.db.selectFrom('usage_rollup').selectAll().execute()) {
    const { workspace_id, scope, period, user_id, token_id, agent_id, model_id, tool_id, evaluation_id } = row
    const figures = [row.requests, row.input_tokens, row.output_tokens, row.cost_nano, row.unpriced]
    add(kept, [workspace_id, scope, period, user_id, token_id, agent_id, model_id, tool_id, evaluation_id], figures)
  }
  for (const row of await ctx.db.selectFrom('usage_record').selectAll().execute()) {
    const { workspace_id, user_id, token_id, model_id } = row
    const anyUser = user_id === null ? '' : '*'
    const entities = [row.agent_id ?? '', model_id, row.tool_id ?? '', row.evaluation_id ?? '']
    const figures = [1, row.input_tokens, row.output_tokens, row.cost_nano, row.price === 'null' ? 1 : 0]
    for (const period of [`d${row.day}`, `m${row.day.slice(0, 7)}`]) {
      add(anew, [workspace_id, 'workspace', period, anyUser, '', ...entities], figures)
      add(anew, [workspace_id, 'token', period, anyUser, token_id, ...entities], figures)
      if (user_id !== null) add(anew, [workspace_id, 'user', period, user_id, token_id, ...entities], figures)
    }
  }
  return [[...kept].sort(), [...anew].sort()] as const
}

it('the roll-up equals the ledger after turns that run concurrently, fail, are regenerated and cut off', async () => {
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
    const completion = here.post('/openai/v1/chat/completions', {
      model: here.agent,
      messages: [{ role: 'user', content: 'Hi' }],
      user: 'bob',
    })
    await Promise.all([...turns, completion])
    time += day / 2
  }
  const [kept, anew] = await bothSums(here)
  expect(kept.length).toBeGreaterThan(5)
  expect(kept).toEqual(anew)
}, 300_000)

it('statistics of any days with any filter equal the ledger', async () => {
  const here = await startService({ own: true })
  const workspace = (await here.get('/workspaces')).body.data[0].id
  const first = Date.parse('2025-11-20T12:00:00Z')
  const findPrice = (model: string) => (model === 'mdl_b' ? null : { input: 0.001, output: 0.003 })
  const pickFrom = (values: (string | null)[]) => fc.constantFrom(...values)
  const call = fc.record({
    days: fc.integer({ min: 0, max: 120 }),
    model: fc.constantFrom('mdl_a', 'mdl_b'),
    agentId: pickFrom([null, 'agt_a', 'agt_b']),
    userId: pickFrom([null, 'ada', 'bob', '__proto__']),
    conversationId: pickFrom([null, 'cnv_a']),
    toolId: pickFrom([null, 'rag_a', 'api_b']),
    evaluationId: pickFrom([null, null, 'evl_a']),
    token: fc.constantFrom('tok_a', 'tok_b'),
    input: fc.integer({ min: 0, max: 1000 }),
    output: fc.integer({ min: 0, max: 1000 }),
  })
  const history: (typeof call extends fc.Arbitrary<infer Call> ? Call : never)[] = []
  const pay = async (calls: typeof history) => {
    history.push(...calls)
    await Promise.all(
      calls.map(async ({ days, model, token, input, output, ...purpose }) => {
        const at = { ...here.ctx, now: () => first + days * day }
        const usage = { input, output, cachedInput: 0, reasoning: 0 }
        const of = { kind: 'chat', modelId: model, provider: 'p', model } as const
        const charge = { ...of, usage, estimated: false, price: findPrice(model) }
        const { statements } = await bill(at, { workspace, token }, purpose, [charge, charge])
        await here.ctx.commits.commit(statements)
      }),
    )
  }
  await pay(fc.sample(call, 300))
  const [kept, anew] = await bothSums(here)
  expect(kept).toEqual(anew)

  const toDate = (days: number) => new Date(first + days * day).toISOString().slice(0, 10)
  const anyDays = fc.option(fc.integer({ min: -40, max: 160 }), { nil: undefined })
  const fields = {
    model: 'model',
    agent: 'agentId',
    user: 'userId',
    token: 'token',
    tool: 'toolId',
    evaluation: 'evaluationId',
    conversation: 'conversationId',
  } as const
  type Field = keyof typeof fields
  const entities = Object.keys(fields).filter((type) => type !== 'model' && type !== 'conversation') as Field[]
  const types = Object.keys(fields) as Field[]
  const filter = fc.oneof(
    fc.constant({}),
    fc.record({ type: fc.constantFrom(...types) }),
    fc.record({ type: fc.constantFrom(...types), row: fc.integer({ min: 0, max: history.length - 1 }) }),
  )
  type Call = (typeof history)[number]
  const sumCalls = (calls: Call[]) => ({
    tokens: calls.reduce((sum, { input, output }) => sum + 2 * (input + output), 0),
    cost:
      calls.reduce((sum, { input, output, model }) => {
        const usage = { input, output, cachedInput: 0, reasoning: 0 }
        return sum + 2 * computeCost(usage, findPrice(model))
      }, 0) / 1e9,
    requests: 2 * calls.length,
    unpriced_requests: 2 * calls.filter(({ model }) => findPrice(model) === null).length,
  })
  const linesBy = (calls: Call[], field: (typeof fields)[Field]) =>
    Object.fromEntries(
      [...new Set(calls.map((call) => call[field]).filter((id) => id !== null))].map((id) => [
        id,
        sumCalls(calls.filter((call) => call[field] === id)),
      ]),
    )
  await fc.assert(
    fc.asyncProperty(anyDays, anyDays, filter, async (from, to, { type, row }: { type?: Field; row?: number }) => {
      if (from !== undefined && to !== undefined && from > to) return
      const id = type && row !== undefined ? (history[row]?.[fields[type]] ?? 'nobody') : undefined
      const query = new URLSearchParams({
        ...(from !== undefined && { start_date: toDate(from) }),
        ...(to !== undefined && { end_date: toDate(to) }),
        ...(type && { entity_type: type }),
        ...(id && { entity_id: id }),
      })
      const expected = history.filter((call) => {
        const value = type ? call[fields[type]] : 'any'
        return call.days >= (from ?? -999) && call.days <= (to ?? 999) && value !== null && (!id || value === id)
      })
      const { data } = (await here.get(`/usage/stats?${query}`)).body
      const all = sumCalls(expected)
      expect(data).toMatchObject({ total_tokens: all.tokens, total_cost: all.cost })
      expect(data.by_model).toMatchObject(linesBy(expected, 'model'))
      expect(data.by_entity).toEqual(
        Object.fromEntries(entities.map((each) => [each, linesBy(expected, fields[each])])),
      )
      const costs = (await here.get(`/usage/costs?${query}`)).body.data
      expect(costs).toMatchObject({ total_cost: data.total_cost, by_model: data.by_model, by_entity: data.by_entity })
      const days = [...new Set(expected.map(({ days }) => days))].sort((a, b) => a - b)
      expect(costs.daily).toEqual(
        days.map((each) => {
          const { requests: _, ...sums } = sumCalls(expected.filter(({ days }) => days === each))
          return { date: toDate(each), ...sums }
        }),
      )
      await pay(fc.sample(call, 1)) // the next query includes it
    }),
    { numRuns: 60, endOnFailure: true },
  )
}, 300_000)

it('the roll-up equals the ledger after a person was erased', async () => {
  const here = await startService({ own: true })
  const workspace = (await here.get('/workspaces')).body.data[0].id
  const usage = { input: 5, output: 7, cachedInput: 0, reasoning: 0 }
  const charge = {
    kind: 'chat',
    modelId: 'mdl_a',
    provider: 'p',
    model: 'm',
    usage,
    estimated: false,
    price: null,
  } as const
  const pay = async (token: string, userId: string) => {
    const { statements } = await bill(here.ctx, { workspace, token }, { agentId: 'agt_a', userId }, [charge])
    await here.ctx.commits.commit(statements)
  }
  const person = { workspace, userId: '*', marker: 'erased_a', count: async () => {} }
  const pays = async () => {
    await pay('oidc:*', '*')
    await pay('oidc:*', 'bob')
    await pay('tok_a', '*')
    await pay('tok_a', 'bob')
  }
  // Erased again after a return, the sums are added to those of the first time.
  for (let time = 0; time < 2; time++) {
    await pays()
    await usageOfPerson.erase?.(here.ctx, person)
    const [kept, anew] = await bothSums(here)
    expect(kept).toEqual(anew)
  }
  const { by_entity } = (await here.get('/usage/stats')).body.data
  expect(Object.keys(by_entity.user).sort()).toEqual(['bob', 'erased_a'])
  expect(Object.keys(by_entity.token).sort()).toEqual(['oidc:erased_a', 'tok_a'])
})
