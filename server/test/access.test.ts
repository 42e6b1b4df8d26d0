import { expect, it } from 'vitest'
import { addMissingBasis } from '../src/features/evaluations/rests-on.ts'
import { inTransaction } from '../src/kernel/store/database.ts'
import { company, names, texts } from './company.ts'
import { evaluating } from './evaluating.ts'
import { type Json, startService, until } from './harness.ts'

it('viewers see the documents that their groups and they themselves may see', async () => {
  const service = await startService()
  const { source, path, findId, createToken } = await company(service)
  const { get } = service
  const cases: [string, string[], string[]][] = [
    ['ben', [], ['open.md']],
    ['ben', ['hr', 'other'], ['hr/pay.md', 'open.md']],
    ['anna', ['other'], ['anna.md', 'open.md']],
  ]
  for (const [user, groups, expected] of cases) {
    const { token } = await createToken('viewer', user, groups)
    const list = await get(path, { token })
    expect(names(list)).toEqual(expected)
    expect(list.body.pagination.total).toBe(expected.length)
    const whole = JSON.stringify((await get(`/knowledge-sources/${source}`, { token })).body)
    for (const { title, content } of texts) {
      const isSeen = expected.includes(title)
      for (const part of ['', '/content', '/chunks', ...(isSeen ? [] : ['/file'])]) {
        const one = await get(`${path}/${findId(title)}${part}`, { token })
        expect([title, part, one.status]).toEqual([title, part, isSeen ? 200 : 404])
      }
      expect([title, whole.includes(content)]).toEqual([title, isSeen])
      const found = (await get(`/search?q=${encodeURIComponent(title)}`, { token })).body.data
      expect([title, found.some(({ type }: Json) => type === 'document')]).toEqual([title, isSeen])
    }
    expect(whole).not.toContain('access_rules')
    expect(JSON.stringify((await get(`${path}?q=hr`, { token })).body)).not.toContain('"groups"')
  }
  expect(names(await get(path))).toHaveLength(3)
})

it('agents, sources and what rests on them do not exist for those who may not see them', async () => {
  const service = await startService()
  const { source, tool, agent, createToken } = await company(service)
  const { post, put, get } = service
  const test = { name: 'E', type: 'agent', target_id: agent, test_cases: [{ input: 'a' }] }
  const evaluation = (await post('/evaluations', test)).body.data.id
  await put(`/agents/${agent}`, { access: { groups: ['hr'], users: ['anna'] } })
  await put(`/knowledge-sources/${source}`, { access: { groups: ['hr'] } })
  const routes = [`/agents/${agent}`, `/agents/${agent}/versions`, `/agents/${agent}/versions/1`]
  routes.push(`/knowledge-sources/${source}`, `/knowledge-sources/${source}/documents`)
  routes.push(`/knowledge-sources/${source}/syncs`, `/rag-tools/${tool}`, `/evaluations/${evaluation}`)
  const outside = await createToken('viewer', 'ben')
  for (const route of routes) expect([route, (await get(route, outside)).status]).toEqual([route, 404])
  for (const list of ['agents', 'knowledge-sources', 'rag-tools', 'evaluations']) {
    const { data, pagination } = (await get(`/${list}`, outside)).body
    expect([list, data.length, pagination.total]).toEqual([list, 0, 0])
    expect([list, (await get(`/${list}`)).body.pagination.total]).toEqual([list, 1])
  }
  const { counts } = (await get('/status', outside)).body.data
  expect([counts.agents, counts.knowledge_sources, counts.rag_tools, counts.evaluations]).toEqual([0, 0, 0, 0])
  expect((await get('/search?q=Company', outside)).body.data).toEqual([])

  const cleo = await createToken('user', 'cleo')
  const start = await post('/conversations', { agent_id: agent }, cleo)
  const none = await post('/conversations', { agent_id: 'agt_none' }, cleo)
  expect([start.status, start.body.code]).toEqual([none.status, none.body.code])
  const chat = { model: agent, messages: [{ role: 'user', content: 'zebra?' }] }
  expect((await post('/openai/v1/chat/completions', chat, cleo)).status).toBe(404)
  expect((await post('/openai/v1/responses', { model: agent, input: 'zebra?' }, cleo)).status).toBe(404)
  expect((await get('/openai/v1/models', cleo)).body.data).toEqual([])

  const anna = await createToken('user', 'anna')
  expect((await get(`/agents/${agent}`, anna)).body.data).not.toHaveProperty('access')
  const conversation = (await post('/conversations', { agent_id: agent }, anna)).body.data.id
  const reply = await post(`/conversations/${conversation}/messages`, { message: 'zebra?' }, anna)
  expect(reply.status).toBe(200)
  // She may not see the source, so her agent has no tool over it.
  expect(JSON.stringify(reply.body)).not.toMatch(/salary|canteen|excellent/)
  expect(reply.body.data.tool_calls).toEqual([])
  await put(`/agents/${agent}`, { access: { groups: ['hr'] } })
  const late = await post(`/conversations/${conversation}/messages`, { message: 'zebra?' }, anna)
  expect([late.status, late.body.code]).toEqual([400, 'unknown_reference'])
  expect((await get(`/conversations/${conversation}`, anna)).status).toBe(200)
  expect((await get('/agents')).body.data[0].id).toBe(agent)
})

it('evaluations show nobody what their cases and results rest on, also after the target was changed', async () => {
  const service = await startService()
  const { path, findId, tool, agent, createToken } = await company(service)
  const { post, put, get } = service
  const { create, run, ended } = evaluating(service)
  const made = async (path: string, body: object) => (await post(path, body)).body.data.id as string
  const asking = await made('/agents', { name: 'Asks', tools: [agent] })
  const handing = await made('/agents', { name: 'Hands over', handoffs: [asking] })
  const archived = await made('/agents', { name: 'Archived', tools: [tool] })
  const open = await made('/agents', { name: 'Open' })
  const evaluations: string[] = []
  for (const target_id of [agent, asking, handing, archived, open]) {
    const id = await create({ type: 'agent', target_id, test_cases: [{ input: 'zebra salary?' }] })
    await ended(id, await run(id))
    evaluations.push(id)
  }
  const outside = await createToken('viewer', 'ben')
  const inside = await createToken('viewer', 'anna', ['hr'])
  const shown = async (who: { token: string }) =>
    Promise.all(evaluations.map(async (id) => (await get(`/evaluations/${id}/results`, who)).status))
  expect(await shown(outside)).toEqual([404, 404, 404, 404, 200])
  expect(await shown(inside)).toEqual([200, 200, 200, 200, 200])

  expect((await service.remove(`/agents/${archived}`)).body.message).toContain('archived')
  for (const id of [agent, asking, handing]) await put(`/agents/${id}`, { tools: [], handoffs: [] })
  expect(await shown(outside)).toEqual([404, 404, 404, 404, 200])
  expect(names(await get('/evaluations', outside))).toHaveLength(1)
  expect(await shown(inside)).toEqual([200, 200, 200, 200, 200])

  // A case from a message repeats a reply, so it rests on what that one has found.
  const [, , , , last = ''] = evaluations
  await put(`/agents/${agent}`, { tools: [tool] })
  const conversation_id = await made('/conversations', { agent_id: agent, user_id: 'zoe' })
  const reply = (await post(`/conversations/${conversation_id}/messages`, { message: 'zebra?' })).body.data
  const source = { conversation_id, message_id: reply.id }
  expect((await post(`/evaluations/${last}/test-cases/from-message`, source)).status).toBe(201)
  expect(await shown(outside)).toEqual([404, 404, 404, 404, 404])
  expect(await shown(inside)).toEqual([200, 200, 200, 200, 200])

  // A document that is deleted goes on hiding what was found in it, now from everyone who is bound by access.
  for (const name of ['hr/pay.md', 'anna.md']) {
    expect((await service.remove(`${path}/${findId(name)}`)).status).toBe(200)
  }
  expect(await shown(outside)).toEqual([404, 404, 404, 404, 404])
  const fresh = await create({ type: 'agent', target_id: agent, test_cases: [{ input: 'zebra?' }] })
  await ended(fresh, await run(fresh))
  expect((await get(`/evaluations/${fresh}/results`, outside)).status).toBe(200)
})

it('an upgrade stores what earlier runs of evaluations rest on, also those of archived agents', async () => {
  const service = await startService()
  const { tool, agent, createToken } = await company(service)
  const { post, put, get } = service
  const { create, run, ended } = evaluating(service)
  const asked = (await post('/agents', { name: 'Asked', tools: [tool] })).body.data.id
  const asking = (await post('/agents', { name: 'Asks', tools: [asked] })).body.data.id
  const evaluations: string[] = []
  for (const target_id of [agent, asking]) {
    const id = await create({ type: 'agent', target_id, test_cases: [{ input: 'zebra?' }] })
    await ended(id, await run(id))
    evaluations.push(id)
  }
  await put(`/agents/${asking}`, { tools: [] })
  await put(`/agents/${asked}`, { status: 'archived' })
  await put(`/agents/${agent}`, { tools: [] })
  await service.ctx.db.updateTable('evaluation').set({ rests_on: '[]' }).where('id', 'in', evaluations).execute()
  const outside = await createToken('viewer', 'ben')
  const shown = async () =>
    Promise.all(evaluations.map(async (id) => (await get(`/evaluations/${id}/results`, outside)).status))
  expect(await shown()).toEqual([200, 200])
  await inTransaction(service.ctx.db, (tx) => addMissingBasis(tx))
  expect(await shown()).toEqual([404, 404])
})

it('every way of searching leaves out what the agent of a person may not find', async () => {
  const service = await startService()
  const { source, findId, agent, createToken } = await company(service)
  const { post, put } = service
  const cleo = await createToken('user', 'cleo')
  for (const search_mode of ['hybrid', 'vector', 'keyword']) {
    for (const more of [{}, { rerank: 'mmr' }, { filters: { document_id: findId('hr/pay.md') } }, { top_k: 1 }]) {
      const body = { name: 'Any', knowledge_source_ids: [source], search_mode, ...more }
      const tool = (await post('/retrieval-tools', body)).body.data.id
      await put(`/agents/${agent}`, { tools: [tool] })
      const conversation = (await post('/conversations', { agent_id: agent }, cleo)).body.data.id
      const message = 'zebra salary review of the director and Anna'
      const reply = await post(`/conversations/${conversation}/messages`, { message }, cleo)
      const [call] = reply.body.data.tool_calls
      expect([search_mode, more, call?.status]).toEqual([search_mode, more, 'completed'])
      expect(JSON.stringify(reply.body)).not.toMatch(/thousand|excellent/)
      if (!('filters' in more)) expect(call.result).toContain('canteen')
    }
  }
})

it('the scores of what a person sees do not depend on the words of what is hidden', async () => {
  const { post, put, get } = await startService()
  const seen = [
    { title: 'zebra.md', content: 'The zebra lives in the zoo beside the river.' },
    { title: 'yak.md', content: 'The yak lives in the zoo beside the river and the hill.' },
  ]
  const hidden = Array.from({ length: 12 }, (_, at) => ({
    title: `hr/${at}.md`,
    content: `The zebra and the okapi, number ${at}.`,
  }))
  const body = { name: 'Zoo', type: 'text', access_rules: [{ path: 'hr/**', access: { groups: ['hr'] } }] }
  const source = (await post('/knowledge-sources', { ...body, configuration: { documents: seen } })).body.data.id
  const settings = { name: 'Zoo', knowledge_source_ids: [source], search_mode: 'keyword' }
  const tool = (await post('/retrieval-tools', settings)).body.data.id
  const indexed = (count: number) =>
    until(async () => {
      const { data } = (await get(`/knowledge-sources/${source}/documents`)).body
      return data.length === count && data.every(({ status }: Json) => status === 'indexed')
    })
  const scores = async (query: string, header: string) => {
    const answer = await post(`/retrieval-tools/${tool}/search`, { query }, { headers: { 'x-seen-as': header } })
    return answer.body.data.results.map(({ score, metadata }: Json) => [metadata.source, score])
  }
  const queries = ['zebra yak', 'zoo okapi', 'zebra river']
  await indexed(seen.length)
  const before = await Promise.all(queries.map((query) => scores(query, 'user_id=ben')))
  expect(before.map((found) => found.length)).toEqual([2, 2, 2])
  await put(`/knowledge-sources/${source}`, { configuration: { documents: [...seen, ...hidden] } })
  await indexed(seen.length + hidden.length)
  for (const [at, query] of queries.entries()) {
    expect([query, await scores(query, 'user_id=ben')]).toEqual([query, before[at]])
    expect([query, await scores(query, 'groups=hr')]).not.toEqual([query, before[at]])
  }
})

it('forgets a person who is erased in every access', async () => {
  const service = await startService()
  const { source, path, findId, agent, createToken } = await company(service)
  const { post, put, get } = service
  const anna = await createToken('user', 'anna')
  await get('/agents', anna)
  const rules = [{ path: 'hr/**', access: { groups: ['hr'], users: ['anna'] } }]
  await put(`/knowledge-sources/${source}`, { access: { groups: ['hr'], users: ['anna', 'ben'] }, access_rules: rules })
  await put(`/agents/${agent}`, { access: { users: ['anna'] } })
  const person = await until(async () => (await get('/users?user_id=anna')).body.data[0])
  const job = (await post(`/users/${person.id}/erase`)).body.data.id
  await until(async () => (await get(`/user-jobs/${job}`)).body.data.status === 'completed')
  const { access, access_rules } = (await get(`/knowledge-sources/${source}`)).body.data
  expect([access, access_rules[0].access.users]).toEqual([{ groups: ['hr'], users: ['ben'] }, []])
  const nobody = { groups: [], users: [] }
  expect((await get(`${path}/${findId('anna.md')}`)).body.data.access).toEqual(nobody)
  expect((await get(`${path}/${findId('hr/pay.md')}`)).body.data.access).toEqual({ groups: ['hr'], users: [] })
  expect((await get(`/agents/${agent}`)).body.data.access).toEqual(nobody)
  const again = await createToken('viewer', 'anna')
  expect((await get(`/knowledge-sources/${source}`, again)).status).toBe(404)
})

it('figures, usage and thresholds leave out what a viewer may not see', async () => {
  const service = await startService()
  const { agent, createToken } = await company(service)
  const { post, get } = service
  const secret = (await post('/agents', { name: 'Secret', topics: ['zebra'], access: { groups: ['hr'] } })).body.data.id
  const ask = async (agent_id: string) => {
    const conversation = (await post('/conversations', { agent_id, user_id: 'ada' })).body.data.id
    const reply = await post(`/conversations/${conversation}/messages`, { message: 'What about the zebra?' })
    expect(reply.status).toBe(200)
    return conversation as string
  }
  const open = await ask(agent)
  const figures = async (who: object, query = '') => (await get(`/analytics/conversations${query}`, who)).body.data
  const usage = async (who: object, query = '') => (await get(`/usage/stats${query}`, who)).body.data
  const costs = async (who: object, query = '') => (await get(`/usage/costs${query}`, who)).body.data
  const outside = await createToken('viewer', 'ben')
  const before = [await figures(outside), await usage(outside), await costs(outside, '?group_by=agent')]
  expect(before[0].by_agent).toHaveLength(1)
  const closed = await ask(secret)
  const threshold = { name: 'T', metric: 'cost', limit: 1, window: 'day', action: 'notify' }
  await post('/usage/thresholds', { ...threshold, entity_type: 'agent', entity_id: agent })
  await post('/usage/thresholds', { ...threshold, entity_type: 'agent', entity_id: secret })
  await post('/usage/thresholds', threshold)

  const after = [await figures(outside), await usage(outside), await costs(outside, '?group_by=agent')]
  expect(after[0]).toEqual(before[0])
  for (const at of [1, 2]) expect(after[at].by_entity.agent).toEqual(before[at].by_entity.agent)
  expect(after[2].daily[0].groups).toEqual(before[2].daily[0].groups)
  expect(JSON.stringify(after)).not.toContain(secret)
  const none = [await figures(outside, '?agent_id=agt_none'), await usage(outside, '?entity_id=agt_none')]
  expect([await figures(outside, `?agent_id=${secret}`), await usage(outside, `?entity_id=${secret}`)]).toEqual(none)
  expect(await usage(outside, `?entity_id=${closed}`)).toEqual(await usage(outside, '?entity_id=cnv_none'))
  expect((await usage(outside, `?entity_id=${open}`)).total_tokens).toBeGreaterThan(0)
  const limits = (await get('/usage/thresholds', outside)).body.data
  expect(limits.map(({ entity_id }: Json) => entity_id)).toEqual([agent])

  const inside = await createToken('viewer', 'ben', ['hr'])
  expect((await figures(inside)).by_agent).toHaveLength(2)
  expect(Object.keys((await usage(inside)).by_entity.agent)).toContain(secret)
  expect((await get('/usage/thresholds', inside)).body.data).toHaveLength(3)
})
