import { describe, expect, it } from 'vitest'
import type { Json } from '../../../test/harness.ts'
import type { Script } from '../../../test/scripted-provider.ts'
import { stage } from '../../../test/stage.ts'

describe('a conversation', () => {
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
  it('names the version of the agent that gave it', async () => {
    const { say, talk, put, agent } = await stage()
    const id = await talk()
    expect((await say(id, 'Hi')).body.data.agent_version).toBe(1)
    await put(`/agents/${agent}`, { system_prompt: 'Be brief.' })
    expect((await say(id, 'Hi')).body.data.agent_version).toBe(2)
  })
})
