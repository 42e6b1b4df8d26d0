import { describe, expect, it } from 'vitest'
import { asAfterCrash } from '../../../../test/after-crash.ts'
import { type Json, startOn, until } from '../../../../test/harness.ts'
import { asking, mailing } from '../../../../test/mailing-stage.ts'
import { day, minute } from '../../../kernel/time.ts'
import { expireApprovals } from './expiry.ts'

describe('an approval', () => {
  it('is given with changed arguments, and both versions are kept', async () => {
    const { wait, list, decide, get, post, say, api, provider, tokenFor } = await mailing()
    const { id, conversation, path, over } = await wait()
    const editor = await tokenFor('editor', { user_id: 'eve' })
    const ada = await tokenFor('user', { user_id: 'ada' })
    const refused = [
      await decide(id, false, { arguments: { to: 'bob' } }),
      await decide(id, true, { arguments: { to: 7 } }),
      await decide(id, true, { arguments: 'bob' }),
      await post(`${path}/approvals`, { tool_call_id: 'call_a', approved: true, arguments: { to: 7 } }),
    ]
    expect(refused.map(({ status, body }) => [status, body.code, /arguments/.test(body.error)])).toEqual(
      refused.map(() => [400, 'invalid_request', true]),
    )
    expect((await decide(id, true, { arguments: { to: 7 } }, ada)).status).toBe(403)
    expect(api.requests).toHaveLength(0)

    const decided = await decide(id, true, { arguments: { to: 'bob' } }, editor)
    const versions = { arguments: { to: 'ada' }, edited_arguments: { to: 'bob' } }
    expect(decided.body.data).toMatchObject({ status: 'approved', decided_by: 'eve', ...versions })
    expect((await over()).tool_calls).toMatchObject([{ ...versions, approved: true, status: 'completed' }])
    expect(api.requests.map(({ body }) => body)).toEqual([JSON.stringify({ to: 'bob' })])
    const note = 'It was made with {"to":"bob"}.'
    expect(JSON.stringify(provider.requests.at(-1)?.body.messages)).toContain(JSON.stringify(note).slice(1, -1))
    await say(conversation, 'And then?')
    expect(JSON.stringify(provider.requests.at(-1)?.body.messages)).toContain(JSON.stringify(note).slice(1, -1))
    expect(await list('?status=approved')).toMatchObject([versions])
    const { data: entries } = (await get(`/audit?kind=approval&resource_id=${id}`)).body
    expect(entries).toMatchObject([{ action: 'approve', fields: ['arguments'], user_id: 'eve' }])
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

  it('publishes an event with the pause', async () => {
    const { wait, post, get, api } = await mailing()
    const url = `${api.url}/hook`
    const { data: hook } = (await post('/webhooks', { url, events: ['approval.required'] })).body
    const { id } = await wait()
    const sent = await until(() => api.requests.find((request) => request.url === '/hook'))
    const { may_decide, deciders, ...approval } = (await get(`/approvals/${id}`)).body.data
    expect(JSON.parse(sent.body)).toMatchObject({ type: 'approval.required', data: approval })
    expect((await get(`/webhooks/${hook.id}/deliveries`)).body.pagination.total).toBe(1)
  })
})

describe('a call that nobody decides about in time', () => {
  const start = Date.parse('2026-01-01T00:00:00Z')

  it('is refused by a job, also after a restart', async () => {
    let time = start
    const here = await mailing({}, { now: () => time })
    const { id, path } = await here.wait()
    const environment = await asAfterCrash(here)
    time += 2 * day
    const again = await startOn(environment, { now: () => time })
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
