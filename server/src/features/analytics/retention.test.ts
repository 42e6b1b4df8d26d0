import { expect, it } from 'vitest'
import { stage } from '../../../test/stage.ts'
import { removeOld } from '../../kernel/retention.ts'
import { day } from '../../kernel/time.ts'

it('drops messages that retention removes, and keeps the ledger', async () => {
  let time = Date.parse('2026-01-10T12:00:00Z')
  const environment = { CONVERSATION_IDLE_MINUTES: '525600' } // the clock jumps
  const { say, talk, get, ctx } = await stage(undefined, { now: () => time, environment })
  const january = 'start_date=2026-01-01&end_date=2026-03-31'
  const messages = async () => (await get(`/analytics/conversations?${january}`)).body.data.messages.total
  const tokens = async () => (await get('/usage/stats?entity_type=user&entity_id=ada')).body.data.total_tokens
  await say(await talk(), 'One')
  time += 40 * day
  await say(await talk(), 'Two')
  expect(await messages()).toBe(4)
  const before = await tokens()
  await removeOld(ctx, time - 30 * day)
  expect(await messages()).toBe(2)
  expect(await tokens()).toBe(before)
})
