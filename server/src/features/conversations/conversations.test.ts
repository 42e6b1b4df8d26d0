import { describe, expect, it } from 'vitest'
import { type Answer, type Json, until } from '../../../test/harness.ts'
import type { Script } from '../../../test/scripted-provider.ts'
import { stage } from '../../../test/stage.ts'
import { minute } from '../../kernel/time.ts'

describe('a conversation', () => {
  it('begins with an agent and keeps what is said', async () => {
    const { get, say, post, agent, provider, model, told } = await stage({
      deltas: ['Hel', 'lo', ' there'],
      usage: { input: 100, output: 50, cachedInput: 40 },
    } as Script)
    const created = await post('/conversations', { agent_id: agent, user_id: 'ada', metadata: { channel: 'web' } })
    expect(created.status).toBe(201)
    expect(created.body.data).toMatchObject({
      agent_id: agent,
      user_id: 'ada',
      status: 'active',
      title: null,
      metadata: { channel: 'web' },
      messages: [],
    })
    const { id } = created.body.data
    const reply = await say(id, 'Hi!')
    expect(reply.status).toBe(200)
    expect(reply.body.data).toMatchObject({
      role: 'assistant',
      content: 'Hello there',
      status: 'completed',
      model_id: model,
      agent_version: 1,
      finish_reason: 'stop',
      tool_calls: [],
      citations: [],
      feedback: null,
      error: null,
    })
    expect(provider.requests[0]?.body.messages).toEqual([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Hi!' },
    ])
    await say(id, 'Again?')
    expect(told(1)).toEqual(['Be kind.', 'Hi!', 'Hello there', 'Again?'])
    const { data } = (await get(`/conversations/${id}`)).body
    expect(data.title).toBe('Hi!')
    expect(data.messages.map((message: Json) => [message.role, message.content])).toEqual([
      ['user', 'Hi!'],
      ['assistant', 'Hello there'],
      ['user', 'Again?'],
      ['assistant', 'Hello there'],
    ])
    const page = (await get(`/conversations/${id}/messages?limit=3&page=2`)).body
    expect(page.data.map((message: Json) => message.role)).toEqual(['assistant'])
    expect(page.pagination).toEqual({ page: 2, limit: 3, total: 4, pages: 2 })
    expect((await get(`/conversations?agent_id=${agent}`)).body.pagination.total).toBe(1)
    expect((await get('/conversations?agent_id=agt_none')).body.pagination.total).toBe(0)
  })

  it('answers one message at a time', async () => {
    const { promise: othersRefused, resolve } = Promise.withResolvers<void>()
    const { say, talk, get } = await stage({ deltas: ['a', 'b'], hold: othersRefused })
    const id = await talk()
    let refused = 0
    const send = async (message: string) => {
      const answer = await say(id, message)
      if (answer.status === 409 && ++refused === 2) resolve()
      return answer
    }
    const answers = await Promise.all(['One', 'Two', 'Three'].map(send))
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409])
    expect(answers.find((answer) => answer.status === 409)?.body.code).toBe('conversation_busy')
    expect((await get(`/conversations/${id}`)).body.data.messages.length).toBe(2)
    expect((await say(id, 'Now')).status).toBe(200)
  })

  it('keeps a turn whole or not at all when it ends or goes while the model is asked', async () => {
    let meanwhile = (): Promise<unknown> => Promise.resolve()
    const { say, talk, post, remove, get, ctx } = await stage(() => ({ deltas: ['Late'], hold: meanwhile(), after: 0 }))
    const ended = await talk()
    let completion: Answer | undefined
    meanwhile = async () => {
      completion = await post(`/conversations/${ended}/complete`)
    }
    expect((await say(ended, 'Hi')).body.data).toMatchObject({ status: 'completed', content: 'Late' })
    expect([completion?.status, completion?.body.code]).toEqual([409, 'conversation_busy'])
    const { data } = (await get(`/conversations/${ended}`)).body
    expect([data.status, data.messages.length]).toEqual(['active', 2])
    const paid = () => ctx.db.selectFrom('usage_record').select('id').where('conversation_id', '=', ended).execute()
    await until(async () => (await paid()).length === 1)

    const gone = await talk()
    let removal: Promise<Answer> | undefined
    meanwhile = () => {
      removal = remove(`/conversations/${gone}`)
      return removal
    }
    expect([200, 404]).toContain((await say(gone, 'Hi')).status)
    expect((await removal)?.status).toBe(200) // it stops the reply first
    expect((await get(`/conversations/${gone}`)).status).toBe(404)
    const left = await ctx.db.selectFrom('message').select('id').where('conversation_id', '=', gone).execute()
    expect(left).toEqual([])
  })

  it('is over when it is completed, by hand or by silence', async () => {
    let time = Date.parse('2026-01-01T00:00:00Z')
    const { say, talk, post, get } = await stage(undefined, { now: () => time })
    const id = await talk()
    const done = await post(`/conversations/${id}/complete`)
    expect([done.status, done.body.data.status]).toEqual([200, 'completed'])
    expect((await post(`/conversations/${id}/complete`)).status).toBe(200)
    expect((await say(id, 'Hi')).body.code).toBe('conversation_completed')
    const idle = await talk()
    const lively = await talk()
    time += 59 * minute
    await say(lively, 'Still here')
    time += 2 * minute
    await until(async () => (await get(`/conversations/${idle}`)).body.data.status === 'completed')
    expect((await get(`/conversations/${lively}`)).body.data.status).toBe('active')
  })

  it('is completed by an update of its status, and not reopened', async () => {
    const { talk, say, get, put, post, agent, provider } = await stage()
    const id = await talk()
    await say(id, 'Hi')
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    provider.next({ deltas: ['slow', ' reply'], hold: released })
    const running = say(id, 'Again')
    await until(() => provider.requests.length === 2)
    const busy = await put(`/conversations/${id}`, { status: 'completed', title: 'Kept' })
    expect([busy.status, busy.body.code]).toEqual([409, 'conversation_busy'])
    release()
    await running
    const read = (await get(`/conversations/${id}`)).body.data
    expect(read).toMatchObject({ title: 'Hi', status: 'active' })
    const done = await put(`/conversations/${id}`, { ...read, status: 'completed', title: 'Done' })
    expect([done.status, done.body.data]).toEqual([
      200,
      expect.objectContaining({ status: 'completed', title: 'Done' }),
    ])
    const headers = { 'if-match': done.headers.get('etag') ?? '' }
    const renamed = await put(`/conversations/${id}`, { ...done.body.data, title: 'Later' }, { headers })
    expect(renamed.body.data?.title).toBe('Later')
    expect((await put(`/conversations/${id}`, { status: 'active' })).body.code).toBe('conversation_completed')
    expect((await say(id, 'Hi')).body.code).toBe('conversation_completed')
    const wrong = await post('/conversations', { agent_id: agent, status: 'completed' })
    expect([wrong.status, wrong.body.details[0].path]).toEqual([400, 'status'])
    const audited = (await get(`/audit?resource_id=${id}&action=update`)).body.pagination.total
    expect(audited).toBe(2)
  })

  it('is what it has become since its last turn, and only for those who may see it', async () => {
    const { say, talk, post, put, get, remove, tokenFor } = await stage()
    const bob = await tokenFor('user', { user_id: 'bob' })
    const id = await talk()
    await say(id, 'First')
    expect((await say(id, 'Mine?', {}, { token: bob })).status).toBe(404)
    await say(id, 'Second')
    await put(`/conversations/${id}`, { title: 'Renamed' })
    await say(id, 'Third')
    expect((await get(`/conversations/${id}`)).body.data).toMatchObject({ title: 'Renamed', status: 'active' })
    await post(`/conversations/${id}/complete`)
    expect((await say(id, 'Fourth')).body.code).toBe('conversation_completed')
    const other = await talk()
    await say(other, 'First')
    await remove(`/conversations/${other}`)
    expect((await say(other, 'Second')).status).toBe(404)
  })

  it('are found by the words of their title', async () => {
    const { post, get, agent } = await stage()
    for (const title of ['The price of tea', 'Tea in China', null])
      await post('/conversations', { agent_id: agent, title })
    const found = async (q: string) =>
      (await get(`/conversations?q=${encodeURIComponent(q)}`)).body.data.map(({ title }: Json) => title)
    expect(await found('TEA')).toEqual(['Tea in China', 'The price of tea'])
    expect(await found('tea price')).toEqual(['The price of tea'])
    expect(await found('coffee')).toEqual([])
  })

  it('can be renamed and deleted, with everything in it', async () => {
    const { say, talk, put, remove, get, ctx } = await stage()
    const id = await talk()
    await say(id, 'Hi')
    expect((await put(`/conversations/${id}`, { title: 'Renamed' })).body.data.title).toBe('Renamed')
    expect((await put(`/conversations/${id}`, { agent_id: 'agt_other' })).body.details[0].path).toBe('agent_id')
    expect((await remove(`/conversations/${id}`)).status).toBe(200)
    expect((await get(`/conversations/${id}`)).status).toBe(404)
    expect((await ctx.db.selectFrom('message').select('id').where('conversation_id', '=', id).execute()).length).toBe(0)
  })
})

describe('a reply', () => {
  it('can be had again in place of the last one', async () => {
    const { say, talk, post, get, provider, told } = await stage()
    const id = await talk()
    provider.next({ deltas: ['First'] }, { deltas: ['Second'] }, { deltas: ['Third'] })
    const first = (await say(id, 'Question')).body.data
    const second = await post(`/conversations/${id}/messages/${first.id}/regenerate`)
    expect(second.body.data.content).toBe('Second')
    expect(told(1)).toEqual(['Be kind.', 'Question'])
    const shown = (await get(`/conversations/${id}`)).body.data.messages.map((message: Json) => message.content)
    expect(shown).toEqual(['Question', 'Second'])
    expect((await post(`/conversations/${id}/messages/${first.id}/regenerate`)).status).toBe(400)
    await say(id, 'Next')
    expect(told(2)).toEqual(['Be kind.', 'Question', 'Second', 'Next'])
  })

  it('can be stopped, and the provider hears of it', async () => {
    const { say, talk, post, get, provider } = await stage({ deltas: ['Some ', 'words'], fault: 'stall' })
    const id = await talk()
    const running = say(id, 'Talk')
    const message = await until(async () => {
      const reply = (await get(`/conversations/${id}`)).body.data.messages[1]
      return reply?.content === 'Some ' && reply
    })
    const cancelled = await post(`/conversations/${id}/messages/${message.id}/cancel`)
    expect(cancelled.body.data.status).toBe('cancelled')
    await provider.requests[0]?.gone
    expect((await running).body.data).toMatchObject({ status: 'cancelled', content: cancelled.body.data.content })
    expect(cancelled.body.data.usage.output_tokens).toBeGreaterThan(0)
    expect((await post(`/conversations/${id}/messages/${message.id}/cancel`)).body.data.status).toBe('cancelled')
    provider.next({ deltas: ['Fine'] })
    expect((await say(id, 'Go on')).body.data.content).toBe('Fine')
  })

  it('takes feedback', async () => {
    const { say, talk, post, get } = await stage()
    const id = await talk()
    const { data } = (await say(id, 'Hi')).body
    const rated = await post(`/conversations/${id}/messages/${data.id}/feedback`, {
      rating: 'down',
      comment: 'Too short',
    })
    expect(rated.body.data.feedback).toMatchObject({ rating: 'down', comment: 'Too short' })
    await post(`/conversations/${id}/messages/${data.id}/feedback`, { rating: 'up' })
    const { messages } = (await get(`/conversations/${id}`)).body.data
    expect(messages[1].feedback).toMatchObject({ rating: 'up', comment: null })
    expect((await post(`/conversations/${id}/messages/${messages[0].id}/feedback`, { rating: 'up' })).status).toBe(400)
    expect((await post(`/conversations/${id}/messages/${data.id}/feedback`, { rating: 'meh' })).status).toBe(400)
  })
})
