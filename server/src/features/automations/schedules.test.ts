import { describe, expect, it } from 'vitest'
import { testKey } from '../../../test/config.ts'
import { evaluating } from '../../../test/evaluating.ts'
import {
  freshEnvironment,
  type Json,
  onPostgres,
  requestsTo,
  type Service,
  startOn,
  startService,
  until,
} from '../../../test/harness.ts'
import { asking, mailing } from '../../../test/mailing-stage.ts'
import { startProcess } from '../../../test/process.ts'
import { startReceiver } from '../../../test/receiver.ts'
import { mayCallLoopback } from '../../../test/scripted-api.ts'
import { stage, stageOn } from '../../../test/stage.ts'
import type { RunningJob } from '../../kernel/jobs/definition.ts'
import { timestamp } from '../../kernel/time.ts'
import { expireApprovals } from '../conversations/approvals/expiry.ts'
import { expireNeeds } from '../conversations/approvals/needs.ts'
import { runDue } from './execution/due.ts'
import { resumeLost } from './jobs.ts'

const minute = 60_000
const message = ({ agent }: { agent: string }, text = 'Report') => ({ type: 'message', agent_id: agent, message: text })

const listRuns = async ({ get }: Pick<Service, 'get'>, id: string, query = ''): Promise<Json[]> =>
  (await get(`/schedules/${id}/runs?sort=due_at&order=asc&limit=100${query}`)).body.data

const ended = (here: Pick<Service, 'get'>, id: string, count = 1): Promise<Json[]> =>
  until(async () => {
    const runs = await listRuns(here, id)
    return runs.length >= count && runs.every(({ finished_at }) => finished_at !== null) && runs
  })

const create = async ({ post }: Pick<Service, 'post'>, body: object): Promise<string> => {
  const made = await post('/schedules', { name: 'S', cron: '0 9 * * *', ...body })
  expect(made.body).toMatchObject({ success: true })
  return made.body.data.id
}

it('a message is sent when its time has come, and its run has the reply and its cost', async () => {
  let now = Date.parse('2027-01-01T08:59:30Z')
  const here = await stage({ deltas: ['Fine.'], usage: { input: 1000, output: 500 } }, { own: true, now: () => now })
  const id = await create(here, { action: message(here) })
  expect((await here.get(`/schedules/${id}`)).body.data).toMatchObject({
    cron_description: 'At 09:00',
    next_run_at: '2027-01-01T09:00:00Z',
    last_run: null,
    timezone: 'UTC',
    overlap: 'skip',
    catch_up: 'none',
    enabled: true,
    approved_tools: [],
  })
  now = Date.parse('2027-01-01T09:00:01Z')
  const [run] = await ended(here, id)
  expect(run).toMatchObject({ status: 'succeeded', due_at: '2027-01-01T09:00:00Z', cost: 0.002, error: null })
  expect(here.told(0)).toEqual(['Be kind.', 'Report'])
  const { messages } = (await here.get(`/conversations/${run?.conversation_id}`)).body.data
  expect(messages.at(-1)).toMatchObject({ id: run?.message_id, content: 'Fine.' })
  expect((await here.get(`/schedules/${id}`)).body.data).toMatchObject({
    next_run_at: '2027-01-02T09:00:00Z',
    last_run: run,
  })
})

it('a single time runs once, and an edit neither resets nor doubles a due time', async () => {
  let now = Date.parse('2027-06-01T06:59:30Z')
  const here = await stage({ deltas: ['Fine.'] }, { own: true, now: () => now })
  const action = message(here)
  const once = await create(here, { cron: null, at: '2027-06-01T09:00:00', timezone: 'Europe/Berlin', action })
  const daily = await create(here, { cron: '0 7 * * *', action })
  const path = `/schedules/${daily}`
  expect((await here.get(`/schedules/${once}`)).body.data.next_run_at).toBe('2027-06-01T07:00:00Z')
  for (const body of [{ name: 'Other' }, { action: message(here, 'Else') }, { cron: '0 7,9 * * *' }])
    expect((await here.put(path, body)).body.data.next_run_at).toBe('2027-06-01T07:00:00Z')
  now = Date.parse('2027-06-01T07:00:02Z')
  // The due time has come: whether its run has started or not, it stays.
  await here.put(path, { cron: '0 7,8 * * *' })
  await ended(here, once)
  await ended(here, daily)
  await here.put(path, { cron: '0 7,10 * * *' })
  expect((await here.get(path)).body.data.next_run_at).toBe('2027-06-01T10:00:00Z')
  const whole = (await here.get(`/schedules/${once}`)).body.data
  expect(whole).toMatchObject({ cron_description: null, next_run_at: null })
  expect((await here.put(`/schedules/${once}`, whole)).status).toBe(200)
  expect([await listRuns(here, once), await listRuns(here, daily)]).toMatchObject([[{ status: 'succeeded' }], [{}]])
  expect(here.provider.requests).toHaveLength(2)
})

it('names the field of bad input', async () => {
  const here = await stage()
  const action = message(here)
  const wrong: [string, object][] = [
    ['cron', { cron: '0 9 * *', action }],
    ['cron', { cron: '61 9 * * *', action }],
    ['cron', { cron: '0 0 30 2 *', action }],
    ['cron', { cron: null, action }],
    ['at', { at: '2020-01-01T00:00:00Z', cron: null, action }],
    ['at', { at: 'tomorrow', cron: null, action }],
    ['at', { at: '2099-02-30T09:00', cron: null, action }],
    ['at', { at: '2099-01-01T00:00:00Z', action }],
    ['timezone', { timezone: 'Mars/Base', action }],
    ['timezone', { timezone: '+01:00', action }],
    ['action.message', { action: { type: 'message', agent_id: here.agent } }],
    ['action.evaluation_id', { action: { ...action, evaluation_id: 'evl_1' } }],
    ['action.agent_id', { action: { ...action, agent_id: 'agt_none' } }],
    ['action.conversation_id', { action: { ...action, conversation_id: 'cnv_none' } }],
    ['action.knowledge_source_id', { action: { type: 'sync', knowledge_source_id: 'src_none' } }],
    ['approved_tools[0]', { action, approved_tools: ['api_none'] }],
  ]
  for (const [field, body] of wrong) {
    const answer = await here.post('/schedules', { name: 'S', cron: '0 9 * * *', ...body })
    expect([answer.status, answer.body.details?.[0].path, body]).toEqual([400, field, body])
  }
  const fields: [string, string][] = [
    ['60 9 * * *', '"60" is not a valid minute'],
    ['0 24 * * *', '"24" is not a valid hour'],
    ['0 9 32 * *', '"32" is not a valid day of month'],
    ['0 9 * 13 *', '"13" is not a valid month'],
    ['0 9 * * noday', '"noday" is not a valid day of week'],
    ['0 0 9 * * *', 'must have five fields: minute, hour, day of month, month, day of week'],
    ['@daily', 'must have five fields: minute, hour, day of month, month, day of week'],
    ['0 0 30 2 *', 'never occurs'],
  ]
  for (const [cron, message] of fields)
    expect((await here.post('/schedules/preview', { cron })).body.details).toEqual([{ path: 'cron', message }])
  const seen = await here.post('/schedules/preview', { cron: '30 2 * * 1-5', timezone: 'Europe/Berlin' })
  expect(seen.body.data).toMatchObject({ description: 'At 02:30, Monday through Friday' })
  expect(seen.body.data.next).toHaveLength(5)
  expect((await here.post('/schedules/preview', { cron: '* * *' })).body.details[0].path).toBe('cron')
})

describe('overlap', () => {
  const slow = async (overlap: string) => {
    const here = await stage({ deltas: ['Slow'], fault: 'stall' })
    const id = await create(here, { cron: '0 0 1 1 *', overlap, action: message(here) })
    const run = () => here.post(`/schedules/${id}/run`)
    const first = (await run()).body.data
    await until(() => here.provider.requests.length === 1)
    const second = await run()
    expect(second.status).toBe(202)
    const cancel = async () => {
      const [{ conversation_id, message_id }] = (await listRuns(here, id)) as [Json]
      await here.post(`/conversations/${conversation_id}/messages/${message_id}/cancel`)
    }
    return { here, id, first, second: second.body.data, cancel }
  }

  it('skips what is due while a run has not ended', async () => {
    const { here, id, second, cancel } = await slow('skip')
    expect(second).toMatchObject({ status: 'skipped', code: 'already_running' })
    await cancel()
    expect(await ended(here, id, 2)).toMatchObject([{ status: 'failed', code: 'cancelled' }, { status: 'skipped' }])
  })

  it('or leaves it queued until that ends', async () => {
    const { here, id, second, cancel } = await slow('queue')
    expect(second).toMatchObject({ status: 'queued', started_at: null })
    here.provider.next({ deltas: ['Quick'] })
    await cancel()
    expect((await ended(here, id, 2)).map(({ status }) => status).sort()).toEqual(['failed', 'succeeded'])
    expect(here.provider.requests).toHaveLength(2)
  })
})

it('queues a hundred runs at most', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const here = await stage({ deltas: ['Slow'], hold: released })
  const id = await create(here, { cron: '0 0 1 1 *', overlap: 'queue', action: message(here) })
  await here.post(`/schedules/${id}/run`)
  await until(() => here.provider.requests.length === 1)
  const runs: Json[] = []
  for (let n = 1; n <= 101; n++) runs.push((await here.post(`/schedules/${id}/run`)).body.data)
  await here.put(`/schedules/${id}`, { enabled: false }) // what is queued is skipped
  release()
  expect(runs.slice(0, 100).map(({ status }) => status)).toEqual(Array(100).fill('queued'))
  expect(runs[100]).toMatchObject({ status: 'skipped', code: 'already_running', error: '100 earlier runs are queued.' })
  await until(async () => (await here.get(`/schedules/${id}/runs?status=queued`)).body.pagination.total === 0)
})

it('a run whose process is killed has failed, and is not repeated', async () => {
  const token = 'the-owner-of-this-test'
  const environment = { ...(await freshEnvironment()), ADMIN_TOKEN: token, SECRET_KEY: testKey }
  const { child, address, ended: killed } = startProcess(environment)
  const here = await stageOn(requestsTo(await address, token), { deltas: ['Half of it'], fault: 'stall' })
  const id = await create(here, { overlap: 'queue', action: message(here) })
  for (const _ of [1, 2]) await here.post(`/schedules/${id}/run`)
  await until(async () => (await listRuns(here, id)).some(({ message_id }) => message_id !== null))
  await until(() => here.provider.requests.length === 1)
  child.kill('SIGKILL')
  await killed
  here.provider.next({ deltas: ['Whole'] })
  const again = await startOn(environment, { now: () => Date.now() + 2 * minute })
  const [first, second] = (await ended(again, id, 2)).toSorted((a, b) => a.id.localeCompare(b.id))
  expect(first).toMatchObject({ status: 'failed', error: 'The service stopped while it was answering.' })
  expect(second).toMatchObject({ status: 'succeeded' })
  expect(await listRuns(again, id)).toHaveLength(2)
  expect(here.provider.requests).toHaveLength(2)
}, 180_000)

describe('after an outage', () => {
  const outage = async (catch_up: string) => {
    let now = Date.parse('2027-01-01T08:30:00Z')
    const here = await stage({ deltas: ['Fine.'] }, { own: true, now: () => now })
    const id = await create(here, { cron: '0 * * * *', catch_up, action: message(here) })
    await here.close()
    now = Date.parse('2027-01-01T12:30:00Z')
    const again = await startOn(here.environment, { now: () => now })
    const next = () =>
      until(async () => (await again.get(`/schedules/${id}`)).body.data.next_run_at === '2027-01-01T13:00:00Z')
    await next()
    return (await ended(again, id)).map(({ due_at, status, error }) => [due_at.slice(11, 13), status, error])
  }

  it('the due times that passed are skipped, and counted', async () => {
    expect(await outage('none')).toEqual([['09', 'skipped', '4 due times passed while the service was not running.']])
  })

  it('or the last one is run', async () => {
    expect(await outage('last')).toEqual([
      ['09', 'skipped', '3 due times passed while the service was not running.'],
      ['12', 'succeeded', null],
    ])
  })
})

it('ten failures in a row disable it, with events for webhooks', async () => {
  const here = await stage({ status: 400 } as never, mayCallLoopback)
  const receiver = await startReceiver()
  await here.post('/webhooks', { url: receiver.url, events: ['schedule.run_finished', 'schedule.paused'] })
  const id = await create(here, { cron: '0 0 1 1 *', action: message(here) })
  for (let n = 1; n <= 10; n++) {
    expect((await here.post(`/schedules/${id}/run`)).status).toBe(202)
    await ended(here, id, n)
  }
  const { data } = (await here.get(`/schedules/${id}`)).body
  expect(data).toMatchObject({ enabled: false, next_run_at: null, disabled_reason: expect.stringContaining('10 runs') })
  expect((await here.post(`/schedules/${id}/run`)).body.code).toBe('disabled')
  const events = await until(() => receiver.received.length === 11 && receiver.received.map(({ json }) => json))
  const paused = events.filter(({ type }) => type === 'schedule.paused')
  expect(paused).toMatchObject([{ data: { schedule: { id, name: 'S' }, failures: 10 } }])
  const finished = events.filter(({ type }) => type === 'schedule.run_finished')
  expect(finished[0]).toMatchObject({ data: { schedule: { id }, run: { status: 'failed' }, reply: null } })
  const enabled = (await here.put(`/schedules/${id}`, { enabled: true })).body.data
  expect(enabled).toMatchObject({ disabled_reason: null, enabled: true })
})

it('syncs and evaluations end with their run', async () => {
  const here = await stage({ deltas: ['Paris'], usage: { input: 1000, output: 500 } })
  const source = (await here.post('/knowledge-sources', { name: 'S', type: 'file' })).body.data.id
  const sync = await create(here, { action: { type: 'sync', knowledge_source_id: source } })
  const { create: evaluation } = evaluating(here)
  const graded = (expected_output: string) =>
    evaluation({
      type: 'agent',
      target_id: here.agent,
      test_cases: [{ input: 'Capital?', expected_output }],
      scorers: [{ type: 'exact_match' }],
    })
  const action = async (expected: string) => ({ type: 'evaluation', evaluation_id: await graded(expected) })
  const good = await create(here, { action: await action('Paris') })
  const bad = await create(here, { action: await action('Rome') })
  for (const id of [sync, good, bad]) await here.post(`/schedules/${id}/run`)
  expect(await ended(here, sync)).toMatchObject([{ status: 'succeeded', sync_id: expect.stringMatching(/^syn_/) }])
  expect(await ended(here, good)).toMatchObject([
    { status: 'succeeded', cost: 0.002, evaluation_run_id: expect.any(String) },
  ])
  expect(await ended(here, bad)).toMatchObject([{ status: 'failed', code: 'evaluation_failed' }])
  expect((await here.remove(`/knowledge-sources/${source}`)).body.code).toBe('in_use')
})

describe('a tool that needs approval', () => {
  const start = async (more: object = {}, tool: object = {}, settings?: Parameters<typeof mailing>[1]) => {
    const here = await mailing(tool, settings)
    const body = { cron: '0 0 1 1 *', action: message(here), ...more }
    const id = await create(here, body)
    const run = async () => {
      here.provider.next(asking)
      await here.post(`/schedules/${id}/run`)
    }
    const status = (wanted: string) =>
      until(async () => (await listRuns(here, id)).find((each) => each.status === wanted))
    return { ...here, id, run, status }
  }

  it('lets the run wait, and a refusal is no success', async () => {
    const { run, status, list, decide, id, get } = await start()
    await run()
    await status('awaiting_approval')
    const [approval] = await until(async () => (await list('?status=pending')).length > 0 && list('?status=pending'))
    await decide(approval?.id, false)
    expect(await ended({ get }, id)).toMatchObject([{ status: 'failed', code: 'tool_refused' }])
    await run()
    await status('awaiting_approval')
    const [second] = await list('?status=pending')
    await decide(second?.id, true)
    expect(await status('succeeded')).toMatchObject({ error: null })
  })

  it('is called at once if it is granted, until it changes', async () => {
    const { run, status, id, put, tool, api, get, list, decide } = await start()
    expect((await put(`/schedules/${id}`, { approved_tools: [tool.id] })).body.data.approved_tools).toEqual([tool.id])
    const { data: entries } = (await get('/audit?limit=5')).body
    expect(entries[0]).toMatchObject({ action: 'update', fields: ['approved_tools'] })
    await run()
    await status('succeeded')
    expect(api.requests).toHaveLength(1)
    await put(`/api-tools/${tool.id}`, { description: 'Sends other mails.' })
    // Approving one call of the changed tool does not grant it again; naming it again does.
    for (const calls of [1, 2]) {
      await run()
      await status('awaiting_approval')
      expect(api.requests).toHaveLength(calls)
      const [approval] = await list('?status=pending')
      await decide(approval?.id, true)
      await until(() => api.requests.length === calls + 1)
      await ended({ get }, id, calls + 1)
    }
    await put(`/schedules/${id}`, { approved_tools: [tool.id] })
    await run()
    await until(() => api.requests.length === 4)
    expect((await ended({ get }, id, 4)).map((each) => each.status)).toEqual(Array(4).fill('succeeded'))
    expect(await list('?status=pending')).toEqual([])
  })

  it('that is granted stays so in a run that waits twice for another one', async () => {
    const { status, id, put, post, tool, agent, api, get, provider, list, decide } = await start()
    const { url, parameters, method } = tool
    const shape = { name: 'erase', description: 'Erases.', method, url, parameters, requires_approval: true }
    const other = (await post('/api-tools', shape)).body.data.id
    await put(`/agents/${agent}`, { tools: [tool.id, other] })
    await put(`/schedules/${id}`, { approved_tools: [tool.id] })
    const call = (name: string, at: number) => ({ id: `call_${at}`, name, arguments: '{"to":"ada"}' })
    provider.next({ toolCalls: [call('erase', 1)] }, { toolCalls: [call('send_mail', 2), call('erase', 3)] })
    await post(`/schedules/${id}/run`)
    for (const calls of [0, 2]) {
      await until(async () => (await list('?status=pending')).length === 1)
      await status('awaiting_approval')
      expect(api.requests).toHaveLength(calls)
      if (calls > 0) provider.next({ toolCalls: [call('send_mail', 4)] })
      const [approval] = await list('?status=pending')
      await decide(approval?.id, true)
    }
    expect(await ended({ get }, id)).toMatchObject([{ status: 'succeeded' }])
    expect(api.requests).toHaveLength(4)
  })

  it('and is not approved in time fails the run', async () => {
    let now = Date.parse('2027-01-01T00:00:00Z')
    const { run, status, id, get, ctx } = await start(
      {},
      { approval_timeout_minutes: 30 },
      { own: true, now: () => now },
    )
    await run()
    await status('awaiting_approval')
    now += 31 * minute
    await expireApprovals(ctx)
    expect(await ended({ get }, id)).toMatchObject([{ status: 'failed', code: 'approval_expired' }])
  })

  it('is granted only by whoever may approve it', async () => {
    const { id, put, tool, tokenFor } = await start({}, { approvers: { users: ['eve'] } })
    const editor = await tokenFor('editor', { user_id: 'ed' })
    const eve = await tokenFor('editor', { user_id: 'eve' })
    const path = `/schedules/${id}`
    const grant = { approved_tools: [tool.id] }
    expect((await put(path, grant, { token: editor })).status).toBe(403)
    expect((await put(path, grant, { token: eve })).status).toBe(200)
    expect((await put(path, { name: 'Other', ...grant }, { token: editor })).status).toBe(200)
    const other = { action: { type: 'message', agent_id: 'x', message: 'Write to everyone' } }
    expect((await put(path, other, { token: editor })).status).toBe(403)
  })
})

describe('whoever created it', () => {
  const creating = async () => {
    const here = await stage({ deltas: ['Fine.'] })
    const token = async (role: string) =>
      (await here.post('/tokens', { name: role, role, user_id: 'ed' })).body.data as { id: string; token: string }
    const editor = await token('editor')
    const body = { name: 'S', cron: '0 0 1 1 *', action: message(here) }
    const id = (await here.post('/schedules', body, { token: editor.token })).body.data.id as string
    let runs = 0
    const outcome = async () => {
      expect((await here.post(`/schedules/${id}/run`)).status).toBe(202)
      const [run] = (await ended(here, id, ++runs)).toSorted((a, b) => b.id.localeCompare(a.id))
      return [run?.status, run?.code]
    }
    return { ...here, id, outcome, newToken: token, editor }
  }

  it('runs it with the role that they have by now, and not at all when they are gone', async () => {
    const { outcome, editor, newToken, remove, get, id, put } = await creating()
    expect(await outcome()).toEqual(['succeeded', null])
    await remove(`/tokens/${editor.id}`)
    expect(await outcome()).toEqual(['failed', 'creator_gone'])
    const viewer = await newToken('viewer')
    expect(await outcome()).toEqual(['failed', 'forbidden'])
    await remove(`/tokens/${viewer.id}`)
    const again = await newToken('admin')
    expect(await outcome()).toEqual(['succeeded', null])
    await remove(`/tokens/${again.id}`)
    expect(await outcome()).toEqual(['failed', 'creator_gone'])
    expect((await get(`/schedules/${id}`)).body.data.last_run.error).toContain('Save it to run it in your name')
    await put(`/schedules/${id}`, { enabled: true }) // by the owner
    expect(await outcome()).toEqual(['succeeded', null])
  })

  it('is whoever changed last what it does', async () => {
    const { id, put, outcome, agent, get, tokenFor } = await creating()
    const other = await tokenFor('editor', { user_id: 'other' })
    const users = async () => (await get('/conversations?sort=id')).body.data.map(({ user_id }: Json) => user_id)
    await put(`/schedules/${id}`, { name: 'Renamed' }, { token: other })
    await outcome()
    expect(await users()).toEqual(['ed'])
    await put(`/schedules/${id}`, { action: message({ agent }, 'Else') }, { token: other })
    await outcome()
    expect(await users()).toEqual(['other', 'ed'])
  })
})

it('says what its run waits for, with an event, and that nobody did it in time', async () => {
  const receiver = await startReceiver()
  const here = await stage({ deltas: ['Fine.'] }, mayCallLoopback)
  await here.post('/webhooks', { url: receiver.url, events: ['connection.required', 'input.required'] })
  const auth = {
    type: 'oauth2',
    account: 'workspace',
    client_id: 'parley',
    authorization_url: `${receiver.url}/authorize`,
    token_url: `${receiver.url}/token`,
  }
  const shape = { name: 'calendar', description: 'C', url: receiver.url, auth }
  const tool = (await here.post('/api-tools', shape)).body.data.id
  await here.put(`/agents/${here.agent}`, { tools: [tool] })
  here.provider.next({ toolCalls: [{ id: 'c1', name: 'calendar', arguments: '{}' }] })
  const id = await create(here, { cron: '0 0 1 6 *', action: message(here) })
  await here.post(`/schedules/${id}/run`)
  const waiting = await until(async () => (await listRuns(here, id)).find(({ waiting_for }) => waiting_for !== null))
  expect(waiting).toMatchObject({ status: 'awaiting_approval', waiting_for: 'connection' })
  expect((await here.get(`/schedules/${id}`)).body.data.last_run).toEqual(waiting)
  const event = (await until(() => receiver.received[0])).json
  expect(event).toMatchObject({
    type: 'connection.required',
    data: { kind: 'connection', message_id: waiting?.message_id, tool_id: tool, account: 'workspace' },
  })
  expect(JSON.stringify(event)).not.toContain('authorize')
  const due = here.ctx.db.updateTable('waiting_run').set({ expires_at: 0 }).where('kind', '=', 'connection')
  await due.where('conversation_id', '=', waiting?.conversation_id).execute()
  await expireNeeds(here.ctx)
  const expired = { status: 'failed', code: 'connection_expired', waiting_for: null }
  expect(await ended(here, id)).toMatchObject([expired])

  // A run whose end was lost is found behind any number of runs that rightly wait.
  here.provider.next({ toolCalls: [{ id: 'c2', name: 'calendar', arguments: '{}' }] })
  await here.post(`/schedules/${id}/run`)
  const other = await until(async () => (await listRuns(here, id)).find(({ waiting_for }) => waiting_for !== null))
  const rows = () => here.ctx.db.selectFrom('automation_run').selectAll().where('owner_id', '=', id)
  const row = await rows().where('id', '=', other?.id).executeTakeFirstOrThrow()
  const long = { updated_at: '2020-01-01T00:00:00.000Z', due_at: '2099-01-01T00:00:00Z', lane: 'others' }
  const waitingOnes = Array.from({ length: 600 }, (_, n) => ({ ...row, ...long, id: `a${n} ${id}` }))
  await here.ctx.db.insertInto('automation_run').values(waitingOnes).execute()
  const lost = {
    status: 'awaiting_approval',
    code: null,
    finished_at: null,
    updated_at: '2020-01-01T00:00:01.000Z',
  } as const
  await here.ctx.db.updateTable('automation_run').set(lost).where('id', '=', waiting?.id).execute()
  await resumeLost(here.ctx)
  expect((await listRuns(here, id)).find((run) => run.id === waiting?.id)).toMatchObject(expired)
})

it('goes on with its conversation after that has completed itself', async () => {
  let now = Date.parse('2027-01-01T08:30:00Z')
  const here = await stage({ deltas: ['Fine.'] }, { own: true, now: () => now })
  const conversation_id = await here.talk()
  const id = await create(here, { action: { ...message(here), conversation_id } })
  const completed = () =>
    until(async () => (await here.get(`/conversations/${conversation_id}`)).body.data.status === 'completed')
  for (const day of ['01', '02']) {
    if (day === '02') {
      now = Date.parse('2027-01-01T11:00:00Z')
      await completed()
    }
    now = Date.parse(`2027-01-${day}T09:00:01Z`)
    await ended(here, id, Number(day))
  }
  expect(await listRuns(here, id)).toMatchObject(Array(2).fill({ status: 'succeeded', conversation_id }))
  expect(here.told(1)).toEqual(['Be kind.', 'Report', 'Fine.', 'Report'])
})

/** How many due times are run in each of two periods with a change of the clock. */
const dueTimes = 30

it('no due time is missed or doubled over two changes of the clock, whatever jobs several nodes repeat', async () => {
  const times = { cron: '*/30 * * * *', at: null, timezone: 'Europe/Berlin' }
  const half = (dueTimes / 2) * 30 * minute
  /** Each half hour, whatever the clock shows. */
  const following = (moment: number) => timestamp((Math.floor(moment / (30 * minute)) + 1) * 30 * minute)
  const periods = ['2026-03-29T01:10:30Z', '2032-10-31T01:10:30Z'].map((change) => Date.parse(change) - half)
  let now = periods[0] as number
  const clock = () => now
  const first = await startService({ own: true, now: clock })
  const source = (await first.post('/knowledge-sources', { name: 'S', type: 'file' })).body.data.id
  const id = await create(first, { ...times, action: { type: 'sync', knowledge_source_id: source } })
  const workspace = (await first.get('/me')).body.data.workspace.id
  const join = () => startOn(first.environment, { now: clock })
  let nodes: Service[] = onPostgres ? [first, await join()] : [first]
  const expected: string[] = []
  for (const period of periods) {
    now = period
    if (period !== periods[0]) {
      for (const node of nodes) await node.close()
      nodes = onPostgres ? [await join(), await join()] : [await join()] // after an outage of years
    }
    const current = async () => (await nodes[0]?.get(`/schedules/${id}`))?.body.data.next_run_at as string
    let due = following(now)
    const stale = expected.at(-1) ?? due
    await until(async () => (await current()) === due)
    for (let n = 0; n < dueTimes; n++) {
      expected.push(due)
      now = Date.parse(due) + 1000
      const repeated = nodes.flatMap(({ ctx }) =>
        [due, stale, due].map((each) => runDue(ctx, { workspace, payload: { schedule: id, due: each } } as RunningJob)),
      )
      await Promise.all(repeated)
      due = following(now)
    }
    expect(await current()).toBe(due)
  }
  const rows = await (nodes[0] as Service).ctx.db
    .selectFrom('automation_run')
    .select(['due_at', 'code'])
    .where('owner_id', '=', id)
    .orderBy('due_at')
    .execute()
  expect(rows.filter(({ code }) => code !== 'missed').map(({ due_at }) => due_at)).toEqual(expected)
  expect(rows.filter(({ code }) => code === 'missed')).toHaveLength(1)
  const gaps = expected.slice(1).map((due, at) => Date.parse(due) - Date.parse(expected[at] ?? due))
  expect(gaps.filter((gap) => gap !== 30 * minute)).toHaveLength(1) // between the periods
})
