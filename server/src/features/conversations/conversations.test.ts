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

  it('fills the prompt template of its agent with variables of its own', async () => {
    const { get, put, post, say, agent, told, tokenFor } = await stage()
    const template = 'Speak {{language}} with {{name}}, {{ mood }}.'
    const prompt_template_id = (await post('/prompt-templates', { name: 'T', template })).body.data.id
    const prompt_variables = { language: 'English', name: 'the customer', mood: 'calmly' }
    await put(`/agents/${agent}`, { system_prompt: null, prompt_template_id, prompt_variables })
    const variables = { name: 'Ada {{mood}}', language: 'German', unused: 'x' }
    const created = await post('/conversations', { agent_id: agent, variables })
    expect([created.status, created.body.data.variables]).toEqual([201, variables])
    const { id } = created.body.data
    const reply = await say(id, 'Hi')
    await put(`/conversations/${id}`, { variables: { name: '', toString: 'x' } })
    await post(`/conversations/${id}/messages/${reply.body.data.id}/regenerate`)
    const other = (await post('/conversations', { agent_id: agent })).body.data
    await say(other.id, 'Hi')
    expect([other.variables, told(0)[0], told(1)[0], told(2)[0]]).toEqual([
      {},
      'Speak German with Ada {{mood}}, calmly.',
      'Speak English with , calmly.',
      'Speak English with the customer, calmly.',
    ])
    expect((await get(`/conversations/${id}`)).body.data.variables).toEqual({ name: '', toString: 'x' })
    for (const wrong of [{ variables: { name: 7 } }, { variables: { name: null } }, { variables: ['Ada'] }]) {
      const { status, body } = await put(`/conversations/${id}`, wrong)
      expect([status, body.details[0].path]).toEqual([400, expect.stringMatching(/^variables(\.name)?$/)])
    }
    expect((await put(`/conversations/${id}`, { variables: null })).body.data.variables).toEqual({})

    const token = await tokenFor('user', { user_id: 'ada' })
    const refused = await post('/conversations', { agent_id: agent, variables: { name: 'Eve' } }, { token })
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
    const own = (await post('/conversations', { agent_id: agent, user_id: 'ada', variables: { name: 'Ada' } })).body
    const seen = await get(`/conversations/${own.data.id}`, { token })
    expect([seen.status, 'variables' in seen.body.data]).toEqual([200, false])
    expect((await put(`/conversations/${own.data.id}`, { ...seen.body.data, title: 'T' }, { token })).status).toBe(200)
    expect((await put(`/conversations/${own.data.id}`, { variables: {} }, { token })).status).toBe(403)
    expect(JSON.stringify((await get('/conversations', { token })).body)).not.toContain('variables')
    await say(own.data.id, 'Hi', {}, { token })
    expect(told(3)[0]).toBe('Speak English with Ada, calmly.')
  })

  it('is told what is wrong with a message before anything happens', async () => {
    const { post, say, talk, agent, put, provider } = await stage()
    const id = await talk()
    expect((await say(id, '')).body.details[0].path).toBe('message')
    expect((await post(`/conversations/${id}/messages`, {})).body.details[0].path).toBe('message')
    expect((await post(`/conversations/${id}/messages`, { message: 'x', stream: 'yes' })).body.details[0].path).toBe(
      'stream',
    )
    expect((await say('cnv_none', 'Hi')).status).toBe(404)
    expect((await post('/conversations', { agent_id: 'agt_none' })).body.code).toBe('unknown_reference')
    await put(`/agents/${agent}`, { status: 'archived' })
    expect((await post('/conversations', { agent_id: agent })).body.details[0].path).toBe('agent_id')
    expect(provider.requests.length).toBe(0)
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

  it('belongs to its user: others of role user do not see it', async () => {
    const { post, get, say, tokenFor, agent, remove } = await stage()
    const ada = await tokenFor('user', { user_id: 'ada' })
    const bob = await tokenFor('user', { user_id: 'bob' })
    const { id, user_id } = (await post('/conversations', { agent_id: agent, user_id: 'bob' }, { token: ada })).body
      .data
    expect(user_id).toBe('ada')
    const reply = await post(`/conversations/${id}/messages`, { message: 'Hi' }, { token: ada })
    expect(reply.status).toBe(200)
    const message = reply.body.data.id
    for (const path of [
      `/conversations/${id}`,
      `/conversations/${id}/messages`,
      `/conversations/${id}/messages/${message}`,
      `/conversations/${id}/messages/${message}/stream`,
    ]) {
      expect([path, (await get(path, { token: bob })).status]).toEqual([path, 404])
      expect([path, (await get(path, { token: ada })).status]).toEqual([path, 200])
    }
    for (const action of ['complete', `messages/${message}/cancel`, `messages/${message}/regenerate`]) {
      expect((await post(`/conversations/${id}/${action}`, undefined, { token: bob })).status).toBe(404)
    }
    expect((await remove(`/conversations/${id}`, { token: bob })).status).toBe(404)
    expect((await get('/conversations', { token: bob })).body.pagination.total).toBe(0)
    expect((await get('/conversations', { token: ada })).body.pagination.total).toBe(1)
    expect((await say(id, 'An editor sees all')).status).toBe(200)
  })
})

describe('a message', () => {
  it('shows who wrote it if that was not the user of the conversation, and such a person is audited', async () => {
    const { get, say, post, agent, tokenFor } = await stage({ deltas: ['Hello'] } as Script)
    const ada = await tokenFor('user', { user_id: 'ada' })
    const eve = await tokenFor('editor', { user_id: 'eve', name: 'Eve' })
    const { id } = (await post('/conversations', { agent_id: agent }, { token: ada })).body.data
    const authors = async () => {
      const { data } = (await get(`/conversations/${id}/messages`, { token: ada })).body
      return data.map(({ role, content, author }: Json) => [role, content, author])
    }
    await say(id, 'Mine', {}, { token: ada })
    await say(id, 'Hers', {}, { token: eve })
    await say(id, 'Passed on')
    expect(await authors()).toEqual([
      ['user', 'Mine', undefined],
      ['assistant', 'Hello', undefined],
      ['user', 'Hers', { user_id: 'eve', name: 'Eve' }],
      ['assistant', 'Hello', undefined],
      ['user', 'Passed on', { user_id: null, name: expect.any(String) }],
      ['assistant', 'Hello', undefined],
    ])
    const [, , hers] = (await get(`/conversations/${id}`)).body.data.messages
    const { data: entries } = (await get(`/audit?kind=conversation&resource_id=${id}`)).body
    expect(entries.filter(({ action }: Json) => action === 'join')).toMatchObject([
      { user_id: 'eve', part_id: hers.id, resource_id: id },
    ])
    const anybody = (await post('/conversations', { agent_id: agent })).body.data.id
    await say(anybody, 'Hi')
    expect((await get(`/conversations/${anybody}`)).body.data.messages[0]).not.toHaveProperty('author')
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

  it('names the version of the agent that gave it', async () => {
    const { say, talk, put, agent } = await stage()
    const id = await talk()
    expect((await say(id, 'Hi')).body.data.agent_version).toBe(1)
    await put(`/agents/${agent}`, { system_prompt: 'Be brief.' })
    expect((await say(id, 'Hi')).body.data.agent_version).toBe(2)
  })
})
