import { expect, it } from 'vitest'
import { onPostgres, type Service, startOn, until } from '../../../test/harness.ts'
import { stage } from '../../../test/stage.ts'

/** More than twice as many as the limit allows. */
const calls = 200

it('hundreds of concurrent calls on several nodes never exceed a limit', async () => {
  let played = 0
  // In the middle of a month, which must not end during the test.
  const skew = Date.parse('2026-03-15T12:00:00Z') - Date.now()
  const now = () => Date.now() + skew
  const here = await stage(
    () => {
      played++
      if (played % 10 === 0) return { status: 400, body: { error: { message: 'No.' } } }
      const output = 1 + (played % 10)
      return { deltas: ['Hi'], usage: { input: 20 + (played % 7), output }, delay: 1 }
    },
    { now },
    { max_tokens: 10 },
  )
  const limit = 0.0025
  const body = { name: 'Cap', metric: 'cost', limit, window: 'month', action: 'block' }
  const { id } = (await here.post('/usage/thresholds', body)).body.data
  const second = { name: 'Tokens', metric: 'tokens', limit: 5_000, window: 'total', action: 'block' }
  await here.post('/usage/thresholds', { ...second, entity_type: 'agent', entity_id: here.agent })
  const nodes: Service[] = onPostgres ? [here, await startOn(here.environment, { now })] : [here]

  const ask = (node: Service) =>
    node.post('/openai/v1/chat/completions', { model: here.agent, messages: [{ role: 'user', content: 'Hi' }] })
  const answers = await Promise.all(Array.from({ length: calls }, (_, n) => ask(nodes[n % nodes.length] as Service)))

  const count = (status: number) => answers.filter((answer) => answer.status === status).length
  // A machine that is too busy for so many calls at once refuses some with 503.
  expect(count(200) + count(403) + count(502) + count(503)).toBe(calls)
  expect(count(403)).toBeGreaterThan(0)
  const stats = (await here.get('/usage/stats')).body.data
  expect(stats.total_cost).toBeLessThanOrEqual(limit)
  expect(stats.by_model[here.model].requests).toBe(count(200))
  const read = async () => (await here.get(`/usage/thresholds/${id}`)).body.data
  const full = await until(async () => {
    const now = await read()
    return now.reserved === 0 && now
  })
  expect(full.used).toBe(stats.total_cost)

  // The rest is used up one by one, and still not exceeded.
  for (let n = 0; n < calls && (await ask(here)).status !== 403; n++);
  const used = (await read()).used as number
  expect(used).toBeLessThanOrEqual(limit)
  expect(used).toBeGreaterThan(limit - 0.0001)
}, 300_000)
