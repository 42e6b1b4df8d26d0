import { expect, it, vi } from 'vitest'
import { createFile } from '../../../test/attachments.ts'
import { findPlaces, readDump } from '../../../test/dump.ts'
import { type Json, startOn, until } from '../../../test/harness.ts'
import { finished, userNamed } from '../../../test/people.ts'
import type { RecordedRequest, Script } from '../../../test/scripted-provider.ts'
import { stage, stageOn } from '../../../test/stage.ts'
import { day, minute } from '../../kernel/time.ts'
import { signedHeaders } from '../webhooks/signature.ts'

vi.setConfig({ testTimeout: 300_000 })

it('lists who was seen: by their own requests and by those of others for them', async () => {
  let time = Date.parse('2026-03-01T12:00:00Z')
  const here = await stage({ deltas: ['Hi'] }, { now: () => time })
  const { get, post } = here
  const finance = { name: 'Phone', user_id: 'ada', groups: ['finance', 'board'] }
  const ada = await here.tokenFor('user', finance)
  await get('/agents', { token: ada })
  time += 5 * minute
  const conversation = (await post('/conversations', { agent_id: here.agent, user_id: 'bob_1' })).body.data.id
  await here.say(conversation, 'Hello')
  await post('/openai/v1/chat/completions', {
    model: here.agent,
    user: 'carol',
    messages: [{ role: 'user', content: 'Hi' }],
  })

  const all = (await get('/users?sort=last_seen_at&order=asc')).body
  expect(all.pagination.total).toBe(3)
  expect(all.data[0]).toMatchObject({
    id: expect.stringMatching(/^usr_/),
    user_id: 'ada',
    name: null,
    groups: ['board', 'finance'],
    role: 'user',
    first_seen_at: '2026-03-01T12:00:00Z',
    last_seen_at: '2026-03-01T12:00:00Z',
    conversations: 0,
    tokens: 1,
    usage: { tokens: 0, cost: 0, requests: 0, unpriced_requests: 0 },
  })
  const named = (await get('/users/names', { token: await here.tokenFor('editor') })).body.data
  expect(named).toHaveLength(3)
  expect(named).toContainEqual({
    id: all.data[0].id,
    user_id: 'ada',
    name: null,
    groups: ['board', 'finance'],
  })
  expect((await get('/users/names', { token: ada })).status).toBe(403)
  const bob = all.data.find(({ user_id }: Json) => user_id === 'bob_1')
  expect(bob).toMatchObject({
    role: null,
    groups: [],
    conversations: 1,
    tokens: 0,
    last_seen_at: '2026-03-01T12:05:00Z',
  })
  const spent = (await get('/usage/stats')).body.data.by_entity.user.bob_1
  expect(bob.usage).toEqual(spent)
  expect((await get('/users?q=BOB')).body.data.map(({ user_id }: Json) => user_id)).toEqual(['bob_1'])
  expect((await get('/users?group=finance')).body.data.map(({ user_id }: Json) => user_id)).toEqual(['ada'])
  expect((await get('/users?role=user')).body.pagination.total).toBe(1)
  const one = await get(`/users/${bob.id}`)
  expect(one.body.data).toEqual(bob)
  expect(one.headers.get('etag')).toBeTruthy()

  time += day
  await get('/agents', { token: ada })
  expect((await userNamed(here, 'ada')).last_seen_at).toBe('2026-03-02T12:05:00Z')
  expect((await userNamed(here, 'ada')).first_seen_at).toBe('2026-03-01T12:00:00Z')
})

const eve = `eve "née" o'hara 100%_@example.com/ü`
const words = 'zanzibarian quokkahoard'

/** Everything that a person can leave behind, of one who is erased and of one who stays. */
async function fill(here: Awaited<ReturnType<typeof stage>>, userId: string, text: string) {
  const { post, url } = here
  const token = await here.tokenFor('editor', { name: `Phone of ${userId}`, user_id: userId, groups: ['g'] })
  const file = await createFile({ url, token }, 'note.txt', `A file about ${text}`)
  await createFile({ url, token }, 'unused.txt', `Unused, about ${text}`)
  const body = { agent_id: here.agent, user_id: userId, title: `Title ${text}`, metadata: { who: userId } }
  const created = await post('/conversations', body, { headers: { 'idempotency-key': `create ${text.length}` } })
  const conversation = created.body.data.id
  const more = { attachments: [{ file_id: file }] }
  const sent = await here.say(conversation, text, more, { token, headers: { 'idempotency-key': 'say' } })
  const message = sent.body.data.id
  await post(`/conversations/${conversation}/messages/${message}/feedback`, { rating: 'up', comment: text }, { token })
  await post('/openai/v1/responses', { model: here.agent, input: `Again ${text}`, user: userId })
  await post('/usage/thresholds', {
    ...{ name: 'T', metric: 'cost', limit: 1, window: 'day', action: 'notify' },
    ...{ entity_type: 'user', entity_id: userId },
  })
  const evaluation = (
    await post('/evaluations', { name: 'E', type: 'agent', target_id: here.agent, test_cases: [{ input: 'x' }] })
  ).body.data.id
  await post(`/evaluations/${evaluation}/test-cases/from-message`, {
    conversation_id: conversation,
    message_id: message,
  })
  await post(`/evaluations/${evaluation}/run`, {})
  await until(async () => (await here.get(`/evaluations/${evaluation}/runs`)).body.data[0]?.status === 'completed')
  await post(`/conversations/${conversation}/complete`, undefined, { token })
  const action = { type: 'message', agent_id: here.agent, message: 'Go on' }
  const schedule = (await post('/schedules', { name: 'S', cron: '0 0 1 1 *', action }, { token })).body.data.id
  const template = { name: 'T', agent_id: here.agent, template: '{{body.text}}' }
  const trigger = (await post('/triggers', template, { token })).body.data
  const raw = JSON.stringify({ text })
  const sent_at = Math.floor(here.ctx.now() / 1000)
  const headers = signedHeaders({ id: 'evt_1', timestamp: sent_at, body: raw, secrets: [trigger.secret] })
  await here.ask('POST', `/triggers/${trigger.id}/fire`, { raw, token: null, headers })
  await until(async () => (await here.get(`/triggers/${trigger.id}/runs`)).body.data[0].finished_at !== null)
  await post('/prompt-templates', { name: 'P', template: 'x' }, { token })
  const open = (await post('/conversations', { agent_id: here.agent, user_id: userId })).body.data.id
  return { schedule, trigger: trigger.id, token, conversation, open, evaluation, message }
}

it('erases everything of a person, and nothing of others', async () => {
  let stalled: Script | null = null
  const echo = ({ body }: RecordedRequest): Script =>
    stalled ?? { deltas: [JSON.stringify(body.messages).includes(words) ? `About ${words}` : 'Go on.'] }
  const here = await stage(echo, { own: true })
  const { get, post } = here
  await post('/webhooks', { url: 'https://hooks.invalid/', events: ['*'] })
  const bob = await fill(here, 'bob', 'what bob said')
  const gone = await fill(here, eve, `The ${words}`)
  await here.say(bob.open, 'A word to bob', {}, { token: gone.token })
  await get('/analytics/conversations')
  await get(`/usage/stats?entity_type=user&entity_id=bob`)
  await until(async () => (await get(`/conversations?search=quokkahoard`)).body.data.length > 0)
  const user = await userNamed(here, eve)
  const job = (await post(`/users/${user.id}/export`)).body.data
  await finished(here, job.id)
  stalled = { deltas: [words, ' and', ' more'], fault: 'stall', after: 2 }
  const streamed = fetch(`${here.url}/api/conversations/${gone.open}/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${here.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message: words, stream: true }),
  }).then((response) => response.text())
  await until(async () => (await get(`/conversations/${gone.open}`)).body.data.messages.length === 2)
  const before = (await get('/usage/costs')).body.data
  expect(findPlaces(await readDump(here.environment), eve).length).toBeGreaterThan(5)

  const started = await post(`/users/${user.id}/erase`)
  expect(started.status).toBe(200)
  const again = await post(`/users/${user.id}/erase`)
  expect([200, 404]).toContain(again.status)
  if (again.status === 200) expect(again.body.data.id).toBe(started.body.data.id)
  const receipt = await finished(here, started.body.data.id)
  expect(receipt).toMatchObject({ status: 'completed', kind: 'erase', error: null, finished_at: expect.any(String) })
  expect(receipt.receipt).toMatchObject({
    conversations: 4,
    files: 2,
    feedback: 1,
    tokens: 1,
    usage_thresholds: 1,
    test_cases: 1,
    exports: 1,
    schedules: 1,
    triggers: 1,
  })
  expect(receipt.receipt.webhook_deliveries).toBeGreaterThan(0)
  expect(receipt.subject).toMatch(/^erased_[0-9a-f]{32}$/)
  expect(await streamed).toContain('message.cancelled')
  await here.ctx.people.flush()

  // The cache of figures drops its names when it sees that the job is completed.
  const remaining = async () => findPlaces(await readDump(here.environment), eve, 'zanzibarian', 'quokkahoard', words)
  await expect.poll(remaining).toEqual([])
  expect((await get('/agents', { token: gone.token })).status).toBe(401)
  expect((await get(`/users/${user.id}`)).status).toBe(404)

  const after = (await get('/usage/costs')).body.data
  expect(after.total_cost).toBeGreaterThanOrEqual(before.total_cost)
  expect(after.by_entity.user.bob).toEqual(before.by_entity.user.bob)
  expect(after.by_entity.user[eve]).toBeUndefined()
  expect(after.by_entity.user[receipt.subject].requests).toBeGreaterThanOrEqual(before.by_entity.user[eve].requests)
  const filtered = (await get(`/usage/stats?entity_type=user&entity_id=${receipt.subject}`)).body.data
  expect(filtered.total_tokens).toBe(after.by_entity.user[receipt.subject].tokens)
  const users = (await get('/analytics/conversations')).body.data.users
  expect(users.unique).toBe(1)

  const kept = (await get(`/conversations/${bob.conversation}`, { token: bob.token })).body.data
  expect(kept.messages.map(({ content }: Json) => content)[0]).toBe('what bob said')
  expect(kept.messages[1].feedback.comment).toBe('what bob said')
  const [joined] = (await get(`/conversations/${bob.open}`)).body.data.messages
  expect(joined).toMatchObject({
    content: 'A word to bob',
    author: { user_id: receipt.subject, name: receipt.subject },
  })
  const cases = (await get(`/evaluations/${bob.evaluation}`)).body.data.test_cases
  expect(cases[1].input).toBe('what bob said')
  const erasedCases = (await get(`/evaluations/${gone.evaluation}`)).body.data.test_cases
  expect(erasedCases[1]).toEqual({ input: '[erased]', expected_output: null, metadata: {} })
  stalled = null
  const outcome = async (schedule: string) => {
    await post(`/schedules/${schedule}/run`)
    const last = async () => (await get(`/schedules/${schedule}`)).body.data.last_run
    return until(async () => ((await last()).finished_at === null ? false : ((await last()).code ?? 'none')))
  }
  expect([await outcome(gone.schedule), await outcome(bob.schedule)]).toEqual(['creator_gone', 'none'])
  expect((await get(`/triggers/${gone.trigger}/runs`)).body.data[0].body).toBeNull()
  expect((await get('/users')).body.data.map(({ user_id }: Json) => user_id)).toEqual(['bob'])
  const audited = (await get('/audit?kind=user&action=erase')).body.data
  expect(audited[0].resource_id).toBe(user.id)
})

it('goes on erasing after a crash, and takes no token of a higher role', async () => {
  const here = await stage({ deltas: ['Hi'] }, { own: true })
  for (let number = 0; number < 45; number++)
    await here.post('/conversations', { agent_id: here.agent, user_id: 'eve' })
  const { id } = await userNamed(here, 'eve')
  const admin = await here.tokenFor('admin')
  const owner = (await here.post('/tokens', { name: 'Eve', role: 'owner', user_id: 'eve' })).body.data
  expect((await here.post(`/users/${id}/erase`, undefined, { token: admin })).status).toBe(403)
  await here.remove(`/tokens/${owner.id}`)
  const job = (await here.post(`/users/${id}/erase`, undefined, { token: admin })).body.data
  await here.close(0)
  const next = await startOn(here.environment)
  const receipt = await finished(next, job.id)
  expect(receipt).toMatchObject({ status: 'completed', receipt: { conversations: 45 } })
  expect(await next.ctx.db.selectFrom('conversation').select('id').execute()).toEqual([])
  // The same person may come back, as a new one.
  await stageOn(next)
  await next.post('/conversations', { agent_id: here.agent, user_id: 'eve' })
  expect((await userNamed(next, 'eve'))?.id).not.toBe(id)
})
