import { expect, it } from 'vitest'
import { addMissingBasis } from '../src/features/evaluations/rests-on.ts'
import { inTransaction } from '../src/kernel/store/database.ts'
import { evaluating } from './evaluating.ts'
import { type Json, type Service, startService, until } from './harness.ts'
import { knowledge } from './knowledge.ts'

const texts = [
  { title: 'open.md', content: 'The zebra canteen opens at seven.' },
  { title: 'hr/pay.md', content: 'The zebra salary of the director is 90 thousand.' },
  { title: 'anna.md', content: 'The zebra review of Anna is excellent.' },
]

/** A source with a document for everyone, one for the group hr and one for Anna, a tool over it and an agent with the tool. */
async function company(service: Service) {
  const { post, put, get } = service
  const configuration = { documents: texts }
  const rules = [{ path: 'hr/**', access: { groups: ['hr'] } }]
  const source = (
    await post('/knowledge-sources', { name: 'Company', type: 'text', configuration, access_rules: rules })
  ).body.data.id
  const path = `/knowledge-sources/${source}/documents`
  const documents = await until(async () => {
    const { data } = (await get(path)).body
    return data.length === 3 && data.every(({ status }: Json) => status === 'indexed') ? data : undefined
  })
  const findId = (name: string): string => documents.find((each: Json) => each.name === name).id
  const anna = await put(`${path}/${findId('anna.md')}`, { access: { users: ['anna'] } })
  expect([anna.status, anna.body.data.access]).toEqual([200, { groups: [], users: ['anna'] }])
  const tool = (await post('/rag-tools', { name: 'Company', knowledge_source_id: source, top_k: 10 })).body.data.id
  const agent = (await post('/agents', { name: 'Helper', tools: [tool] })).body.data.id
  const createToken = async (role: string, user_id: string, groups: string[] = []) =>
    (await post('/tokens', { name: user_id, role, user_id, groups })).body.data as { id: string; token: string }
  return { source, path, findId, tool, agent, createToken }
}

const names = ({ body }: { body: Json }): string[] => body.data.map(({ name }: Json) => name).sort()

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

it('a turn finds only what the person who asks may see, until a group is revoked', async () => {
  const service = await startService()
  const { agent, createToken } = await company(service)
  const { post, put, get } = service
  const ben = await createToken('user', 'ben', ['hr'])
  const ask = async (token: string, message = 'What about the zebra?') => {
    const conversation = (await post('/conversations', { agent_id: agent }, { token })).body.data.id
    const reply = await post(`/conversations/${conversation}/messages`, { message }, { token })
    expect(reply.status).toBe(200)
    return { conversation, message: reply.body.data, text: JSON.stringify(reply.body) }
  }
  const before = await ask(ben.token)
  expect(before.text).toContain('salary')
  expect(before.text).not.toContain('excellent')
  expect(before.text).not.toContain('"documents"')
  expect((await ask((await createToken('user', 'anna')).token)).text).toContain('excellent')
  expect((await ask((await createToken('editor', 'eve')).token)).text).toContain('salary')

  await put(`/tokens/${ben.id}`, { groups: [] })
  const after = await ask(ben.token)
  expect(after.text).not.toContain('salary')
  expect(after.text).toContain('canteen')
  // Earlier results are no longer shown, nor sent to the model again.
  const old = `/conversations/${before.conversation}`
  for (const route of [old, `${old}/messages`, `${old}/messages/${before.message.id}`]) {
    const { tool_calls, citations } = lastReply((await get(route, { token: ben.token })).body.data)
    expect(JSON.stringify(tool_calls)).not.toContain('salary')
    expect(JSON.stringify(citations)).not.toContain('pay.md')
  }
  const next = await post(`${old}/messages`, { message: 'And the zebra salary?' }, { token: ben.token })
  expect(JSON.stringify([next.body.data.tool_calls, next.body.data.citations])).not.toContain('thousand')
})

const lastReply = (data: Json): Json => (data.messages ?? (Array.isArray(data) ? data : [data])).at(-1)

it('a shared conversation does not show others what they may not see', async () => {
  const service = await startService()
  const { agent, createToken } = await company(service)
  const { post, put, get } = service
  const ben = await createToken('user', 'ben', ['hr'])
  const cleo = await createToken('user', 'cleo')
  const conversation = (await post('/conversations', { agent_id: agent }, ben)).body.data.id
  await post(`/conversations/${conversation}/messages`, { message: 'What is the zebra salary?' }, ben)
  await put(`/conversations/${conversation}`, { shared: true }, ben)
  const shown = await get(`/conversations/${conversation}`, cleo)
  expect(shown.status).toBe(200)
  expect(JSON.stringify(shown.body.data.messages.at(-1))).not.toContain('thousand')
  await put(`/agents/${agent}`, { access: { groups: ['hr'] } })
  expect((await get(`/conversations/${conversation}`, cleo)).status).toBe(404)
  expect((await get(`/conversations/${conversation}`, ben)).status).toBe(200)
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

it('access is set at upload, on the document and by rules, of which the first that matches decides', async () => {
  const service = await startService()
  const { post, put, get } = service
  const source = (await post('/knowledge-sources', { name: 'Files', type: 'file' })).body.data.id
  const path = `/knowledge-sources/${source}/documents`
  const { upload: send } = knowledge(service)
  const upload = (name: string, text: string, fields: Record<string, unknown> = {}) => {
    const json = Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, JSON.stringify(value)]))
    return send(source, { [name]: text }, { fields: json, query: '?sync=false' })
  }
  const own = await upload('own.txt', 'Own', { access: { groups: ['b', 'a', 'a'] } })
  expect([own.status, own.body.data[0].access]).toEqual([201, { groups: ['a', 'b'], users: [] }])
  expect((await upload('bad.txt', 'Bad', { access: { groups: 'a' } })).body.details[0].path).toBe('access.groups')
  const plain = (await upload('plan.txt', 'Plan', { metadata: { area: 'hr' } })).body.data[0]
  expect(plain.access).toBeNull()
  const readAccess = async (id: string) => (await get(`${path}/${id}`)).body.data.access
  const rules = [
    { metadata: { area: ['hr', 'legal'] }, access: { groups: ['hr'] } },
    { path: '*.txt', access: { groups: ['all'] } },
  ]
  expect((await put(`/knowledge-sources/${source}`, { access_rules: rules })).status).toBe(200)
  // A rule over metadata may match once the file is read: until then nobody who is bound by access sees it.
  expect(await readAccess(plain.id)).toEqual({ groups: [], users: [] })
  await post(`/knowledge-sources/${source}/sync`)
  await until(async () => (await get(`${path}?status=indexed`)).body.pagination.total === 2 || undefined)
  expect(await readAccess(plain.id)).toEqual({ groups: ['hr'], users: [] })
  expect(await readAccess(own.body.data[0].id)).toEqual({ groups: ['a', 'b'], users: [] })
  await put(`${path}/${plain.id}`, { metadata: { area: 'sales' } })
  expect(await readAccess(plain.id)).toEqual({ groups: ['all'], users: [] })
  await put(`${path}/${own.body.data[0].id}`, { metadata: { year: 2026 } })
  expect(await readAccess(own.body.data[0].id)).toEqual({ groups: ['a', 'b'], users: [] })
  await put(`${path}/${own.body.data[0].id}`, { access: null })
  expect(await readAccess(own.body.data[0].id)).toEqual({ groups: ['all'], users: [] })
  await put(`/knowledge-sources/${source}`, { access_rules: [] })
  expect(await readAccess(plain.id)).toBeNull()
  const empty = await put(`/knowledge-sources/${source}`, { access_rules: [{ access: { groups: ['x'] } }] })
  expect([empty.status, empty.body.details[0].path]).toEqual([400, 'access_rules[0]'])
  expect((await put(`${path}/${plain.id}`, {})).status).toBe(400)
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

it('explains who sees a document, a source and an agent, and why', async () => {
  const service = await startService()
  const { source, path, findId, agent, createToken } = await company(service)
  const { put, get } = service
  const why = async (route: string, query = '', options = {}) =>
    (await get(`${route}/access${query}`, options)).body.data
  const pay = `${path}/${findId('hr/pay.md')}`
  expect(await why(pay, '?groups=sales,hr&user_id=ben')).toEqual({
    allowed: true,
    because: 'The group "hr" may see the document (rule 1 of the source: path "hr/**").',
  })
  expect(await why(pay, '?user_id=ben&groups=a&groups=b')).toEqual({
    allowed: false,
    because: 'The document is only for the group "hr" (rule 1 of the source: path "hr/**").',
  })
  const ofAnna = await why(`${path}/${findId('anna.md')}`, '?user_id=anna')
  expect(ofAnna).toEqual({ allowed: true, because: 'The user "anna" may see the document (set on the document).' })
  expect(await why(`${path}/${findId('open.md')}`)).toEqual({
    allowed: true,
    because: 'Everyone may see the document.',
  })
  await put(`/knowledge-sources/${source}`, { access: { groups: [], users: ['anna'] } })
  expect(await why(pay, '?groups=hr')).toEqual({ allowed: false, because: 'The source is only for the user "anna".' })
  expect((await why(`/knowledge-sources/${source}`, '?user_id=anna')).allowed).toBe(true)
  await put(`/agents/${agent}`, { access: {} })
  const closed = { allowed: false, because: 'The agent is only for editors and higher roles.' }
  expect(await why(`/agents/${agent}`, '?user_id=anna')).toEqual(closed)
  expect((await get(`${pay}/access`, await createToken('viewer', 'ben', ['hr']))).status).toBe(403)
})

it('editors look as others would see the workspace', async () => {
  const service = await startService()
  const { path, tool, agent, createToken } = await company(service)
  const { post, put, get } = service
  const as = (person: string) => ({ headers: { 'x-seen-as': person } })
  expect(names(await get(path, as('user_id=anna')))).toEqual(['anna.md', 'open.md'])
  expect(names(await get(path, as('user_id=ben; groups=x,%68r')))).toEqual(['hr/pay.md', 'open.md'])
  const query = { query: 'zebra', answer: false }
  const found = async (person: string) =>
    (await post(`/rag-tools/${tool}/query`, query, as(person))).body.data.results.map(
      ({ metadata }: Json) => metadata.source,
    )
  expect((await found('groups=hr')).sort()).toEqual(['hr/pay.md', 'open.md'])
  expect(await found('')).toEqual(['open.md'])
  await put(`/agents/${agent}`, { access: { groups: ['hr'] } })
  expect((await get('/agents', as('groups=sales'))).body.data).toEqual([])
  expect((await get('/agents', as('groups=hr'))).body.data).toHaveLength(1)
  expect((await put(`/agents/${agent}`, { name: 'B' }, as('groups=hr'))).body.details[0].path).toBe('X-Seen-As')
  for (const wrong of ['ben', 'group=hr', 'groups=%'])
    expect((await get('/agents', as(wrong))).body.details[0].path).toBe('X-Seen-As')
  const viewer = await createToken('viewer', 'ben')
  expect((await get('/agents', { ...viewer, ...as('groups=hr') })).status).toBe(403)
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
