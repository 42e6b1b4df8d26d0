import { describe, expect, it } from 'vitest'
import { asAfterCrash } from '../../../test/after-crash.ts'
import { answering, asking, call, cautious } from '../../../test/cautious-stage.ts'
import { type Answer, type Json, onPostgres, startOn, until } from '../../../test/harness.ts'
import { minute } from '../../kernel/time.ts'

describe('a call that needs approval', () => {
  it('pauses the reply, is made when it is approved, and is paid for in both parts', async () => {
    const { say, talk, provider, calls, decide, get, tools, ctx, heard } = await cautious()
    const id = await talk()
    provider.next(asking, answering)
    const paused = await say(id, 'Send it')
    expect(paused.status).toBe(200)
    const { data } = paused.body
    expect(data).toMatchObject({ status: 'awaiting_approval', content: 'Let me ask. ', finish_reason: null })
    expect(data.usage).toMatchObject({ input_tokens: 1000, output_tokens: 500, cost: 0.002 })
    expect(data.tool_calls).toEqual([
      {
        id: 'call_a',
        tool_id: tools[1],
        name: 'echo_1',
        arguments: { text: 'sent' },
        approval_id: expect.stringMatching(/^apr_/),
        status: 'awaiting_approval',
        result: null,
        latency_ms: null,
      },
    ])
    expect(calls).toEqual([])
    expect((await say(id, 'Hello?')).body.code).toBe('conversation_busy')

    const done = await decide(id, data.id, 'call_a', true)
    expect(done.status).toBe(200)
    expect(done.body.data).toMatchObject({ id: data.id, status: 'completed', content: 'Let me ask. It is done.' })
    expect(done.body.data.usage).toMatchObject({ input_tokens: 2000, output_tokens: 1000, cost: 0.004 })
    expect(done.body.data.tool_calls).toMatchObject([{ status: 'completed', approved: true, result: 'sent' }])
    expect(calls).toEqual([{ text: 'sent' }])
    expect(heard(1).slice(-2)).toMatchObject([
      { role: 'assistant', tool_calls: [{ id: 'call_a' }] },
      { role: 'tool', tool_call_id: 'call_a', content: 'sent' },
    ])
    const ledger = ctx.db.selectFrom('usage_record').select('cost_nano').where('message_id', '=', data.id)
    expect(await ledger.execute()).toEqual([{ cost_nano: 2_000_000 }, { cost_nano: 2_000_000 }])
    expect((await get(`/conversations/${id}/messages/${data.id}`)).body.data).toEqual(done.body.data)
    const { steps } = (await get(`/conversations/${id}/messages/${data.id}/trace`)).body.data
    const [model, wait, made] = steps.slice(2)
    expect(steps.map(({ type, status }: Json) => [type, status])).toEqual(
      ['agent', 'history', 'model', 'approval', 'tool', 'model'].map((type) => [type, 'completed']),
    )
    expect([model.usage.cost, wait.tool_call_ids, made.tool_call_id]).toEqual([0.002, ['call_a'], 'call_a'])
    expect(made.start_ms).toBeGreaterThanOrEqual(wait.start_ms + wait.duration_ms)
    expect((await say(id, 'Thanks')).body.data.content).toBe('Done')
    expect(heard(2).map(({ content }) => content)).toEqual([
      'Be kind.',
      'Send it',
      null,
      'sent',
      'Let me ask. It is done.',
      'Thanks',
    ])
    const waiting = ctx.db.selectFrom('waiting_run').select('id').where('conversation_id', '=', id)
    expect(await waiting.execute()).toEqual([])
  })

  it('is not made when it is refused; the model hears of it and goes on', async () => {
    const { say, talk, provider, calls, decide, heard } = await cautious()
    const id = await talk()
    provider.next(asking, { deltas: ['As you wish.'] })
    const { data } = (await say(id, 'Send it')).body
    const done = (await decide(id, data.id, 'call_a', false)).body.data
    expect(done).toMatchObject({ status: 'completed', content: 'Let me ask. As you wish.' })
    expect(done.tool_calls).toMatchObject([{ status: 'refused', approved: false }])
    expect(calls).toEqual([])
    const told = heard(1).at(-1)
    expect(told).toMatchObject({ role: 'tool', content: expect.stringContaining('refused') })
  })

  it('waits for every decision; calls that need none are made at once', async () => {
    const { say, talk, provider, calls, decide, heard } = await cautious()
    const id = await talk()
    const toolCalls = [call('call_a', 'one'), call('call_b', 'two', 'echo'), call('call_c', 'three')]
    provider.next({ toolCalls }, answering)
    const { data } = (await say(id, 'All of it')).body
    expect(data.tool_calls.map((each: Json) => [each.id, each.status])).toEqual([
      ['call_b', 'completed'],
      ['call_a', 'awaiting_approval'],
      ['call_c', 'awaiting_approval'],
    ])
    expect(calls).toEqual([{ text: 'two' }])
    const half = (await decide(id, data.id, 'call_c', true)).body.data
    expect([half.status, half.tool_calls[2].approved]).toEqual(['awaiting_approval', true])
    expect(calls.length).toBe(1)
    const done = (await decide(id, data.id, 'call_a', false)).body.data
    expect(done.status).toBe('completed')
    expect(calls).toEqual([{ text: 'two' }, { text: 'three' }])
    expect(
      heard(1)
        .slice(-3)
        .map((each) => each.tool_call_id),
    ).toEqual(['call_a', 'call_b', 'call_c'])
  })

  it('is made once, however often and wherever it is approved', async () => {
    const { say, talk, provider, calls, decide, post, environment, echo } = await cautious({ own: true })
    const nodes = [post, onPostgres ? (await startOn(environment, { features: [echo.feature] })).post : post]
    const id = await talk()
    const { promise: othersAnswered, resolve } = Promise.withResolvers<void>()
    provider.next(asking, { ...answering, hold: othersAnswered })
    const { data } = (await say(id, 'Send it')).body
    const path = `/conversations/${id}/messages/${data.id}/approvals`
    let answered = 0
    const click = async (_: unknown, n: number) => {
      const answer = await nodes[n % 2]?.(path, { tool_call_id: 'call_a', approved: true })
      if (++answered === 7) resolve()
      return answer
    }
    const clicks = (await Promise.all(Array.from({ length: 8 }, click))) as Answer[]
    expect(clicks.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(clicks.filter(({ body }) => body.data.status === 'completed').length).toBe(1)
    expect(calls.length).toBe(1)
    const again = await decide(id, data.id, 'call_a', true)
    expect([again.status, again.body.data.status]).toEqual([200, 'completed'])
    const contrary = await decide(id, data.id, 'call_a', false)
    expect([contrary.status, contrary.body.code]).toEqual([409, 'already_running'])
    expect([calls.length, provider.requests.length]).toEqual([1, 2])
  })

  it('can be made after parallel decisions about several calls', async () => {
    const { say, talk, provider, calls, decide } = await cautious()
    const id = await talk()
    const ids = ['call_a', 'call_b', 'call_c', 'call_d']
    provider.next({ toolCalls: ids.map((each) => call(each, each)) }, answering)
    const { data } = (await say(id, 'All of it')).body
    const answers = await Promise.all(ids.map((each) => decide(id, data.id, each, true)))
    expect(answers.filter(({ body }) => body.data.status === 'completed').length).toBe(1)
    expect(calls.length).toBe(4)
  })

  it('is never approved by a decision about an earlier call of the same name and number', async () => {
    const { say, talk, provider, calls, decide } = await cautious()
    const id = await talk()
    provider.next(asking, { toolCalls: [call('call_a', 'another')] }, answering)
    const { data } = (await say(id, 'Send it')).body
    const second = (await decide(id, data.id, 'call_a', true)).body.data
    expect(second.status).toBe('awaiting_approval')
    const lateClick = (await decide(id, data.id, 'call_a', true)).body.data
    expect([lateClick.status, calls.length]).toEqual(['awaiting_approval', 1])
    const waiting = second.tool_calls.find((each: Json) => each.status === 'awaiting_approval')
    expect(waiting.arguments).toEqual({ text: 'another' })
    expect((await decide(id, data.id, waiting.id, true)).body.data.status).toBe('completed')
    expect(calls).toEqual([{ text: 'sent' }, { text: 'another' }])
  })

  it('is decided about by the words of the contract only', async () => {
    const { say, talk, provider, decide, post, tokenFor } = await cautious()
    const id = await talk()
    provider.next({ toolCalls: [call('call_a', 'x'), call('call_b', 'y', 'echo')] })
    const { data } = (await say(id, 'Send it')).body
    expect((await decide(id, data.id, 'call_none', true)).body.code).toBe('unknown_reference')
    expect((await decide(id, data.id, 'call_b', true)).body.details[0].path).toBe('tool_call_id')
    expect((await decide(id, 'msg_none', 'call_a', true)).status).toBe(404)
    const path = `/conversations/${id}/messages/${data.id}/approvals`
    expect((await post(path, { tool_call_id: 'call_a' })).body.details[0].path).toBe('approved')
    const ada = await tokenFor('user', { user_id: 'ada' })
    const bob = await tokenFor('user', { user_id: 'bob' })
    const body = { tool_call_id: 'call_a', approved: true }
    expect((await post(path, body, { token: bob })).status).toBe(404)
    expect((await post(path, body, { token: ada })).status).toBe(403)
    const editor = await tokenFor('editor')
    expect((await post(path, body, { token: editor })).body.data.status).toBe('completed')
  })

  it('is made by nobody where nobody can approve it', async () => {
    const { provider, post, agent, calls, heard } = await cautious()
    provider.next(asking, answering)
    const answer = await post('/openai/v1/chat/completions', {
      model: agent,
      messages: [{ role: 'user', content: 'Go' }],
    })
    expect(answer.body.choices[0].message.content).toBe('Let me ask. It is done.')
    expect(calls).toEqual([])
    expect(heard(1).at(-1).content).toContain('nobody can give it here')
  })
})

describe('a reply that waits', () => {
  it('is cancelled, and the conversation goes on', async () => {
    const { say, talk, provider, calls, decide, post } = await cautious()
    const id = await talk()
    provider.next(asking, { deltas: ['Hello'] })
    const { data } = (await say(id, 'Send it')).body
    expect((await post(`/conversations/${id}/complete`)).body.code).toBe('conversation_busy')
    const cancelled = (await post(`/conversations/${id}/messages/${data.id}/cancel`)).body.data
    expect(cancelled).toMatchObject({ status: 'cancelled', tool_calls: [{ status: 'refused' }] })
    expect((await decide(id, data.id, 'call_a', true)).status).toBe(400)
    expect((await say(id, 'Hi')).body.data.content).toBe('Hello')
    expect(calls).toEqual([])
  })

  it('gives way to another one', async () => {
    const { say, talk, provider, calls, post, get } = await cautious()
    const id = await talk()
    provider.next(asking, { deltas: ['Another'] })
    const { data } = (await say(id, 'Send it')).body
    const other = (await post(`/conversations/${id}/messages/${data.id}/regenerate`)).body.data
    expect([other.content, other.status]).toEqual(['Another', 'completed'])
    const { messages } = (await get(`/conversations/${id}`)).body.data
    expect(messages.map((each: Json) => each.content)).toEqual(['Send it', 'Another'])
    expect(calls).toEqual([])
  })

  it('is not completed by silence, and goes with its conversation', async () => {
    let time = Date.parse('2026-01-01T00:00:00Z')
    const { say, talk, provider, get, remove, ctx } = await cautious({ now: () => time })
    const [waiting, idle] = [await talk(), await talk()]
    provider.next(asking)
    await say(waiting, 'Send it')
    time += 90 * minute
    await until(async () => (await get(`/conversations/${idle}`)).body.data.status === 'completed')
    expect((await get(`/conversations/${waiting}`)).body.data.status).toBe('active')
    expect((await remove(`/conversations/${waiting}`)).status).toBe(200)
    expect(await ctx.db.selectFrom('waiting_run').select('id').execute()).toEqual([])
  })

  it('goes on after a crash, and on any node', async () => {
    const here = await cautious({ own: true })
    const { say, talk, provider, calls, environment, echo } = here
    const id = await talk()
    provider.next(asking, answering)
    const { data } = (await say(id, 'Send it')).body
    const other = await startOn(onPostgres ? environment : await asAfterCrash(here), { features: [echo.feature] })
    const path = `/conversations/${id}/messages/${data.id}`
    expect((await other.get(path)).body.data).toEqual(data)
    const done = await other.post(`${path}/approvals`, { tool_call_id: 'call_a', approved: true })
    expect(done.body.data).toMatchObject({ status: 'completed', content: 'Let me ask. It is done.' })
    expect(calls).toEqual([{ text: 'sent' }])
  })
})
