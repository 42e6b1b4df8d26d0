import { expect, it } from 'vitest'
import { asAfterCrash } from '../../../test/after-crash.ts'
import { asking, cautious } from '../../../test/cautious-stage.ts'
import { startOn, until } from '../../../test/harness.ts'

it('a crash after the approval makes no call twice and bills no part twice', async () => {
  const here = await cautious({ own: true })
  const { say, talk, provider, calls, decide, echo, get } = here
  const id = await talk()
  provider.next(asking, { deltas: ['more ', 'more '], fault: 'stall' })
  const { data } = (await say(id, 'Send it')).body
  const path = `/conversations/${id}/messages/${data.id}`
  const goingOn = decide(id, data.id, 'call_a', true)
  await until(async () => (await get(path)).body.data.content.length > 'Let me ask. '.length)

  const after = await startOn(await asAfterCrash(here), { features: [echo.feature] })
  const lost = (await after.get(path)).body.data
  expect(lost).toMatchObject({ status: 'interrupted', tool_calls: [{ status: 'completed', approved: true }] })
  expect(lost.content).toMatch(/^Let me ask\. more /)
  const { steps } = (await after.get(`${path}/trace`)).body.data
  expect(steps.slice(2)).toMatchObject([
    { type: 'model', status: 'completed', usage: { estimated: false } },
    { type: 'approval', status: 'completed' },
    { type: 'tool', status: 'completed' },
    { type: 'model', status: 'interrupted', usage: { estimated: true } },
  ])
  const again = await after.post(`${path}/approvals`, { tool_call_id: 'call_a', approved: true })
  expect([again.status, again.body.data.status, calls.length]).toEqual([200, 'interrupted', 1])
  const ledger = await after.ctx.db.selectFrom('usage_record').select(['estimated', 'output_tokens']).execute()
  expect(ledger.map((row) => Boolean(row.estimated))).toEqual([false, true])
  expect(ledger[0]?.output_tokens).toBe(500)
  expect(ledger[1]?.output_tokens).toBeLessThan(lost.content.length / 4)
  provider.next({ deltas: ['Fine'] })
  expect((await after.post(`/conversations/${id}/messages`, { message: 'Go on' })).body.data.content).toBe('Fine')
  await provider.close()
  await goingOn
})
