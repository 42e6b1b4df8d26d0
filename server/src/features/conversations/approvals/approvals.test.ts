import { describe, expect, it } from 'vitest'
import { type Answer, onPostgres, startOn } from '../../../../test/harness.ts'
import { mailing } from '../../../../test/mailing-stage.ts'
import { day, minute } from '../../../kernel/time.ts'
import { expireApprovals } from './expiry.ts'

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
      edited_arguments: null,
      agent_id: agent,
      agent_name: 'A',
      agent_path: [{ agent_id: agent, agent_name: 'A', conversation_id: conversation, message_id: message.id }],
      user_id: 'ada',
      requested_by: expect.stringMatching(/^tok_/),
      status: 'pending',
      approvers: null,
      read_only: false,
      expires_at: expect.stringMatching(/Z$/),
      decided_by: null,
      decided_at: null,
      comment: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      may_decide: true,
      deciders: 'editors, admins and owners',
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
})
