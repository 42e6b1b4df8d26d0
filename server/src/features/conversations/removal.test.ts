import { expect, it } from 'vitest'
import { agentsStage, ask } from '../../../test/agents-stage.ts'
import { removeOld } from '../../kernel/retention.ts'
import { day } from '../../kernel/time.ts'

it('retention keeps what asked agents have answered as long as the conversation that asked', async () => {
  let time = Date.parse('2026-01-10T12:00:00Z')
  const environment = { CONVERSATION_IDLE_MINUTES: '525600' } // the clock jumps
  const here = await agentsStage({ now: () => time, environment })
  const top = await here.agent('Top', { tools: [await here.agent('One')] })
  here.script('Top', { toolCalls: [ask('a', 'One')] }, { deltas: ['Asked'] }, { deltas: ['Later'] })
  const conversation = await here.converse(top)
  const child = (await here.send(conversation)).data.tool_calls[0].conversation_id
  time += 40 * day
  await here.send(conversation, 'And now?')
  await removeOld(here.ctx, time - 30 * day)
  expect((await here.read(child)).messages.at(-1).content).toBe('Done by One')
  time += 40 * day
  expect(await removeOld(here.ctx, time - 30 * day)).toMatchObject({ conversations: 2 })
  for (const id of [conversation, child]) expect((await here.get(`/conversations/${id}`)).status).toBe(404)
})

it.each(['by hand', 'by retention'])('%s, a conversation takes the stored responses with it', async (how) => {
  const now = Date.now()
  const here = await agentsStage({ own: true })
  const conversation = await here.converse(await here.agent('Top'))
  const key = { headers: { 'idempotency-key': 'k' } }
  const say = () => here.post(`/conversations/${conversation}/messages`, { message: 'Go' }, key)
  expect((await say()).status).toBe(200)
  expect((await say()).body.data.content).toBe('Done by Top')
  if (how === 'by hand') await here.remove(`/conversations/${conversation}`)
  else await removeOld(here.ctx, now + day)
  expect((await say()).status).toBe(404)
})
