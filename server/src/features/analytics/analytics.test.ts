import { expect, it } from 'vitest'
import { agentsStage, ask } from '../../../test/agents-stage.ts'

it('counts the answers that people get, and of the agents that these ask only the cost', async () => {
  const { agent, script, converse, send, get, post, api } = await agentsStage()
  const auth = {
    type: 'oauth2',
    client_id: 'parley',
    authorization_url: `${api.url}/authorize`,
    token_url: `${api.url}/token`,
  }
  const calendar = await post('/api-tools', { name: 'calendar', description: 'C', url: `${api.url}/calendar`, auth })
  const one = await agent('One', { tools: [calendar.body.data.id], topics: ['parcel delivery'] })
  const top = await agent('Top', { tools: [one] })
  const usage = { input: 100, output: 50 }
  script('Top', { toolCalls: [ask('a', 'One', 'Where is the parcel?')], usage }, { deltas: ['Done'], usage })
  script('One', { deltas: ['There'], usage })
  await send(await converse(top))
  script('Top', { status: 400, body: { error: { message: 'No.' } } })
  await send(await converse(top))
  // A reply that waits for an account has not ended, and neither has the one that asked it.
  script('Top', { toolCalls: [ask('a', 'One')], usage })
  script('One', { toolCalls: [{ id: 'c', name: 'calendar', arguments: '{}' }], usage })
  expect((await send(await converse(top))).data.status).toBe('awaiting_connection')
  const { data } = (await get('/analytics/conversations')).body
  expect(data).toMatchObject({
    conversations: { total: 3, active: 3 },
    messages: { total: 6, user: 3, assistant: 3, average_per_conversation: 2 },
    tokens: { input: 500, output: 250 },
    errors: { total: 1, rate: 0.5 },
    by_topic: [],
  })
  expect(data.by_agent).toMatchObject([
    { agent_id: top, conversations: 3, messages: 6 },
    { agent_id: one, conversations: 0, messages: 0, tokens: { input: 200, output: 100 } },
  ])
  expect(data.cost).toBeCloseTo((await get('/usage/costs')).body.data.total_cost, 12)
})
