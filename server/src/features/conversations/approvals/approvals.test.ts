import { describe, expect, it } from 'vitest'
import { asAfterCrash } from '../../../../test/after-crash.ts'
import { echoTool } from '../../../../test/echo-tool.ts'
import { type Answer, type Json, onPostgres, startOn, until } from '../../../../test/harness.ts'
import { mayCallLoopback, scriptedApi } from '../../../../test/scripted-api.ts'
import { stage } from '../../../../test/stage.ts'
import type { Caller } from '../../../kernel/context.ts'
import { day, minute } from '../../../kernel/time.ts'
import { expireApprovals } from './expiry.ts'

const parameters = { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] }
const asking = { toolCalls: [{ id: 'call_a', name: 'send_mail', arguments: '{"to":"ada"}' }] }

/** A tool that needs approval and remembers for whom it was made. */
const watchful = (asked: Caller[]) =>
  echoTool([], {
    async tools(_ctx, who, ids) {
      asked.push(who)
      const parameters = { type: 'object', properties: {} }
      const run = async () => ({ content: 'Seen' })
      return ids.map((id) => ({ id, name: 'watch', description: 'Watches.', parameters, requiresApproval: true, run }))
    },
  })

/** An agent with a tool that sends mails, for which a person is asked. */
async function mailing(tool: object = {}, start?: Parameters<typeof stage>[1]) {
  const api = await scriptedApi(() => ({ body: { sent: true } }))
  const here = await stage(
    { deltas: ['Done'] },
    start ? { environment: mayCallLoopback.environment, ...start } : mayCallLoopback,
  )
  const made = await here.post('/api-tools', {
    name: 'send_mail',
    description: 'Sends a mail.',
    method: 'POST',
    url: `${api.url}/mails`,
    parameters,
    requires_approval: true,
    ...tool,
  })
  expect(made.status).toBe(201)
  await here.put(`/agents/${here.agent}`, { tools: [made.body.data.id] })
  /** Asks the agent, whose reply then waits. */
  const wait = async (more: Json = asking) => {
    here.provider.next(more)
    const conversation = await here.talk()
    const { data: message } = (await here.say(conversation, 'Write to Ada')).body
    expect(message.status).toBe('awaiting_approval')
    const path = `/conversations/${conversation}/messages/${message.id}`
    const over = () =>
      until(async () => {
        const { data } = (await here.get(path)).body
        return data.status !== 'awaiting_approval' && data.status !== 'running' && data
      })
    return { conversation, message, path, over, id: message.tool_calls[0].approval_id as string }
  }
  const list = async (query = '', token?: string) =>
    (await here.get(`/approvals${query}`, token === undefined ? {} : { token })).body.data as Json[]
  const decide = (id: string, approved: boolean, more: object = {}, token?: string) =>
    here.post(`/approvals/${id}`, { approved, ...more }, token === undefined ? {} : { token })
  return { ...here, api, tool: made.body.data as Json, wait, list, decide }
}

describe('an approval', () => {
  it('is listed while its call waits, is decided there, and the turn goes on by itself', async () => {
    const { wait, list, decide, get, agent, tool, api, told } = await mailing()
    const { id, conversation, message, over } = await wait()
    const [shown] = await list('?status=pending')
    expect(shown).toEqual({
      id,
      conversation_id: conversation,
      message_id: message.id,
      tool_call_id: 'call_a',
      tool_id: tool.id,
      name: 'send_mail',
      target: `POST ${api.url}/mails`,
      arguments: { to: 'ada' },
      agent_id: agent,
      agent_name: 'A',
      user_id: 'ada',
      status: 'pending',
      approvers: null,
      expires_at: expect.stringMatching(/Z$/),
      decided_by: null,
      decided_at: null,
      comment: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      may_decide: true,
    })
    expect(Date.parse(shown.expires_at) - Date.parse(shown.created_at)).toBe(day)
    const one = await get(`/approvals/${id}`)
    expect([one.body.data, one.headers.get('etag')]).toEqual([shown, expect.any(String)])
    expect(await list('?status=approved')).toEqual([])

    const decided = await decide(id, true, { comment: 'Fine' })
    expect([decided.status, decided.body.data]).toEqual([
      200,
      {
        ...shown,
        status: 'approved',
        decided_by: expect.any(String),
        decided_at: expect.any(String),
        updated_at: expect.any(String),
        comment: 'Fine',
        may_decide: false,
      },
    ])
    expect(await over()).toMatchObject({
      content: 'Done',
      status: 'completed',
      tool_calls: [{ approval_id: id, approved: true, status: 'completed' }],
    })
    expect(api.requests.length).toBe(1)
    expect(told(1).join()).not.toContain('Fine')
    expect([await list('?status=pending'), await list('?status=approved')]).toEqual([[], [decided.body.data]])
    const { data: audit } = (await get('/audit?kind=approval')).body
    expect(audit).toMatchObject([{ action: 'approve', resource_id: id, role: 'owner' }])
  })

  it('tells the model why it was refused', async () => {
    const { wait, decide, told, api, get } = await mailing()
    const { id, over } = await wait()
    expect((await decide(id, false, { comment: 'Write to Bob instead.' })).body.data).toMatchObject({
      status: 'refused',
      comment: 'Write to Bob instead.',
    })
    expect((await over()).tool_calls).toMatchObject([{ status: 'refused', approved: false }])
    expect(told(1).at(-1)).toContain('Write to Bob instead.')
    expect(api.requests).toEqual([])
    expect((await get('/audit?kind=approval')).body.data).toMatchObject([{ action: 'refuse', resource_id: id }])
  })

  it('is decided once, on whichever route and node', async () => {
    const { wait, decide, post, api, environment, tokenFor } = await mailing({}, { own: true })
    const other = onPostgres ? await startOn(environment) : null
    const { id, over, path } = await wait()
    const ann = await tokenFor('editor', { name: 'ann' })
    const ways = [
      (approved: boolean) => decide(id, approved),
      (approved: boolean) => (other?.post ?? post)(`/approvals/${id}`, { approved }, { token: ann }),
      (approved: boolean) => post(`${path}/approvals`, { tool_call_id: 'call_a', approved, comment: 'Here' }),
    ]
    const answers = await Promise.all(
      Array.from({ length: 9 }, (_, n) => ways[n % 3]?.(n % 2 === 0) as Promise<Answer>),
    )
    const { tool_calls } = await over()
    const won = tool_calls[0].approved as boolean
    expect(answers.map(({ status }, n) => [n, status])).toEqual(
      answers.map((_, n) => [n, (n % 2 === 0) === won ? 200 : 409]),
    )
    expect(api.requests.length).toBe(won ? 1 : 0)
    expect((await decide(id, won)).body.data.status).toBe(won ? 'approved' : 'refused')
    expect((await decide(id, !won)).body.code).toBe('already_running')
  })

  it('is refused when its reply is cancelled or replaced, and goes with its conversation', async () => {
    const { wait, list, decide, post, remove, provider, get } = await mailing()
    const cancelled = await wait()
    await post(`${cancelled.path}/cancel`)
    const replaced = await wait()
    provider.next({ deltas: ['Another'] })
    await post(`${replaced.path}/regenerate`)
    const kept = await wait()
    expect((await list('?status=pending')).map(({ id }) => id)).toEqual([kept.id])
    for (const { id } of [cancelled, replaced]) {
      expect((await get(`/approvals/${id}`)).body.data).toMatchObject({
        status: 'refused',
        decided_by: expect.any(String),
        comment: expect.stringContaining('cancelled'),
        may_decide: false,
      })
      expect((await decide(id, true)).status).toBe(400)
    }
    await remove(`/conversations/${kept.conversation}`)
    expect([(await get(`/approvals/${kept.id}`)).status, (await decide(kept.id, true)).status]).toEqual([404, 404])
    expect((await list()).length).toBe(2)
  })

  it('publishes an event with the pause', async () => {
    const { wait, post, get, api } = await mailing()
    const url = `${api.url}/hook`
    const { data: hook } = (await post('/webhooks', { url, events: ['approval.required'] })).body
    const { id } = await wait()
    const sent = await until(() => api.requests.find((request) => request.url === '/hook'))
    const { may_decide, ...approval } = (await get(`/approvals/${id}`)).body.data
    expect(JSON.parse(sent.body)).toMatchObject({ type: 'approval.required', data: approval })
    expect((await get(`/webhooks/${hook.id}/deliveries`)).body.pagination.total).toBe(1)
  })

  it('is paged, sorted and filtered like every list', async () => {
    const { wait, get } = await mailing()
    const { id } = await wait()
    await wait()
    const page = await get(
      '/approvals?limit=1&page=2&name=send_mail&q=mail&user_id=ada&sort=expires_at&may_decide=true',
    )
    expect([page.body.data[0].id, page.body.pagination]).toEqual([id, { page: 2, limit: 1, total: 2, pages: 2 }])
    expect((await get('/approvals?may_decide=false')).body.data).toEqual([])
    expect((await get('/approvals?status=waiting')).body.details[0].path).toBe('status')
  })
})

describe('without approvers', () => {
  it('whoever may write in the conversation decides', async () => {
    const { wait, list, decide, tokenFor } = await mailing()
    const { id, over } = await wait()
    const [ada, bob, viewer] = [
      await tokenFor('user', { user_id: 'ada' }),
      await tokenFor('user', { user_id: 'bob' }),
      await tokenFor('viewer'),
    ]
    for (const token of [bob, viewer])
      expect([await list('', token), (await decide(id, true, {}, token)).status]).toEqual([[], 404])
    expect((await list('?may_decide=true', ada)).map((each) => each.id)).toEqual([id])
    expect((await decide(id, true, {}, ada)).body.data).toMatchObject({ status: 'approved', decided_by: 'ada' })
    expect((await over()).status).toBe('completed')
  })
})

describe('with approvers', () => {
  it('only they decide, whatever the role of others', async () => {
    const approvers = { groups: ['finance'], users: ['eve'] }
    const { wait, list, decide, get, post, tokenFor, api, tool, put } = await mailing({ approvers })
    expect(tool.approvers).toEqual(approvers)
    const { id, path, over } = await wait()
    await put(`/api-tools/${tool.id}`, { approvers: null }) // those of the call stay

    const editor = await tokenFor('editor', { groups: ['sales'] })
    const ada = await tokenFor('user', { user_id: 'ada' })
    for (const token of [editor, ada]) {
      expect((await list('', token)).map((each) => [each.id, each.may_decide])).toEqual([[id, false]])
      expect(await list('?may_decide=true', token)).toEqual([])
      const here = await decide(id, true, {}, token)
      const there = await post(`${path}/approvals`, { tool_call_id: 'call_a', approved: true }, { token })
      for (const { status, body } of [here, there]) {
        expect([status, body.code]).toEqual([403, 'forbidden'])
        expect(body.error).toMatch(/"finance".*"eve"/)
      }
    }
    for (const [role, more] of [
      ['user', { user_id: 'bob', groups: ['sales'] }],
      ['viewer', { groups: ['sales'] }],
    ] as const) {
      const token = await tokenFor(role, more)
      expect([await list('', token), (await get(`/approvals/${id}`, { token })).status]).toEqual([[], 404])
      expect((await decide(id, true, {}, token)).status).toBe(404)
    }

    const fay = await tokenFor('user', { user_id: 'fay', groups: ['audit', 'finance'] })
    const [seen] = await list('?may_decide=true', fay)
    expect(seen).toMatchObject({ id, arguments: { to: 'ada' }, agent_name: 'A', user_id: 'ada', approvers })
    expect((await get(path, { token: fay })).status).toBe(404)
    expect((await decide(id, true, { comment: 'Paid' }, fay)).body.data).toMatchObject({
      status: 'approved',
      decided_by: 'fay',
      comment: 'Paid',
    })
    expect((await over()).status).toBe('completed')
    expect(api.requests.length).toBe(1)
    expect((await decide(id, true, {}, editor)).status).toBe(403)
  })

  it('are not those the turn goes on for: that is who asked, with the groups they have by then', async () => {
    const asked: Caller[] = []
    const tool = watchful(asked)
    const here = await stage({ deltas: ['Done'] }, { features: [tool.feature] })
    const { post, put, remove, provider, agent, tokenFor } = here
    await put(`/agents/${agent}`, { tools: [await tool.create(here)] })
    const ada = { user_id: 'ada', groups: ['sales', 'finance'] }
    const token = (await post('/tokens', { name: 'ada', role: 'user', ...ada })).body.data
    const ask = async () => {
      provider.next({ toolCalls: [{ id: 'call_a', name: 'watch', arguments: '{}' }] })
      const talk = { token: token.token }
      const conversation = (await post('/conversations', { agent_id: agent }, talk)).body.data.id
      const { data } = (await post(`/conversations/${conversation}/messages`, { message: 'Go' }, talk)).body
      return `/conversations/${conversation}/messages/${data.id}/approvals`
    }
    const approve = async (path: string) => {
      const editor = await tokenFor('editor', { groups: ['all'] })
      const done = await post(path, { tool_call_id: 'call_a', approved: true }, { token: editor })
      expect(done.body.data.status).toBe('completed')
      return asked.at(-1)
    }
    const first = await ask()
    await put(`/tokens/${token.id}`, { groups: ['sales'] })
    expect(await approve(first)).toMatchObject({ role: 'user', userId: 'ada', token: token.id, groups: ['sales'] })
    const second = await ask()
    await remove(`/tokens/${token.id}`)
    expect(await approve(second)).toMatchObject({ role: 'user', userId: 'ada', groups: [] })
  })

  it('named users of every role decide, viewers included', async () => {
    const { wait, list, decide, tokenFor } = await mailing({ approvers: { users: ['eve'] } })
    const { id, over } = await wait()
    const eve = await tokenFor('viewer', { user_id: 'eve' })
    expect((await list('?status=pending', eve)).map((each) => each.may_decide)).toEqual([true])
    expect((await decide(id, false, {}, eve)).body.data).toMatchObject({ status: 'refused', decided_by: 'eve' })
    expect((await over()).status).toBe('completed')
  })

  it('must name somebody', async () => {
    const { post, put, tool } = await mailing()
    const change = (approvers: unknown) => put(`/api-tools/${tool.id}`, { approvers })
    for (const approvers of [{}, { groups: [], users: [] }, { roles: ['admin'] }, 'finance'])
      expect((await change(approvers)).body.details[0].path).toMatch(/^approvers/)
    expect((await change({ groups: ['b', 'a', 'b'] })).body.data.approvers).toEqual({ groups: ['a', 'b'], users: [] })
    for (const approval_timeout_minutes of [0, 43_201, 1.5])
      expect((await put(`/api-tools/${tool.id}`, { approval_timeout_minutes })).status).toBe(400)
    const { data } = (await post('/api-tools', { name: 'x', description: 'X.', url: 'https://example.com' })).body
    expect([data.approvers, data.approval_timeout_minutes]).toEqual([null, 1440])
  })

  it('of another workspace see nothing', async () => {
    const { wait, get, post, decide } = await mailing({ approvers: { groups: ['finance'] } })
    const { id } = await wait()
    const { data: elsewhere } = (await post('/workspaces', { name: `elsewhere-${id}` })).body
    const body = { name: 'fay', role: 'user', user_id: 'ada', groups: ['finance'] }
    const workspace = { 'x-workspace': elsewhere.id }
    const { token } = (await post('/tokens', body, { headers: workspace })).body.data
    expect((await get('/approvals', { token })).body.data).toEqual([])
    expect((await get(`/approvals/${id}`, { token })).status).toBe(404)
    expect((await decide(id, true, {}, token)).status).toBe(404)
  })
})

describe('a call that nobody decides about in time', () => {
  const start = Date.parse('2026-01-01T00:00:00Z')

  it('is refused once, and the turn goes on', async () => {
    let time = start
    const { wait, list, decide, get, ctx, api, told, provider, environment } = await mailing(
      { approval_timeout_minutes: 30 },
      { now: () => time },
    )
    const other = onPostgres ? await startOn(environment, { now: () => time }) : null
    const { id, over } = await wait()
    expect((await get(`/approvals/${id}`)).body.data.expires_at).toBe('2026-01-01T00:30:00Z')
    time += 29 * minute
    await expireApprovals(ctx)
    expect((await list('?status=pending')).length).toBe(1)
    time += minute
    expect((await decide(id, true)).body.code).toBe('already_running')
    await Promise.all([expireApprovals(ctx), expireApprovals(other?.ctx ?? ctx), expireApprovals(ctx)])
    expect(await over()).toMatchObject({ status: 'completed', content: 'Done', tool_calls: [{ status: 'refused' }] })
    expect((await get(`/approvals/${id}`)).body.data).toMatchObject({
      status: 'expired',
      decided_by: null,
      decided_at: '2026-01-01T00:30:00Z',
    })
    expect(told(1).at(-1)).toContain('in time')
    expect([api.requests.length, provider.requests.length]).toEqual([0, 2])
    expect((await decide(id, true)).body.error).toContain('in time')
    expect((await decide(id, false)).body.data.status).toBe('expired')
    expect((await get('/audit?kind=approval')).body.data).toMatchObject([
      { action: 'expire', resource_id: id, token_name: 'Approval timeout' },
    ])
  })

  it('is refused by a job, also after a restart', async () => {
    let time = start
    const here = await mailing({}, { now: () => time })
    const { id, path } = await here.wait()
    const environment = onPostgres ? here.environment : await asAfterCrash(here)
    time += 2 * day
    const again = await startOn(environment, { now: () => time })
    if (onPostgres) await expireApprovals(again.ctx) // its jobs follow the real clock
    await until(async () => (await again.get(`/approvals/${id}`)).body.data.status === 'expired')
    await until(async () => (await again.get(path)).body.data.status === 'completed')
  })

  it('ends the reply if the turn cannot go on', async () => {
    let time = start
    const { wait, ctx, remove, agent, get } = await mailing({}, { now: () => time })
    const { id, over } = await wait()
    expect((await remove(`/agents/${agent}`)).status).toBe(200)
    time += 2 * day
    await expireApprovals(ctx)
    expect(await over()).toMatchObject({ status: 'failed', code: 'unknown_reference' })
    expect((await get(`/approvals/${id}`)).body.data.status).toBe('expired')
  })

  it('waits as long as its own tool says, beside others', async () => {
    let time = start
    const { wait, decide, ctx, post, put, agent, tool, told } = await mailing(
      { approval_timeout_minutes: 10 },
      { now: () => time },
    )
    const slow = { name: 'slow', description: 'Slow.', url: 'https://example.com', requires_approval: true }
    const { data } = (await post('/api-tools', { ...slow, approval_timeout_minutes: 60 })).body
    await put(`/agents/${agent}`, { tools: [tool.id, data.id] })
    const toolCalls = [...asking.toolCalls, { id: 'call_b', name: 'slow', arguments: '{}' }]
    const { message, over } = await wait({ toolCalls })
    time += 20 * minute
    await expireApprovals(ctx)
    await decide(message.tool_calls[1].approval_id, false)
    expect((await over()).tool_calls.map((call: Json) => call.status)).toEqual(['refused', 'refused'])
    expect(told(1).slice(-2)).toEqual([expect.stringContaining('in time'), expect.stringContaining('refused')])
  })
})
