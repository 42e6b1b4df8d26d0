import { describe, expect, it, onTestFinished } from 'vitest'
import { cancelChannel, progressChannel } from '../src/features/conversations/streaming/remote-turns.ts'
import { recoverTurns } from '../src/features/conversations/turn/recovery.ts'
import { openStore } from '../src/kernel/store/open-store.ts'
import { withCalendar } from './account-stage.ts'
import { asking, cautious } from './cautious-stage.ts'
import { testKey } from './config.ts'
import { joinText, readEvents } from './event-stream.ts'
import { folderOfTest } from './folder.ts'
import { freshEnvironment, type Service, startOn, startService, until } from './harness.ts'
import { consent } from './oauth-server.ts'
import { startProcess } from './process.ts'
import { startReceiver } from './receiver.ts'
import { mayCallLoopback } from './scripted-api.ts'
import { findProgram } from './services/find.ts'
import { startRedisServer } from './services/redis.ts'
import { type Stage, stage, stageOn } from './stage.ts'

const words = (count: number) => Array.from({ length: count }, (_, n) => `word${n} `)

const open = (at: Pick<Service, 'url' | 'token'>, path: string, body?: object) =>
  fetch(`${at.url}/api/conversations/${path}`, {
    headers: { authorization: `Bearer ${at.token}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })

/** Resolves with the next text that is sent to a channel of a node. */
const heard = ({ ctx }: Pick<Service, 'ctx'>, channel: string): Promise<string> =>
  new Promise((resolve) => onTestFinished(ctx.signals.on(channel, resolve)))

describe.each(findProgram('redis-server') ? ['LISTEN/NOTIFY', 'Redis'] : ['LISTEN/NOTIFY'])('with %s', (bus) => {
  const twoNodes = async (script: Parameters<typeof stage>[0]): Promise<[Stage, Service]> => {
    const environment: Record<string, string> = {}
    if (bus === 'Redis') {
      const redis = await startRedisServer()
      onTestFinished(() => redis.remove())
      environment.REDIS_URL = redis.url
    }
    const one = await stage(script, { own: true, environment })
    return [one, await startOn(one.environment)]
  }

  it('follows a turn of another node live, to its end', async () => {
    // The second half is sent only when the first one has been seen through the other node.
    const { promise: halfSeen, resolve } = Promise.withResolvers<void>()
    const [one, two] = await twoNodes({ deltas: words(50), hold: halfSeen, after: 25 })
    const announced = heard(two, progressChannel(one.ctx.node))
    const id = await one.talk()
    const here = readEvents(await open(one, `${id}/messages`, { message: 'Hi', stream: true }))
    const running = await until(async () => (await two.get(`/conversations/${id}`)).body.data.messages[1]?.id)
    const there = await readEvents(await open(two, `${id}/messages/${running}/stream`), ({ id: sequence }) => {
      if (sequence === 26) resolve()
      return false
    })
    expect(there).toEqual(await here)
    expect(joinText(there)).toBe(words(50).join(''))
    await announced // rather than found by polling
  })

  it('cancels a turn of another node at once', async () => {
    const [one, two] = await twoNodes({ deltas: ['Some ', 'words'], fault: 'stall', after: 2, delay: 1 })
    const told = heard(one, cancelChannel(one.ctx.node))
    const id = await one.talk()
    const said = one.say(id, 'Hi')
    const reply = await until(async () => {
      const [, message] = (await two.get(`/conversations/${id}`)).body.data.messages
      return message?.content === 'Some words' && message
    })
    const { body } = await two.post(`/conversations/${id}/messages/${reply.id}/cancel`)
    expect(body.data).toMatchObject({ status: 'cancelled', content: 'Some words' })
    expect((await said).body.data.status).toBe('cancelled')
    await one.provider.requests[0]?.gone
    await told // rather than found by polling
  })
})

it('runs one turn of a conversation at a time, whichever node is asked', async () => {
  const one = await stage({ deltas: ['Yes'], delay: 20 }, { own: true })
  const two = await startOn(one.environment)
  const id = await one.talk()
  const ask = (node: Pick<Service, 'post'>) => node.post(`/conversations/${id}/messages`, { message: 'Hi' })
  const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => ask(n % 2 ? one : two)))
  const answered = answers.filter(({ status }) => status === 200).length
  for (const { status, body } of answers) if (status !== 200) expect(body.code).toBe('conversation_busy')
  expect(answered).toBeGreaterThan(0)
  expect(one.provider.requests.length).toBe(answered)
  expect((await two.get(`/conversations/${id}`)).body.data.messages.length).toBe(2 * answered)
})

it('sends the model nothing that was deleted on another node', async () => {
  const memory = { scope: 'user', write: 'off' }
  const one = await stage({ deltas: ['Yes'] }, { own: true }, { memory })
  const two = await startOn(one.environment)
  const fact = (await one.post('/memories', { content: 'Likes plums', user_id: 'ada' })).body.data
  const id = await one.talk()
  await one.say(id, 'I have a pear')
  await one.say(id, 'And an apple')
  const [question] = (await two.get(`/conversations/${id}/messages`)).body.data
  expect((await two.remove(`/openai/v1/conversations/${id}/items/${question.id}`)).status).toBe(200)
  expect((await two.remove(`/memories/${fact.id}`)).status).toBe(200)
  await one.say(id, 'What do I have?')
  const told = one.told(one.provider.requests.length - 1).join()
  expect(told).toContain('apple')
  expect(told).not.toMatch(/pear|plums/)
})

it('keeps messages in order if the clock of a node is behind', async () => {
  const one = await stage({ deltas: ['Yes'] }, { own: true })
  // By less than the hour after which a job completes idle conversations.
  const two = await startOn(one.environment, { now: () => Date.now() - 1_800_000 })
  const id = await one.talk()
  expect((await one.say(id, 'first')).status).toBe(200)
  expect((await two.post(`/conversations/${id}/messages`, { message: 'second' })).status).toBe(200)
  expect((await one.say(id, 'third')).status).toBe(200)
  const { messages } = (await two.get(`/conversations/${id}`)).body.data
  const asked = messages.filter(({ role }: { role: string }) => role === 'user')
  expect(asked.map(({ content }: { content: string }) => content)).toEqual(['first', 'second', 'third'])
  expect(one.told(2)).toEqual(['Be kind.', 'first', 'Yes', 'second', 'Yes', 'third'])
})

it('leaves a turn alone whose node lives, although another clock is an hour ahead', async () => {
  const one = await stage({ deltas: ['Some'], fault: 'stall', after: 1, delay: 1 }, { own: true })
  const id = await one.talk()
  const said = one.say(id, 'Hi')
  await until(() => one.provider.requests.length === 1)
  const wrongClock = new URL('./wrong-clock.js', import.meta.url).href
  const other = startProcess({
    ...one.environment,
    DATA_DIR: folderOfTest(),
    SECRET_KEY: testKey,
    ROLE: 'api',
    CLOCK_JUMPS: '3600000',
    NODE_OPTIONS: `--import=${wrongClock}`,
  })
  await other.address
  const [, reply] = (await one.get(`/conversations/${id}`)).body.data.messages
  expect(reply.status).toBe('running')
  await one.post(`/conversations/${id}/messages/${reply.id}/cancel`)
  expect((await said).body.data.status).toBe('cancelled')
})

it('keeps a turn running that was approved on another node, when the node that paused it ends', async () => {
  const one = await cautious({ own: true })
  const id = await one.talk()
  one.provider.next(asking, { deltas: ['Well'], fault: 'stall', after: 1, delay: 1 })
  const { data } = (await one.say(id, 'Send it')).body
  const start = () => startOn(one.environment, { features: [one.echo.feature] })
  const two = await start()
  const path = `/conversations/${id}/messages/${data.id}`
  const approved = two.post(`${path}/approvals`, { tool_call_id: 'call_a', approved: true })
  await until(() => one.provider.requests.length === 2)
  await one.close(0)
  const three = await start() // ends the turns of nodes that have died
  expect((await three.get(path)).body.data.status).toBe('running')
  await three.post(`${path}/cancel`)
  expect((await approved).body.data.status).toBe('cancelled')
})

it('goes on after an account was connected on another node, and renews the account on one node only', async () => {
  const clock = { now: Date.now() }
  const now = () => clock.now
  const start = { environment: mayCallLoopback.environment, now, shared: undefined }
  const one = await withCalendar({ lifetime: 300 }, { start })
  const { id, message } = await one.ask()
  const two = await startOn(one.environment, { now })
  const three = await startOn(one.environment, { now })
  await one.close(0)
  const { pathname, search } = await consent(message.tool_calls[0].connection.authorize_url)
  expect((await two.get(`${pathname}${search}`, { token: null })).status).toBe(200)
  const reply = await until(async () => {
    const { data } = (await three.get(`/conversations/${id}/messages/${message.id}`)).body
    return data.status === 'completed' && data
  })
  expect([reply.content, reply.tool_calls[0].result]).toEqual(['Done', '{"event":"Lunch"}'])

  clock.now += 290_000
  const askOn = async ({ post }: Pick<Service, 'post'>) => {
    one.provider.next({ toolCalls: [{ id: 'c1', name: 'calendar', arguments: '{}' }] })
    const made = await post('/conversations', { agent_id: one.agent, user_id: 'ada' })
    return (await post(`/conversations/${made.body.data.id}/messages`, { message: 'And now?' })).body.data
  }
  const replies = await Promise.all([askOn(two), askOn(three), askOn(two), askOn(three)])
  expect(replies.map(({ status }) => status)).toEqual(Array(4).fill('completed'))
  expect(one.oauth.tokenRequests.filter((each) => each.get('grant_type') === 'refresh_token')).toHaveLength(1)
})

it('ends a turn, billed once, that another node has ended because it took this one for dead', async () => {
  const one = await stage({ deltas: ['Some ', 'words'], fault: 'stall', after: 2, delay: 1 }, { own: true })
  const two = await startOn(one.environment)
  const id = await one.talk()
  const stream = await open(one, `${id}/messages`, { message: 'Hi', stream: true })
  await until(async () => (await two.get(`/conversations/${id}`)).body.data.messages[1]?.content === 'Some words')
  await recoverTurns(two.ctx, -1000)
  const { message } = (await readEvents(stream)).at(-1)?.data ?? {}
  expect(message).toMatchObject({ status: 'interrupted', content: 'Some words' })
  expect((await one.get(`/conversations/${id}/messages/${message.id}`)).body.data).toEqual(message)
  expect((await one.get('/usage/stats')).body.data.by_model[one.model].requests).toBe(1)
})

it('answers a repeated request on any node, once', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const one = await stage({ deltas: ['Yes'], hold: released }, { own: true })
  const two = await startOn(one.environment)
  const id = await one.talk()
  const ask = (node: Pick<Service, 'post'>) =>
    node.post(`/conversations/${id}/messages`, { message: 'Hi' }, { headers: { 'idempotency-key': 'one' } })
  const first = ask(one)
  await until(() => one.provider.requests.length === 1)
  expect((await ask(two)).body.code).toBe('idempotency_in_progress')
  release()
  const { body } = await first
  const again = await ask(two)
  expect([again.status, again.headers.get('idempotent-replayed'), again.body.data.id]).toEqual([
    200,
    'true',
    body.data.id,
  ])
  expect(one.provider.requests.length).toBe(1)
})

it('delivers each event of a webhook once, although several nodes could', async () => {
  const receiver = await startReceiver()
  const one = await startService({ environment: { EGRESS_ALLOW: '127.0.0.1' } })
  const nodes = [one, await startOn(one.environment), await startOn(one.environment)]
  await one.post('/webhooks', { url: receiver.url, events: ['conversation.completed'] })
  const agent = (await one.post('/agents', { name: 'A' })).body.data.id
  const ids = await Promise.all(
    Array.from({ length: 30 }, async (_, n) => {
      const node = nodes[n % 3] as Service
      const { id } = (await node.post('/conversations', { agent_id: agent })).body.data
      expect((await node.post(`/conversations/${id}/complete`)).status).toBe(200)
      return id
    }),
  )
  const received = () => receiver.received.map(({ json }) => json.data.conversation_id)
  await until(() => received().length >= 30)
  expect(received().sort()).toEqual(ids.sort())
})

it('ends the turns of a killed node as interrupted', async () => {
  const environment: Record<string, string> = {
    ...(await freshEnvironment()),
    ADMIN_TOKEN: 'the-owner',
    RATE_LIMIT: '0',
    DEMO: 'false',
    SECRET_KEY: testKey,
  }
  const lost = startProcess({ ...environment, ROLE: 'api' })
  const url = await lost.address
  const other = await startOn({ ...environment, ROLE: 'api', DATA_DIR: folderOfTest() })
  const staged = await stageOn(other, { deltas: words(3), fault: 'stall', after: 3, delay: 1 })
  const id = await staged.talk()
  const stream = await open({ url, token: 'the-owner' }, `${id}/messages`, { message: 'Hi', stream: true })
  const [started] = await readEvents(stream, ({ id: sequence }) => sequence === 4)
  const followed = await open(other, `${id}/messages/${started?.data.message_id}/stream`)
  const events = await readEvents(followed, ({ id: sequence }) => {
    if (sequence === 4) lost.child.kill('SIGKILL')
    return false
  })
  const last = events.at(-1)
  expect(last?.data.message).toMatchObject({ status: 'interrupted', content: words(3).join('') })
  await until(async () => (await other.get('/metrics')).body.includes('parley_turns_total{status="interrupted"} 1'))
  staged.provider.next({ deltas: ['Yes'] })
  expect((await staged.say(id, 'Go on')).body.data.content).toBe('Yes')
}, 300_000)

describe('connections to Postgres', () => {
  it('are bounded, and none is held while a model or a tool answers', async () => {
    const one = await stage({ deltas: ['Some'], fault: 'stall', after: 1, delay: 1 }, { own: true })
    const ids = await Promise.all(Array.from({ length: 60 }, () => one.talk()))
    const messages = [{ role: 'user', content: 'Hi' }]
    const asked = [
      ...ids.map((id) => one.say(id, 'Hi')),
      ...Array.from({ length: 20 }, () => one.post('/openai/v1/chat/completions', { model: one.agent, messages })),
    ].map((answer) => answer.catch(() => {}))
    await until(() => one.provider.requests.length === 80)
    const { pool } = one.ctx
    const total = await until(async () => {
      const { rows = [] } =
        (await pool?.query(
          `select count(*) filter (where state = 'idle in transaction') as open, count(*) as total
           from pg_stat_activity where datname = current_database()`,
        )) ?? {}
      return Number(rows[0]?.open) === 0 && pool?.waitingCount === 0 && Number(rows[0]?.total)
    })
    expect(total).toBeLessThanOrEqual(26)
    expect((await one.get('/agents')).status).toBe(200)
    await one.close(0)
    await Promise.all(asked)
  })

  it('end statements that take too long', async () => {
    const { DATABASE_URL } = await freshEnvironment()
    const poolWith = async (milliseconds: number) => {
      const store = await openStore({ databaseUrl: `${DATABASE_URL}?query_timeout=${milliseconds}`, dataDir: '' })
      onTestFinished(() => store.close())
      return store.pool
    }
    const client = await (await poolWith(1000))?.connect()
    await expect(client?.query('select pg_sleep(60)')).rejects.toThrow(/statement timeout|did not respond/)
    client?.release(true)
    const { rows = [] } =
      (await (
        await poolWith(40_000)
      )?.query(
        `select current_setting('statement_timeout') as statement, current_setting('idle_in_transaction_session_timeout') as idle`,
      )) ?? {}
    expect(rows[0]).toEqual({ statement: '40s', idle: '40s' })
  })
})
