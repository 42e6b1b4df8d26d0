import { expect, it } from 'vitest'
import { closedPort } from '../../server/test/closed-port.ts'
import { startService, until } from '../../server/test/harness.ts'
import { stage } from '../../server/test/stage.ts'
import { isParleyError, Parley, ParleyError, readEtag } from '../src/index.ts'

const started = async () => {
  const service = await startService()
  return { ...service, parley: new Parley({ baseUrl: service.url, token: service.token }) }
}

it('creates, reads, updates, restores and deletes resources', async () => {
  const { parley } = await started()
  const agent = await parley.agents.create({ name: 'Ada', temperature: 0.3, topics: ['billing'] })
  expect(agent).toMatchObject({ id: expect.stringMatching(/^agt_/), name: 'Ada', version: 1 })
  const changed = await parley.agents.update(agent.id, { name: 'Grace' })
  expect([changed.name, changed.version, changed.temperature]).toEqual(['Grace', 2, 0.3])
  const { data: history } = await parley.agents.versions(agent.id)
  expect(history.map(({ version }) => version)).toEqual([2, 1])
  expect((await parley.agents.restore(agent.id, 1)).name).toBe('Ada')
  await parley.agents.delete(agent.id)
  await expect(parley.agents.get(agent.id)).rejects.toMatchObject({ code: 'not_found', status: 404 })

  const template = await parley.promptTemplates.create({ name: 'T', template: 'Answer as {{persona}}.' })
  expect(await parley.promptTemplates.render(template.id, { variables: { persona: 'a teacher' } })).toEqual({
    text: 'Answer as a teacher.',
  })
  const [model] = await parley.models.list({ provider: 'local', type: 'chat' }).all()
  expect(await parley.models.test(model?.id ?? '')).toMatchObject({ ok: true })
  expect((await parley.me()).role).toBe('owner')
  expect((await parley.health()).status).toBe('healthy')
  expect((await parley.status()).counts.agents).toBe(0)
  expect((await parley.usage.stats()).total_cost).toBe(0)
  expect((await parley.request<{ data: unknown[] }>('GET', '/tokens', { query: { limit: 1 } })).data).toHaveLength(1)
})

it('types the output of a reply that follows a schema', async () => {
  const here = await stage({ deltas: ['{"city":"Bern","degrees":21}'] })
  const parley = new Parley({ baseUrl: here.url, token: here.token })
  const { id } = await parley.conversations.create({ agent_id: here.agent })
  const schema = { type: 'object', properties: { city: { type: 'string' }, degrees: { type: 'number' } } }
  const { output } = await parley.conversations.send<{ city: string; degrees: number }>(id, 'Weather?', { schema })
  const warmer: number = output.degrees + 1
  expect([output.city, warmer]).toEqual(['Bern', 22])
  const responseFormat = { type: 'json_schema' as const, json_schema: { name: 'x', schema: { type: 'array' } } }
  await expect(parley.conversations.send(id, 'Weather?', { responseFormat })).rejects.toMatchObject({
    code: 'output_invalid',
    details: [{ path: 'output' }, { path: 'message_id' }],
  })
  expect((await parley.conversations.send(id, 'Hi')).output).toBeNull()
})

it('iterates over all pages', async () => {
  const { parley } = await started()
  for (let n = 0; n < 7; n++) await parley.agents.create({ name: `Agent ${n}` })
  const names: string[] = []
  for await (const agent of parley.agents.list({ limit: 3, order: 'asc' })) names.push(agent.name)
  expect(names).toEqual(['Agent 0', 'Agent 1', 'Agent 2', 'Agent 3', 'Agent 4', 'Agent 5', 'Agent 6'])
  const page = await parley.agents.list({ limit: 3, page: 3 })
  expect([page.data.length, page.pagination]).toEqual([1, { page: 3, limit: 3, total: 7, pages: 3 }])
  expect(await parley.agents.list({ limit: 2 }).all(4)).toHaveLength(4)
  expect(await parley.promptTemplates.list().all()).toEqual([])
})

it('throws errors with codes', async () => {
  const { parley, url } = await started()
  const failure = await parley.agents.create({ name: '' }).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ParleyError)
  expect(failure).toMatchObject({ code: 'invalid_request', status: 400, details: [{ path: 'name' }] })
  expect((failure as ParleyError).requestId).toMatch(/^req_/)
  const stranger = new Parley({ baseUrl: `${url}/api/v1/`, token: 'nobody' })
  const refused = await stranger.agents.list().then(undefined, (error: unknown) => error)
  expect(isParleyError(refused, 'invalid_token')).toBe(true)
  expect(isParleyError(refused, 'not_found')).toBe(false)
  const nowhere = new Parley({ baseUrl: `http://127.0.0.1:${await closedPort()}`, maxRetries: 0 })
  await expect(nowhere.health()).rejects.toMatchObject({ code: 'connection_failed', status: 0 })
  expect(() => parley.agents.get('')).toThrow('An ID is required')
})

it('does not overwrite a concurrent change', async () => {
  const { parley } = await started()
  const { id } = await parley.agents.create({ name: 'Ada' })
  const mine = await parley.agents.get(id)
  await parley.agents.update(id, { name: 'Theirs' })
  const ifMatch = readEtag(mine) ?? ''
  expect(ifMatch).not.toBe('')
  await expect(parley.agents.update(id, { name: 'Mine' }, { ifMatch })).rejects.toMatchObject({
    code: 'precondition_failed',
  })
  expect((await parley.agents.get(id)).name).toBe('Theirs')
})

it('uses another workspace and a token from a function', async () => {
  const { parley, url, token, tokenFor } = await started()
  const other = await parley.workspaces.create({ name: 'Other' })
  const there = new Parley({ baseUrl: url, token, workspace: other.id })
  await there.agents.create({ name: 'There' })
  expect((await parley.agents.list()).pagination.total).toBe(0)
  expect((await there.agents.list()).pagination.total).toBe(1)
  let current: string | null = null
  const changing = new Parley({ baseUrl: url, token: async () => current })
  await expect(changing.me()).rejects.toMatchObject({ code: 'unauthenticated' })
  current = await tokenFor('viewer')
  expect((await changing.me()).role).toBe('viewer')
})

it('uploads files, follows the sync and searches them', async () => {
  const { parley } = await started()
  const source = await parley.knowledgeSources.create({
    name: 'Papers',
    type: 'file',
    configuration: { file_types: ['md', 'txt'] },
  })
  const files = [
    new File(['# Cats\n\nA cat sleeps sixteen hours a day.'], 'cats.md', { type: 'text/markdown' }),
    { name: 'dogs.txt', content: new Blob(['A dog barks at the moon.']) },
  ]
  const done = new Set<string>()
  const onProgress = ({ name, state }: { name: string; state: string }) => state === 'done' && done.add(name)
  const stored = await parley.knowledgeSources.upload(source.id, files, { onProgress: (each) => void onProgress(each) })
  expect(stored.map(({ name }: { name: string }) => name).sort()).toEqual(['cats.md', 'dogs.txt'])
  expect([...done].sort()).toEqual(['cats.md', 'dogs.txt'])
  await until(async () => (await parley.knowledgeSources.get(source.id)).status === 'active')
  expect((await parley.knowledgeSources.syncs(source.id)).data[0]).toMatchObject({ status: 'completed' })
  const tool = await parley.ragTools.create({ name: 'Animals', knowledge_source_id: source.id })
  await until(async () => (await parley.ragTools.get(tool.id)).status === 'ready')
  const { results } = await parley.ragTools.query(tool.id, { query: 'How long does a cat sleep?' })
  expect(results[0]?.metadata.source).toBe('cats.md')
  const refused = parley.knowledgeSources.upload(source.id, [new File(['a,b'], 'table.csv')])
  await expect(refused).rejects.toMatchObject({ code: 'unsupported_file_type' })
})

it('exports conversations and reads one run of an evaluation', async () => {
  const { parley } = await started()
  const agent = await parley.agents.create({ name: 'Ada' })
  for (const text of ['One', 'Two']) {
    const { id } = await parley.conversations.create({ agent_id: agent.id, title: text })
    await parley.conversations.send(id, text)
  }
  const exported: [string | null, number][] = []
  for await (const { title, messages } of parley.conversations.export()) exported.push([title, messages.length])
  expect(exported).toEqual([
    ['One', 2],
    ['Two', 2],
  ])
  const none = parley.conversations.export({ status: 'completed' })
  expect((await none.next()).done).toBe(true)

  const test_cases = [{ input: 'Hello', expected_output: 'Hi' }]
  const evaluation = await parley.evaluations.create({ name: 'E', type: 'agent', target_id: agent.id, test_cases })
  const { id } = await parley.evaluations.run(evaluation.id)
  const run = await until(async () => {
    const current = await parley.evaluations.getRun(evaluation.id, id)
    return current.status === 'completed' && current
  })
  expect([run.id, run.progress]).toEqual([id, { done: 1, total: 1 }])
})

it('uploads files with progress and sends them with a message', async () => {
  const { parley } = await started()
  const content = new Blob(['Invoices are paid within thirty days.'])
  const progress: number[] = []
  const file = await parley.files.upload(
    { name: 'terms.txt', content },
    { onProgress: ({ sent }) => void progress.push(sent) },
  )
  expect([file.name, file.media_type, progress.at(-1)]).toEqual(['terms.txt', 'text/plain', content.size])
  expect(await parley.files.get(file.id)).toEqual(file)
  expect(await (await parley.files.content(file.id)).text()).toBe(await content.text())
  const agent = await parley.agents.create({ name: 'Local' })
  const { id } = await parley.conversations.create({ agent_id: agent.id })
  const reply = await parley.conversations.send(id, 'When are invoices paid?', { attachments: [{ file_id: file.id }] })
  expect(reply.content).toBe('Invoices are paid within thirty days. [1]')
  const { messages } = await parley.conversations.get(id)
  expect(messages[0]?.attachments).toMatchObject([{ file_id: file.id, name: 'terms.txt' }])
  await expect(parley.files.delete(file.id)).rejects.toMatchObject({ code: 'in_use' })
  const unused = await parley.files.upload(new File(['x'], 'unused.txt'))
  await parley.files.delete(unused.id)
  await expect(parley.files.get(unused.id)).rejects.toMatchObject({ code: 'not_found' })
  const cancelled = new AbortController()
  const upload = parley.files.upload({ name: 'a.txt', content }, { signal: cancelled.signal })
  cancelled.abort()
  await expect(upload).rejects.toMatchObject({ code: 'aborted' })
})

it('reads as another person, and explains what that person may see', async () => {
  const { parley } = await started()
  const token = await parley.tokens.create({ name: 'Anna', role: 'user', user_id: 'anna', groups: ['hr'] })
  expect((await parley.tokens.update(token.id, { groups: ['hr', 'a & b'] })).groups).toEqual(['a & b', 'hr'])
  const agent = await parley.agents.create({ name: 'Pay', access: { groups: ['a & b'], users: ['eve'] } })
  const names = async (seen: Parley) => (await seen.agents.list()).data.map(({ name }) => name)
  expect(await names(parley.as({ user_id: 'ben', groups: ['x', 'a & b'] }))).toEqual(['Pay'])
  const anna = parley.as({ user_id: 'anna' })
  expect(await names(anna)).toEqual([])
  await expect(anna.agents.update(agent.id, { name: 'B' })).rejects.toMatchObject({ code: 'invalid_request' })
  expect(await names(anna.as(null))).toEqual(['Pay'])
  const because = 'The group "a & b" may see the agent.'
  expect(await parley.agents.access(agent.id, { groups: ['x', 'a & b'] })).toEqual({ allowed: true, because })
  expect((await parley.agents.access(agent.id, { user_id: 'anna' })).allowed).toBe(false)

  const source = await parley.knowledgeSources.create({ name: 'S', type: 'file' })
  const files = [{ name: 'pay.txt', content: new Blob(['Pay']) }]
  const [pay] = await parley.knowledgeSources.upload(source.id, files, { access: { users: ['eve'] }, sync: false })
  const why = (user_id: string) => parley.knowledgeSources.documentAccess(source.id, pay?.id ?? '', { user_id })
  expect([(await why('eve')).allowed, (await why('anna')).allowed]).toEqual([true, false])
  expect((await parley.knowledgeSources.access(source.id)).allowed).toBe(true)
})
