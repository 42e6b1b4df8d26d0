import { expect, it } from 'vitest'
import { company, names } from './company.ts'
import { type Json, startService, until } from './harness.ts'
import { knowledge } from './knowledge.ts'

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
