import { describe, expect, it } from 'vitest'
import { agentsStage, mail } from '../../../test/agents-stage.ts'
import type { Json } from '../../../test/harness.ts'
import { startService, until } from '../../../test/harness.ts'
import { prompt, remembering, talkAs, withMemory } from '../../../test/remembering.ts'
import type { Director } from '../../../test/scripted-provider.ts'
import { stage } from '../../../test/stage.ts'
import { minute } from '../../kernel/time.ts'
import { readingQueue } from '../conversations/memory/queue.ts'

describe('memories', () => {
  it('are never written from documents, tools or the agent itself, nor for others', async () => {
    const all = await stage(undefined, {}, withMemory('tool'))
    const { get, say, provider } = all
    const call = (content: string, replaces?: string) => ({
      toolCalls: [{ name: 'remember', arguments: JSON.stringify({ content, replaces }) }],
    })
    const foreign = (await all.post('/memories', { content: 'Secret', user_id: 'bob' })).body.data
    const id = await talkAs(all, 'ada')
    provider.next(call('The access code of the vault is 4711'), { deltas: ['No.'] })
    const reply = (await say(id, 'What does the file say?')).body.data
    expect(reply.memories.written).toEqual([])
    expect(reply.tool_calls).toMatchObject([{ name: 'remember', status: 'failed' }])
    provider.next(call('Likes tea', foreign.id), { deltas: ['Yes.'] })
    await say(id, 'I like tea. Good night')
    provider.next(call('Likes coffee from the gardens of Bern'), { deltas: ['Yes.'] })
    const reworded = (await say(id, 'I also like coffee from gardens. And cake')).body.data.memories.written
    expect(reworded).toMatchObject([{ content: 'I also like coffee from gardens.' }])
    await all.remove(`/memories/${reworded[0].id}`)
    expect((await get(`/memories/${foreign.id}`)).body.data.content).toBe('Secret')
    expect((await get('/memories?user_id=ada')).body.data).toMatchObject([{ content: 'Likes tea' }])
    const tools = (provider.requests[0]?.body.tools ?? []) as Json[]
    expect(tools.map((tool) => tool.function.name)).toEqual(['remember'])
    await say(await talkAs(all, 'ada', { memory: false }), 'Hello')
    expect(provider.requests.at(-1)?.body.tools).toBeUndefined()
  })

  it('are not written for an administrator who writes in the conversation of a person', async () => {
    const all = await stage(remembering, {}, withMemory('tool'))
    const id = await talkAs(all, 'ada')
    const { token } = (await all.post('/tokens', { name: 'Eve', role: 'admin' })).body.data
    const signedIn = await all.post('/auth/session', { token }, { token: null })
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    const session = { token: null, headers: { cookie, 'x-requested-with': 'parley' } }
    const sent = await all.say(id, 'I like tea. Remember: Likes tea', {}, session)
    expect(sent.status).toBe(200)
    expect((await all.get('/memories?user_id=ada')).body.data).toEqual([])
    const [question] = (await all.get(`/conversations/${id}/messages`)).body.data
    expect(question.author).toEqual({ user_id: null, name: 'Eve' })
  })

  it('are not recalled for somebody else who writes in the conversation, unless they may read them', async () => {
    const all = await stage({ deltas: ['Hi'] }, {}, withMemory('off'))
    const { post, tokenFor } = all
    await post('/memories', { content: 'Lives in Bern', user_id: 'ada' })
    const id = await talkAs(all, 'ada')
    const recalled = async (caller: Parameters<typeof post>[2]) => {
      const message = 'Where does Ada live?'
      expect((await post(`/conversations/${id}/messages`, { message }, caller)).body.data.status).toBe('completed')
      return prompt(all).includes('Bern')
    }
    const editor = await tokenFor('editor')
    const signedIn = await post('/auth/session', { token: editor }, { token: null })
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect(await recalled({ token: await tokenFor('editor', { user_id: 'eve' }) })).toBe(false)
    expect(await recalled({ token: null, headers: { cookie, 'x-requested-with': 'parley' } })).toBe(false)
    expect(await recalled({ token: await tokenFor('admin', { user_id: 'root' }) })).toBe(true)
    expect(await recalled({ token: await tokenFor('user', { user_id: 'ada' }) })).toBe(true)
    expect(await recalled({ token: editor })).toBe(true) // a program, which asks for the person
  })

  it('that change or go while a reply waits are not sent to the model when it goes on', async () => {
    const { agent, mailer, script, converse, send, post, put, remove, get, listRequests } = await agentsStage()
    const id = await agent('Helper', { tools: [await mailer()], memory: { scope: 'user', write: 'off' } })
    const remember = async (content: string) => (await post('/memories', { content, user_id: 'ada' })).body.data.id
    const sent = () => JSON.stringify(listRequests('Helper').at(-1).messages)
    const resume = async () => {
      const [approval] = (await get('/approvals?status=pending')).body.data
      const asked = listRequests('Helper').length
      await post(`/approvals/${approval.id}`, { approved: true })
      await until(() => listRequests('Helper').length > asked)
      return sent()
    }
    const [gone, changed] = [await remember('Lives in Bern'), await remember('Likes figs')]
    script('Helper', mail, { deltas: ['Sent'] })
    await send(await converse(id))
    expect(sent()).toMatch(/Bern.*figs|figs.*Bern/)
    await remove(`/memories/${gone}`)
    await put(`/memories/${changed}`, { content: 'Likes dates' })
    const prompt = await resume()
    expect([prompt.includes('dates'), prompt.includes('Bern'), prompt.includes('figs')]).toEqual([true, false, false])
    script('Helper', mail, { deltas: ['Sent'] })
    const conversation = await converse(id)
    await send(conversation)
    const items = `/openai/v1/conversations/${conversation}/items`
    const [question] = (await get(items)).body.data
    expect((await remove(`${items}/${question.id}`)).status).toBe(409) // it would be sent, too
    await remove(`/memories/${changed}`)
    expect(await resume()).not.toContain('What you remember')
  })

  it('of scope agent stay with the agent and the person', async () => {
    const all = await stage({ deltas: ['Hi'] }, {}, withMemory('off', 'agent'))
    const { post, say, agent } = all
    await post('/memories', { content: 'Shared lesson', agent_id: agent })
    await post('/memories', { content: 'Private lesson', agent_id: agent, user_id: 'ada' })
    await post('/memories', { content: 'General lesson', user_id: 'ada' })
    const recalled = async (user: string | null) =>
      (await say(await talkAs(all, user), 'Which lesson?')).body.data.memories.recalled.map(
        ({ content }: Json) => content,
      )
    expect((await recalled('ada')).sort()).toEqual(['Private lesson', 'Shared lesson'])
    expect(await recalled('bob')).toEqual(['Shared lesson'])
    expect(await recalled(null)).toEqual(['Shared lesson'])
    // A statement without a person would reach everybody, so it is neither written nor recalled.
    await all.put(`/agents/${agent}`, { memory: { scope: 'agent', write: 'tool' } })
    await say(await talkAs(all, null), 'I like tea')
    expect(all.provider.requests.at(-1)?.body.tools).toBeUndefined()
    await say(await talkAs(all, 'ada'), 'I like tea')
    expect(all.provider.requests.at(-1)?.body.tools).toHaveLength(1)
  })

  it('are not read any more after three attempts that failed, whenever they were made', async () => {
    let time = Date.parse('2026-03-01T10:00:00Z')
    const refused = { status: 401, body: { error: { message: 'No.' } } }
    const director: Director = ({ body }) =>
      JSON.stringify(body.messages).includes('Known facts') ? refused : { deltas: ['Hi'] }
    const { post, say, talk, ctx } = await stage(director, { now: () => time }, withMemory('auto'))
    const id = await talk()
    await say(id, 'I moved to Oslo.')
    await post(`/conversations/${id}/complete`)
    const jobs = () =>
      ctx.db.selectFrom('job').select(['status', 'attempt']).where('queue', '=', readingQueue).execute()
    for (const attempt of [1, 2]) {
      await until(async () => (await jobs()).some((job) => job.status === 'queued' && job.attempt === attempt))
      time += 40 * minute
      await ctx.db.updateTable('job').set({ run_at: time }).where('queue', '=', readingQueue).execute()
    }
    await until(async () => (await jobs()).every(({ status }) => status === 'failed'))
    expect(await jobs()).toEqual([{ status: 'failed', attempt: 3 }])
  })

  it('can be turned off for the workspace by an administrator', async () => {
    const all = await stage({ deltas: ['Hi'] }, {}, withMemory('tool'))
    const { get, post, put, say, talk, provider } = all
    const { token } = (await post('/tokens', { name: 'E', role: 'editor' })).body.data
    await post('/memories', { content: 'Lives in Bern', user_id: 'ada' })
    expect((await get('/memory-settings', { token })).body.data).toEqual({ enabled: true })
    expect((await put('/memory-settings', { enabled: false }, { token })).status).toBe(403)
    expect((await put('/memory-settings', { enabled: false })).body.data).toEqual({ enabled: false })
    const reply = (await say(await talk(), 'Where do I live?')).body.data
    expect(reply.memories).toEqual({ recalled: [], written: [] })
    expect(provider.requests.at(-1)?.body.tools).toBeUndefined()
    expect((await get('/memories')).body.data).toHaveLength(1)
    await put('/memory-settings', { enabled: true })
    expect((await say(await talk(), 'Where do I live?')).body.data.memories.recalled).toHaveLength(1)
  })

  it('work with the built-in model', async () => {
    const { get, post } = await startService()
    const create = async (write: string) =>
      (await post('/agents', { name: 'Local', memory: { scope: 'user', write } })).body.data.id
    const tell = async (agent_id: string, message: string) => {
      const { id } = (await post('/conversations', { agent_id, user_id: 'ada' })).body.data
      return { id, reply: (await post(`/conversations/${id}/messages`, { message })).body.data }
    }
    const agent = await create('tool')
    const told = await tell(agent, 'Hello! My favourite colour is green.')
    expect(told.reply.content).toBe('I will remember that.')
    expect(told.reply.memories.written).toMatchObject([{ content: 'My favourite colour is green.' }])
    const asked = await tell(agent, 'What is my favourite colour?')
    expect(asked.reply.content).toBe('You told me: My favourite colour is green.')
    const noted = await tell(agent, 'Please remember that my sister lives in Oslo.')
    expect(noted.reply.memories.written).toMatchObject([{ content: 'My sister lives in Oslo.' }])
    expect((await tell(agent, 'Do you remember where my sister lives?')).reply.content).toBe(
      'You told me: My sister lives in Oslo.',
    )
    expect((await tell(agent, 'I have a question.')).reply.memories?.written ?? []).toEqual([])
    const { id } = await tell(await create('auto'), 'I work as a baker in Bern.')
    await post(`/conversations/${id}/complete`)
    await until(async () => (await get('/memories?user_id=ada&q=baker')).body.data.length === 1)
  })
})
