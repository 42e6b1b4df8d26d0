import fc from 'fast-check'
import type { Updateable } from 'kysely'
import { expect, it } from 'vitest'
import { about } from '../../../test/about.ts'
import { type Json, startService } from '../../../test/harness.ts'
import { statement } from '../../kernel/store/statement.ts'
import { day, hour, timestamp } from '../../kernel/time.ts'
import { insertMessage, type MessageCells } from '../conversations/message-row.ts'
import { blankMessage, type MessageRow } from '../runs/reply.ts'

const first = Date.parse('2026-02-20T00:00:00Z')
const oneOf = <T>(...values: T[]) => fc.constantFrom(...values)
const ratings = ['up', 'down', null] as const
const duration = fc.option(fc.integer({ min: 0, max: 5000 }), { nil: null })

const turn = fc.record({
  conversation: fc.integer({ min: 0, max: 11 }),
  hours: fc.integer({ min: 0, max: 24 * 20 }),
  status: oneOf('completed', 'completed', 'failed', 'interrupted', 'cancelled', 'running', 'awaiting_approval'),
  topic: oneOf(null, '', 'money', 'parcels'),
  latency: duration,
  firstToken: duration,
  input: fc.integer({ min: 0, max: 90_000 }),
  tools: fc.array(fc.record({ tool: oneOf('rag_a', 'api_b', null), failed: fc.boolean(), latency: duration }), {
    maxLength: 2,
  }),
})
const step = fc.oneof(
  { weight: 4, arbitrary: turn.map((it) => ({ does: 'turn' as const, it })) },
  { weight: 2, arbitrary: fc.nat().map((it) => ({ does: 'rate' as const, it })) },
  { weight: 2, arbitrary: fc.nat().map((it) => ({ does: 'finish' as const, it })) },
  { weight: 1, arbitrary: fc.nat().map((it) => ({ does: 'replace' as const, it })) },
  { weight: 1, arbitrary: fc.nat().map((it) => ({ does: 'topic' as const, it })) },
  { weight: 1, arbitrary: fc.nat({ max: 11 }).map((it) => ({ does: 'complete' as const, it })) },
  { weight: 1, arbitrary: fc.nat({ max: 11 }).map((it) => ({ does: 'remove' as const, it })) },
)
const question = fc.record({
  from: fc.integer({ min: -2, max: 12 }),
  days: fc.integer({ min: 0, max: 20 }),
  agent_id: oneOf(undefined, undefined, 'agt_0', 'agt_1', 'agt_none'),
  user_id: oneOf(undefined, undefined, 'user-0', 'user-2'),
  interval: oneOf('hour', 'day', 'week'),
  include_evaluations: fc.boolean(),
})

it('statistics equal a direct computation over the messages after any changes', async () => {
  const { ctx, get } = await startService({ own: true })
  const workspace_id = (await get('/workspaces')).body.data[0].id as string
  const whose = (n: number) => ({
    agent_id: `agt_${n % 3}`,
    user_id: n % 4 === 3 ? null : `user-${n % 4}`,
    evaluation_id: n % 6 === 5 ? 'evl_a' : null,
  })
  const there = new Set<number>()
  const conversation = async (n: number) => {
    if (there.has(n)) return
    there.add(n)
    const created_at = timestamp(first + n * day)
    // Active just now, so that no job completes it during the test.
    const more = { title: null, running_message_id: null, last_message_id: null, active_at: ctx.now(), revision: 1 }
    const row = { id: `cnv_${n}`, workspace_id, ...whose(n), status: 'active' as const, metadata: '{}', ...more }
    const insert = ctx.db.insertInto('conversation').values({ ...row, created_at, updated_at: created_at })
    await ctx.commits.commit([statement(insert)])
  }
  const take = async ({ conversation: n, hours, status, topic, latency, firstToken, input, tools }: Turn) => {
    await conversation(n)
    const [conversation_id, parent_id] = [`cnv_${n}`, `cnv_${n}`]
    const common = { workspace_id, conversation_id, parent_id, alive_at: ctx.now() + hour, ...whose(n) }
    const asked = { ...common, timestamp: timestamp(first + hours * hour) }
    const reply: MessageRow = {
      ...blankMessage({ ...asked, id: ctx.newId('msg'), role: 'assistant' }),
      status: status as 'completed',
      latency_ms: latency,
      time_to_first_token_ms: firstToken,
      usage: { input_tokens: input, output_tokens: 7, total_tokens: input + 7, cost: input / 1e6 },
    }
    const id = ctx.newId('msg')
    await ctx.commits.commit([
      insertMessage(ctx, blankMessage({ ...asked, id, role: 'user' })),
      insertMessage(ctx, reply),
      statement(ctx.db.updateTable('message').set({ topic }).where('id', '=', id)),
      ...tools.map(({ tool, failed, latency }, position) => {
        const { alive_at, conversation_id, parent_id, ...shared } = asked
        const called = { message_id: reply.id, position, tool_id: tool, name: tool ?? 'gone', failed }
        const row = { ...shared, ...called, latency_ms: latency }
        return statement(ctx.db.insertInto('message_tool_call').values(row))
      }),
    ])
  }
  type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never
  const messages = () => ctx.db.selectFrom('message').selectAll().orderBy('id').execute()
  const some = async (n: number, role: string) => {
    const rows = (await messages()).filter((row) => row.role === role)
    return rows[n % rows.length] ?? { id: 'msg_none', workspace_id, timestamp: timestamp(first) }
  }
  const complete = (n: number) =>
    ctx.db.updateTable('conversation').set({ status: 'completed' }).where('id', '=', `cnv_${n}`).execute()
  type Known = Awaited<ReturnType<typeof some>>
  const change = ({ id }: Known, cells: Updateable<MessageCells>) => {
    const ofWorkspace = ctx.db.updateTable('message').where('workspace_id', '=', workspace_id)
    return ctx.commits.commit([statement(ofWorkspace.set(cells).where('id', '=', id))])
  }
  const finish = (row: Known, latency_ms: number) => change(row, { status: 'completed', latency_ms })

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), question, async (steps, asked) => {
      for (const { does, it } of steps) {
        if (does === 'turn') await take(it)
        else if (does === 'rate') await change(await some(it, 'assistant'), { rating: ratings[it % 3] })
        else if (does === 'finish') await finish(await some(it, 'assistant'), it % 999)
        else if (does === 'replace')
          await change(await some(it, it % 3 ? 'assistant' : 'user'), { superseded: it % 2 === 0 })
        else if (does === 'topic') await change(await some(it, 'user'), { topic: ['money', 'other'][it % 2] })
        else if (does === 'complete') await complete(it)
        else if (there.delete(it)) await ctx.db.deleteFrom('conversation').where('id', '=', `cnv_${it}`).execute()
      }
      const { from, days, agent_id, user_id, interval, include_evaluations } = asked
      const [start, end] = [from, from + days].map((n) => timestamp(first + n * day).slice(0, 10)) as [string, string]
      const query = new URLSearchParams({
        start_date: start,
        end_date: end,
        interval,
        include_evaluations: String(include_evaluations),
        ...(agent_id && { agent_id }),
        ...(user_id && { user_id }),
      })
      const isSelected = (row: Json) =>
        row.timestamp.slice(0, 10) >= start &&
        row.timestamp.slice(0, 10) <= end &&
        (!agent_id || row.agent_id === agent_id) &&
        (!user_id || row.user_id === user_id) &&
        (include_evaluations || row.evaluation_id === null)
      const tools = (await ctx.db.selectFrom('message_tool_call').selectAll().execute()).filter(isSelected)
      const started = (await ctx.db.selectFrom('conversation').selectAll().execute()).filter((row) =>
        isSelected({ ...row, timestamp: row.created_at }),
      )
      const { data } = (await get(`/analytics/conversations?${query}`)).body
      const expected = expectedFrom((await messages()).filter(isSelected), tools)
      expect(data).toMatchObject(expected)
      expect(data.by_agent.reduce((sum: number, row: Json) => sum + row.messages, 0)).toBe(expected.messages.total)
      expect(data.conversations).toEqual({
        total: started.length,
        active: started.filter(({ status }) => status === 'active').length,
        completed: started.filter(({ status }) => status === 'completed').length,
      })
      for (const list of [data.by_agent, data.timeline])
        expect(list.reduce((sum: number, row: Json) => sum + row.conversations, 0)).toBe(started.length)
      for (const field of ['messages', 'errors'] as const)
        expect(data.timeline.reduce((sum: number, row: Json) => sum + row[field], 0)).toBe(expected[field].total)
    }),
    { numRuns: 60, endOnFailure: true },
  )
}, 300_000)

/** Computed from the rows in the simplest way. */
function expectedFrom(rows: Json[], tools: Json[]) {
  const ended = rows.filter((row) => row.status !== 'running')
  const count = (wanted: (row: Json) => unknown) => ended.filter(wanted).length
  const sum = (field: string) => ended.reduce((total, row) => total + Number(row[field] ?? 0), 0)
  const shown = rows.filter((row) => !row.superseded && row.status !== 'running')
  const questions = shown.filter((row) => row.role === 'user')
  const distinct = (of: Json[], field: string) => new Set(of.map((row) => row[field]).filter((id) => id !== null)).size
  const ranks = (field: string) => {
    const done = rows.filter((row) => row.role === 'assistant' && row.status === 'completed' && row[field] !== null)
    const values = done.map((row) => Number(row[field])).sort((a, b) => a - b)
    const at = (percent: number) => about(values[Math.ceil((percent / 100) * values.length) - 1])
    return { p50: at(50), p95: at(95), p99: at(99) }
  }
  const errors = count((row) => row.role === 'assistant' && ['failed', 'interrupted'].includes(row.status))
  const spokenIn = distinct(questions, 'conversation_id')
  const topics = [...new Set(questions.map((row) => row.topic).filter((topic) => topic))].map((topic) => {
    const about = questions.filter((row) => row.topic === topic)
    return { topic, conversations: distinct(about, 'conversation_id'), messages: about.length }
  })
  return {
    messages: {
      total: shown.length,
      user: questions.length,
      assistant: shown.length - shown.filter((row) => row.role === 'user').length,
      average_per_conversation: spokenIn === 0 ? 0 : Math.round((shown.length / spokenIn) * 100) / 100,
    },
    users: { unique: distinct(questions, 'user_id') },
    latency_ms: ranks('latency_ms'),
    time_to_first_token_ms: ranks('time_to_first_token_ms'),
    tokens: { input: sum('input_tokens'), output: sum('output_tokens') },
    cost: sum('cost_nano') / 1e9,
    feedback: { up: count((row) => row.rating === 'up'), down: count((row) => row.rating === 'down') },
    errors: { total: errors },
    by_topic: topics.sort((a, b) => b.messages - a.messages || (a.topic < b.topic ? -1 : 1)),
    tools: [...new Set(tools.map((row) => row.tool_id))]
      .map((tool_id) => {
        const calls = tools.filter((row) => row.tool_id === tool_id)
        const timed = calls.filter((row) => row.latency_ms !== null)
        const whole = timed.reduce((total, row) => total + Number(row.latency_ms), 0)
        const average_latency_ms = timed.length === 0 ? null : Math.round((whole / timed.length) * 100) / 100
        const failures = calls.filter((row) => row.failed).length
        return { tool_id, name: tool_id ?? 'gone', calls: calls.length, failures, average_latency_ms }
      })
      .sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1)),
  }
}
