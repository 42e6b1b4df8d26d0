import { expect, it, onTestFinished } from 'vitest'
import { testKey } from '../../../test/config.ts'
import { readEvents } from '../../../test/event-stream.ts'
import { freshEnvironment, type Json, startOn, until } from '../../../test/harness.ts'
import { startProcess } from '../../../test/process.ts'
import { scriptedProvider } from '../../../test/scripted-provider.ts'
import { minute } from '../../kernel/time.ts'

it('another node releases the reservations of a killed node and keeps its own', async () => {
  const provider = await scriptedProvider({
    deltas: ['Some ', 'words ', 'of a reply'],
    fault: 'stall',
    after: 3,
    delay: 1,
  })
  onTestFinished(() => provider.close())
  const environment = {
    ...(await freshEnvironment()),
    ADMIN_TOKEN: 'the-owner',
    RATE_LIMIT: '0',
    DEMO: 'false',
    SECRET_KEY: testKey,
  }
  const lost = startProcess(environment)
  const address = await lost.address
  const speak = (url: string, path: string, body?: object) =>
    fetch(`${url}/api${path}`, {
      headers: { authorization: 'Bearer the-owner', 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
  const post = async (path: string, body: object): Promise<Json> =>
    ((await (await speak(address, path, body)).json()) as Json).data
  const { id: model } = await post('/models', {
    name: 'M',
    provider: 'openai-compatible',
    model_id: 'm',
    endpoint: provider.url,
    pricing: { input: 1, output: 1 },
  })
  const { id: agent } = await post('/agents', { name: 'A', model_id: model, max_tokens: 100 })
  const threshold = { name: 'B', metric: 'cost', limit: 50, window: 'total', action: 'block' }
  const { id } = await post('/usage/thresholds', threshold)
  const { id: conversation } = await post('/conversations', { agent_id: agent })
  const { id: another } = await post('/conversations', { agent_id: agent })
  const beginTurn = async (url: string, where: string) => {
    const response = await speak(url, `/conversations/${where}/messages`, { message: 'Hi', stream: true })
    await readEvents(response, ({ id: sequence }) => sequence === 4)
  }
  await beginTurn(address, conversation)
  const heldThere = async () => ((await (await speak(address, `/usage/thresholds/${id}`)).json()) as Json).data.reserved
  const ofOneTurn = await heldThere()
  expect(ofOneTurn).toBeGreaterThan(0.1)
  // This one belongs to no conversation. It is billed by an estimate all the same.
  speak(address, '/openai/v1/chat/completions', { model: agent, messages: [{ role: 'user', content: 'Hi' }] }).catch(
    () => {},
  )
  await until(async () => (await heldThere()) > ofOneTurn)
  await until(() => provider.requests.length === 2) // a call that was not sent yet would be billed too
  lost.child.kill('SIGKILL')
  await lost.ended

  // The clock of the other node is ahead, so that nobody has to wait until the silence is long enough.
  const other = await startOn({ ...environment, ...(await ownFolder()) }, { now: () => Date.now() + 5 * minute })
  const reserved = async () => (await other.get(`/usage/thresholds/${id}`)).body.data.reserved as number
  await beginTurn(other.url, another)
  const readLastMessage = async (where: string) =>
    (await other.get(`/conversations/${where}`)).body.data.messages.at(-1)
  await until(async () => (await readLastMessage(conversation)).status === 'interrupted')
  await until(async () => (await reserved()) === ofOneTurn)

  const running = await readLastMessage(another)
  expect(running.status).toBe('running')
  await other.post(`/conversations/${another}/messages/${running.id}/cancel`)
  await until(async () => (await reserved()) === 0)
  const { used } = (await other.get(`/usage/thresholds/${id}`)).body.data
  expect(used).toBeGreaterThan(0)
  const stats = (await other.get('/usage/stats')).body.data
  expect(used).toBe(stats.total_cost)
  expect(stats.by_model[model].requests).toBe(provider.requests.length)
}, 300_000)

const ownFolder = async () => ({ DATA_DIR: (await freshEnvironment()).DATA_DIR ?? '' })
