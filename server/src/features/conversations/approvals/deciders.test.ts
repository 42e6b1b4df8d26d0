import { describe, expect, it } from 'vitest'
import { echoTool } from '../../../../test/echo-tool.ts'
import { until } from '../../../../test/harness.ts'
import { asking, mailing } from '../../../../test/mailing-stage.ts'
import { mcpServer } from '../../../../test/mcp-server.ts'
import { stage } from '../../../../test/stage.ts'
import type { Caller } from '../../../kernel/context.ts'

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

describe('without approvers', () => {
  it('editors and above decide about tools that may change something', async () => {
    const { wait, list, decide, post, tokenFor } = await mailing()
    const { id, over, path } = await wait()
    const [ada, bob, viewer, editor] = [
      await tokenFor('user', { user_id: 'ada' }),
      await tokenFor('user', { user_id: 'bob' }),
      await tokenFor('viewer'),
      await tokenFor('editor', { user_id: 'eve' }),
    ]
    for (const token of [bob, viewer])
      expect([await list('', token), (await decide(id, true, {}, token)).status]).toEqual([[], 404])
    const deciders = 'editors, admins and owners'
    expect(await list('', ada)).toMatchObject([{ id, may_decide: false, read_only: false, deciders }])
    expect(await list('?may_decide=true', ada)).toEqual([])
    expect(await list('?may_decide=false', ada)).toMatchObject([{ id }])
    const body = { tool_call_id: 'call_a', approved: true }
    for (const refused of [await decide(id, true, {}, ada), await post(`${path}/approvals`, body, { token: ada })])
      expect([refused.status, refused.body.error]).toEqual([403, expect.stringContaining(deciders)])
    expect(await list('?may_decide=true', editor)).toMatchObject([{ id, may_decide: true }])
    expect((await decide(id, true, {}, editor)).body.data).toMatchObject({ status: 'approved', decided_by: 'eve' })
    expect((await over()).status).toBe('completed')
  })

  it.each(['GET', 'HEAD'])(
    'whoever may write in the conversation decides about tools that only read (%s)',
    async (method) => {
      const { wait, list, decide, tokenFor } = await mailing({ method })
      const { id, over } = await wait()
      const ada = await tokenFor('user', { user_id: 'ada' })
      const bob = await tokenFor('user', { user_id: 'bob' })
      expect([await list('', bob), (await decide(id, true, {}, bob)).status]).toEqual([[], 404])
      const deciders = 'whoever may write in the conversation'
      expect(await list('?may_decide=true', ada)).toMatchObject([{ id, read_only: true, deciders }])
      expect((await decide(id, true, {}, ada)).body.data).toMatchObject({ status: 'approved', decided_by: 'ada' })
      expect((await over()).status).toBe('completed')
    },
  )

  it('a tool of an MCP server only reads if the server says so', async () => {
    const server = await mcpServer([
      { name: 'look', annotations: { readOnlyHint: true } },
      { name: 'change', annotations: { readOnlyHint: false } },
      { name: 'other' },
    ])
    const here = await mailing()
    const made = await here.post('/api-tools', {
      name: 'zoo',
      description: 'A zoo.',
      type: 'mcp',
      url: server.url,
      requires_approval: true,
    })
    await here.put(`/agents/${here.agent}`, { tools: [made.body.data.id] })
    const toolCalls = ['look', 'change', 'other'].map((name) => ({ id: name, name: `zoo_${name}`, arguments: '{}' }))
    await here.wait({ toolCalls })
    const shown = (await here.list()).map(({ name, read_only }) => [name, read_only])
    expect(Object.fromEntries(shown)).toEqual({ zoo_look: true, zoo_change: false, zoo_other: false })
    const ada = await here.tokenFor('user', { user_id: 'ada' })
    expect((await here.list('?may_decide=true', ada)).map(({ name }) => name)).toEqual(['zoo_look'])
  })
})

describe('four eyes (exclude_requester)', () => {
  const finance = { groups: ['finance'], users: [], exclude_requester: true }

  it('keep whoever asked from deciding, with every token of theirs', async () => {
    const { wait, list, decide, post, tokenFor, tool } = await mailing({ approvers: finance })
    expect(tool.approvers).toEqual(finance)
    const ada = await tokenFor('user', { user_id: 'ada', groups: ['finance'] })
    const { id, path, over } = await wait(asking, ada)
    const again = await tokenFor('editor', { user_id: 'ada', groups: ['finance'] })
    const body = { tool_call_id: 'call_a', approved: true }
    for (const token of [ada, again]) {
      expect(await list('', token)).toMatchObject([
        { id, may_decide: false, requested_by: 'ada', deciders: 'members of "finance", but not whoever asked' },
      ])
      expect([await list('?may_decide=true', token), (await list('?may_decide=false', token)).length]).toEqual([[], 1])
      for (const refused of [await decide(id, true, {}, token), await post(`${path}/approvals`, body, { token })]) {
        expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
        expect(refused.body.error).toMatch(/you asked.*"finance"/)
      }
    }
    const fay = await tokenFor('user', { user_id: 'fay', groups: ['finance'] })
    expect(await list('?may_decide=true', fay)).toMatchObject([{ id }])
    expect((await decide(id, true, {}, fay)).body.data).toMatchObject({ status: 'approved', decided_by: 'fay' })
    await over()

    // A program asks on behalf of a user: neither of them decides.
    const other = await wait()
    expect((await decide(other.id, true, {}, ada)).status).toBe(403)
    expect(await list('?may_decide=true', ada)).toEqual([])
    expect((await decide(other.id, false, {}, fay)).status).toBe(200)
  })

  it('need no names: the others of those who decide by default do', async () => {
    const { wait, list, decide, tokenFor, tool, token } = await mailing({
      approvers: { exclude_requester: true },
    })
    expect(tool.approvers).toEqual({ groups: [], users: [], exclude_requester: true })
    const { id, over } = await wait() // asked by the owner's token, which has no user
    expect((await list('?may_decide=true', token)).length).toBe(0)
    expect((await decide(id, true, {}, token)).body.error).toContain(
      'editors, admins and owners, but not whoever asked',
    )
    const [ada, editor, colleague] = [
      await tokenFor('user', { user_id: 'ada' }),
      await tokenFor('editor'),
      await tokenFor('editor'),
    ]
    expect((await decide(id, true, {}, ada)).status).toBe(403)
    expect((await list('?may_decide=true', editor)).map((each) => each.id)).toEqual([id])
    expect((await decide(id, true, {}, editor)).status).toBe(200)
    await over()

    const { id: own } = await wait(asking, editor)
    expect((await list('?may_decide=true', editor)).length).toBe(0)
    expect((await decide(own, true, {}, editor)).status).toBe(403)
    expect((await list('?may_decide=true', colleague)).map((each) => each.id)).toEqual([own])
    expect((await decide(own, true, {}, colleague)).status).toBe(200)
  })

  it('do not keep the name of a person who was erased', async () => {
    const { wait, decide, say, provider, talk, get, post, tokenFor } = await mailing({ approvers: finance })
    const eve = await tokenFor('editor', { user_id: 'eve' })
    provider.next(asking)
    const { data } = (await say(await talk(), 'Pay', {}, { token: eve })).body
    const id = data.tool_calls[0].approval_id
    const stranger = await wait()
    const fay = await tokenFor('user', { user_id: 'fay', groups: ['finance'] })
    for (const each of [id, stranger.id]) await decide(each, false, {}, fay)
    const requestedBy = async (approval: string) => (await get(`/approvals/${approval}`)).body.data.requested_by
    expect(await requestedBy(id)).toBe('eve')
    const user = await until(async () => (await get('/users?user_id=eve')).body.data[0])
    await post(`/users/${user.id}/erase`)
    await until(async () => (await requestedBy(id)) !== 'eve')
    expect(await requestedBy(id)).toMatch(/^erased_/)
    expect(await requestedBy(stranger.id)).toMatch(/^tok_/)
  })

  it('are off by default, and are a field of the tool', async () => {
    const { put, tool } = await mailing({ approvers: { users: ['eve'], exclude_requester: false } })
    expect(tool.approvers).toEqual({ groups: [], users: ['eve'] })
    const change = async (approvers: unknown) => (await put(`/api-tools/${tool.id}`, { approvers })).body
    expect((await change({ exclude_requester: 'yes' })).details[0].path).toMatch(/^approvers/)
    expect((await change({ exclude_requester: false })).details[0].path).toBe('approvers')
    expect((await change({ users: ['eve'], exclude_requester: true })).data.approvers).toEqual({
      groups: [],
      users: ['eve'],
      exclude_requester: true,
    })
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
    const here = await stage({ deltas: ['Done'] }, { shared: true, features: [tool.feature] })
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
