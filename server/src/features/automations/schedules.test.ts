import { describe, expect, it } from 'vitest'
import { evaluating } from '../../../test/evaluating.ts'
import { type Json, onPostgres, type Service, startOn, startService, until } from '../../../test/harness.ts'
import { asking, mailing } from '../../../test/mailing-stage.ts'
import { startReceiver } from '../../../test/receiver.ts'
import { mayCallLoopback } from '../../../test/scripted-api.ts'
import { stage } from '../../../test/stage.ts'
import type { RunningJob } from '../../kernel/jobs/definition.ts'
import { runDue } from './execution/due.ts'
import { nextAfter } from './schedules/times.ts'

const minute = 60_000
const message = ({ agent }: { agent: string }, text = 'Report') => ({ type: 'message', agent_id: agent, message: text })

const runsOf = async ({ get }: Pick<Service, 'get'>, id: string, query = ''): Promise<Json[]> =>
  (await get(`/schedules/${id}/runs?sort=due_at&order=asc&limit=100${query}`)).body.data

const ended = (here: Pick<Service, 'get'>, id: string, count = 1): Promise<Json[]> =>
  until(async () => {
    const runs = await runsOf(here, id)
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
  expect(whole.next_run_at).toBeNull()
  expect((await here.put(`/schedules/${once}`, whole)).status).toBe(200)
  expect([await runsOf(here, once), await runsOf(here, daily)]).toMatchObject([[{ status: 'succeeded' }], [{}]])
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
      const [{ conversation_id, message_id }] = (await runsOf(here, id)) as [Json]
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
  const start = async (more: object = {}, tool: object = {}) => {
    const here = await mailing(tool)
    const body = { cron: '0 0 1 1 *', action: message(here), ...more }
    const id = await create(here, body)
    const run = async () => {
      here.provider.next(asking)
      await here.post(`/schedules/${id}/run`)
    }
    const status = (wanted: string) =>
      until(async () => (await runsOf(here, id)).find((each) => each.status === wanted))
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
    const { run, status, id, put, tool, api, get } = await start()
    expect((await put(`/schedules/${id}`, { approved_tools: [tool.id] })).body.data.approved_tools).toEqual([tool.id])
    const { data: entries } = (await get('/audit?limit=5')).body
    expect(entries[0]).toMatchObject({ action: 'update', fields: ['approved_tools'] })
    await run()
    await status('succeeded')
    expect(api.requests).toHaveLength(1)
    await put(`/api-tools/${tool.id}`, { description: 'Sends other mails.' })
    await run()
    await status('awaiting_approval')
    expect(api.requests).toHaveLength(1)
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

/** How many due times are run in each of two periods with a change of the clock. */
const dueTimes = Number(process.env.PARLEY_TEST_DUE_TIMES ?? 30)

it('no due time is missed or doubled over two changes of the clock, whatever jobs several nodes repeat', async () => {
  const times = { cron: '*/30 * * * *', at: null, timezone: 'Europe/Berlin' }
  const half = (dueTimes / 2) * 30 * minute
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
    let due = nextAfter(times, now) as string
    const stale = expected.at(-1) ?? due
    await until(async () => (await current()) === due)
    for (let n = 0; n < dueTimes; n++) {
      expected.push(due)
      now = Date.parse(due) + 1000
      const repeated = nodes.flatMap(({ ctx }) =>
        [due, stale, due].map((each) => runDue(ctx, { workspace, payload: { schedule: id, due: each } } as RunningJob)),
      )
      await Promise.all(repeated)
      due = nextAfter(times, now) as string
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
