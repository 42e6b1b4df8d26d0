import { expect, it } from 'vitest'
import { createFile } from './attachments.ts'
import { readEvents } from './event-stream.ts'
import { type Answer, type Json, type Service, startService, until } from './harness.ts'
import { mayCallLoopback, scriptedApi } from './scripted-api.ts'
import type { RecordedRequest, Script } from './scripted-provider.ts'
import { stageOn } from './stage.ts'

/** Words that only tool calls, passages and reasoning contain, and one that only the text of a reply contains. */
const inCalls = /secret(passage|query|note|answer|thought)|take_note|Payroll/
const inText = /secrettext/

const call = (id: string, name: string, input: object) => ({ id, name, arguments: JSON.stringify(input) })

/** Searches and takes a note when it is asked to search; otherwise it repeats what it has said. */
function director({ body }: RecordedRequest): Script {
  const messages = body.messages as Json[]
  const asked: string = messages.findLast(({ role }) => role === 'user').content
  const last = messages.at(-1)
  const deltas = ['It is ', 'secrettext.']
  if (/hello/i.test(asked)) return { deltas: ['Hello.'] }
  if (last.role !== 'tool' && /search/i.test(asked))
    return { thoughts: ['secretthought'], toolCalls: [call('call_s', 'Payroll', { query: 'zebra secretquery' })] }
  if (last.role !== 'tool' || last.tool_call_id.startsWith('call_s'))
    return { toolCalls: [call('call_n', 'take_note', { text: 'secretnote' })] }
  return { deltas }
}

/** An agent that searches a document of the group `hr` and takes notes, and people inside and outside of that group. */
async function office(service: Service, tool: object = {}) {
  const here = await stageOn(service, director)
  const { post, put, get } = here
  const made = async (path: string, body: object, more = {}): Promise<Json> => {
    const answer = await post(path, body, more)
    expect([path, answer.status, answer.body.error]).toEqual([path, 201, undefined])
    return answer.body.data
  }
  const access_rules = [{ path: 'pay*', access: { groups: ['hr'] } }]
  const documents = [
    { title: 'pay.md', content: 'The zebra salary is secretpassage.' },
    { title: 'open.md', content: 'The zebra canteen opens at seven.' },
  ]
  const source = await made('/knowledge-sources', {
    ...{ name: 'Company', type: 'text', configuration: { documents }, access_rules },
  })
  const path = `/knowledge-sources/${source.id}/documents`
  await until(async () => {
    const { data } = (await get(path)).body
    return data.length === 2 && data.every(({ status }: Json) => status === 'indexed')
  })
  const api = await scriptedApi(() => ({ body: { kept: 'secretanswer' } }))
  const search = await made('/rag-tools', { name: 'Payroll', knowledge_source_id: source.id })
  const parameters = { type: 'object', properties: { text: { type: 'string' } } }
  const notes = { name: 'take_note', description: 'Notes.', method: 'POST', url: `${api.url}/notes`, parameters }
  const note = await made('/api-tools', { ...notes, requires_approval: false, ...tool })
  await put(`/agents/${here.agent}`, { tools: [search.id, note.id] })
  const createToken = (user_id: string, groups: string[] = []): Promise<{ id: string; token: string }> =>
    made('/tokens', { name: user_id, role: 'user', user_id, groups }) as Promise<{ id: string; token: string }>
  const [ada, ben, cleo] = [
    await createToken('ada', ['hr']),
    await createToken('ben'),
    await createToken('cleo', ['hr']),
  ]
  const start = async () => (await made('/conversations', { agent_id: here.agent }, ada)).id as string
  const say = async (id: string, message: string, more: object = {}): Promise<Json> => {
    const { body } = await here.say(id, message, more, ada)
    expect(body.error).toBeUndefined()
    return body.data
  }
  const leave = () => put(`/tokens/${ada.id}`, { groups: [] })
  const join = () => put(`/tokens/${ada.id}`, { groups: ['hr'] })
  return { ...here, ada, ben, cleo, start, say, leave, join }
}

const text = ({ body }: Answer): string => (typeof body === 'string' ? body : JSON.stringify(body))

it('a shared reply, and every later one of its branch, shows others nothing of a hidden document', async () => {
  const here = await office(await startService(mayCallLoopback))
  const { ada, ben, cleo, get, put, post, start, say } = here
  const id = await start()
  const hello = await say(id, 'Hello?')
  const found = await say(id, 'Search the salary')
  const repeated = await say(id, 'Say it again')
  await put(`/conversations/${id}`, { shared: true }, ada)
  const routes = ['', '/messages', '/messages?limit=1&page=6', `/messages/${found.id}`, `/messages/${repeated.id}`]
  for (const route of routes.map((each) => `/conversations/${id}${each}`)) {
    const shown = text(await get(route, ben))
    expect([route, inCalls.exec(shown)?.[0], inText.exec(shown)?.[0]]).toEqual([route, undefined, undefined])
    const whole = text(await get(route, cleo))
    expect([route, inCalls.test(whole), inText.test(whole)]).toEqual([route, true, true])
  }
  const rows: Json[] = (await get(`/conversations/${id}`, ben)).body.data.messages
  expect(rows.map(({ tool_calls }) => tool_calls)).toEqual(rows.map(() => []))
  expect(rows.map(({ role, content }) => [role, /not shown/.test(content)])).toEqual([
    ['user', false],
    ['assistant', false],
    ['user', false],
    ['assistant', true],
    ['user', false],
    ['assistant', true],
  ])

  // A branch without the document is shown, and its calls with it.
  await say(id, 'Note it', { parent_message_id: hello.id })
  const other: Json[] = (await get(`/conversations/${id}/messages`, ben)).body.data
  expect(other.at(-1)).toMatchObject({ content: 'It is secrettext.', tool_calls: [{ name: 'take_note' }] })
  await post(`/conversations/${id}/messages/${repeated.id}/activate`, undefined, ada)
  expect(text(await get(`/conversations/${id}/messages`, ben))).not.toMatch(inText)
})

it('whoever loses a group keeps the text of the replies, and no calls or passages on any route', async () => {
  const here = await office(await startService(mayCallLoopback))
  const { ada, get, post, start, say, leave, agent, url, provider } = here
  const id = await start()
  const found = await say(id, 'Search the salary')
  const repeated = await say(id, 'Say it again')
  const response = (await post('/openai/v1/responses', { model: agent, input: 'Search the salary' }, ada)).body
  expect(text({ body: response } as Answer)).toMatch(inCalls)
  await leave()

  const messages = [found.id, repeated.id].map((message) => `/conversations/${id}/messages/${message}`)
  const routes = [
    ...[`/conversations/${id}`, `/conversations/${id}/messages`, '/conversations/export'],
    ...messages.flatMap((path) => [path, `${path}/stream`, `${path}/stream?protocol=ai-sdk`]),
    ...[`/openai/v1/responses/${response.id}`, `/openai/v1/responses/${response.id}?stream=true`],
  ]
  for (const route of routes) {
    const answer = await get(route, ada)
    expect([route, answer.status, inCalls.exec(text(answer))?.[0]]).toEqual([route, 200, undefined])
    expect([route, inText.test(text(answer))]).toEqual([route, true])
  }
  for (const path of messages) expect((await get(`${path}/trace`, ada)).body.data.steps).toEqual([])
  const streamed = await readEvents(
    await fetch(`${url}/api${messages[0]}/stream`, { headers: { authorization: `Bearer ${ada.token}` } }),
  )
  expect(streamed.map(({ event }) => event)).toEqual(['message.started', 'text.delta', 'message.completed'])

  // Neither is it given to the model again.
  const before = provider.requests.length
  await say(id, 'Hello again')
  expect(JSON.stringify(provider.requests[before]?.body.messages)).not.toMatch(
    /secret(passage|query|note|answer|thought)/,
  )
  expect(JSON.stringify(provider.requests[before]?.body.messages)).toMatch(inText)
})

it('a reply that is being written is masked too, and so are the calls that it waits for', async () => {
  const service = await startService(mayCallLoopback)
  const approvers = { users: ['ben', 'cleo'], groups: [] }
  const { ada, ben, cleo, get, post, start, leave, join, url, provider } = await office(service, {
    requires_approval: true,
    approvers,
  })
  const id = await start()
  const message = await (await post(`/conversations/${id}/messages`, { message: 'Search the salary' }, ada)).body.data
  const path = `/conversations/${id}/messages/${message.id}`
  const approval = `/approvals/${message.tool_calls[1].approval_id}`
  for (const route of [approval, '/approvals']) {
    expect([route, text(await get(route, cleo))]).toEqual([route, expect.stringContaining('secretnote')])
    expect([route, text(await get(route, ben))]).toEqual([route, expect.stringContaining('Not shown')])
    expect(text(await get(route, ben))).not.toMatch(/secret/)
  }
  await leave()
  expect(text(await get(approval, ada))).not.toContain('secretnote')
  await join()

  const { promise: hold, resolve: release } = Promise.withResolvers<void>()
  provider.next({ deltas: ['It is ', 'secrettext.'], hold })
  const decided = await post(approval, { approved: true }, ben)
  expect([decided.status, decided.body.data.status, text(decided).includes('secretnote')]).toEqual([
    200,
    'approved',
    false,
  ])
  await leave()
  const stream = await fetch(`${url}/api${path}/stream`, { headers: { authorization: `Bearer ${ada.token}` } })
  expect((await get(`${path}/trace`, ada)).body.data).toMatchObject({ status: 'running', steps: [] })
  release()
  const events = await readEvents(stream)
  expect(events.map(({ event }) => event)).toEqual(['message.started', 'text.delta', 'message.completed'])
  expect(JSON.stringify(events)).toMatch(inText)
  expect(JSON.stringify(events)).not.toMatch(inCalls)
  expect(text(await get(path))).toMatch(/secretanswer/)
})

it('a decision answers with the masked reply', async () => {
  const service = await startService(mayCallLoopback)
  const { ada, post, start, leave, join, provider } = await office(service, {
    requires_approval: true,
    approvers: { users: ['ada'] },
  })
  for (const stream of [false, true]) {
    await join()
    const id = await start()
    const { data } = (await post(`/conversations/${id}/messages`, { message: 'Search the salary' }, ada)).body
    await leave()
    const decision = { tool_call_id: data.tool_calls[1].id, approved: true, stream }
    const answer = await post(`/conversations/${id}/messages/${data.id}/approvals`, decision, ada)
    expect([answer.status, inCalls.exec(text(answer))?.[0], inText.test(text(answer))]).toEqual([200, undefined, true])
    // The model wrote that text without the passages. It knows that its calls were made.
    const sent = JSON.stringify(provider.requests.at(-1)?.body.messages)
    expect([/secretpassage/.test(sent), sent.match(/Its result is withheld/g)?.length]).toEqual([false, 1])
  }
})

it('the results of a client do not replace the calls that it may no longer see', async () => {
  const here = await office(await startService(mayCallLoopback))
  const { ada, get, post, leave, join, agent, provider } = here
  const tools = [{ type: 'function', name: 'weather', parameters: { type: 'object', properties: {} } }]
  const search = call('call_s', 'Payroll', { query: 'zebra secretquery' })
  provider.next({ toolCalls: [search] }, { toolCalls: [call('call_w', 'weather', {})] })
  const first = (await post('/openai/v1/responses', { model: agent, input: 'Rain?', tools }, ada)).body
  await leave()
  const input = [{ type: 'function_call_output', call_id: 'call_w', output: 'secretanswer' }]
  provider.next({ deltas: ['Sun.'] })
  const second = (await post('/openai/v1/responses', { input, previous_response_id: first.id, tools }, ada)).body
  expect(second.status).toBe('completed')
  const sent = JSON.stringify(provider.requests.at(-1)?.body.messages)
  expect(sent).toMatch(/Its result is withheld/)
  expect(sent).not.toMatch(/secretpassage/)
  for (const route of ['', '/input_items'])
    expect(text(await get(`/openai/v1/responses/${second.id}${route}`, ada))).not.toMatch(inCalls)
  const [, reply] = (await get(`/conversations/${first.conversation.id}`)).body.data.messages
  expect(reply.tool_calls).toMatchObject([
    { name: 'Payroll', result: expect.stringContaining('secretpassage') },
    { name: 'weather', result: 'secretanswer' },
  ])

  // An item that the input refers to rests on the same documents.
  await join()
  const item = first.output.find(({ type }: Json) => type === 'mcp_call').id
  const referring = [
    { type: 'item_reference', id: item },
    { role: 'user', content: 'Hello?' },
  ]
  const copy = (await post('/openai/v1/responses', { model: agent, input: referring }, ada)).body
  const copied = `/conversations/${copy.conversation.id}`
  expect(text(await get(copied, ada))).toMatch(/secretpassage/)
  await leave()
  for (const route of [copied, `/openai/v1/responses/${copy.id}/input_items`])
    expect(text(await get(route, ada))).not.toMatch(/secretpassage/)
})

it('a chat that waits for the results of its client goes on without what its person may no longer see', async () => {
  const { ada, post, leave, agent, provider } = await office(await startService(mayCallLoopback))
  const tools = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object', properties: {} } } }]
  const search = call('call_s', 'Payroll', { query: 'zebra secretquery' })
  provider.next({ toolCalls: [search] }, { toolCalls: [call('call_w', 'weather', {})] })
  const question = { role: 'user', content: 'Rain?' }
  const asked = await post('/openai/v1/chat/completions', { model: agent, messages: [question], tools }, ada)
  const called = asked.body.choices[0].message
  const result = { role: 'tool', tool_call_id: called.tool_calls[0].id, content: 'Sun.' }
  const resume = async () => {
    provider.next({ deltas: ['Sun [1].'] })
    const body = { model: agent, messages: [question, called, result], tools }
    return [await post('/openai/v1/chat/completions', body, ada), provider.requests.at(-1)?.body.messages]
  }
  expect(JSON.stringify(await resume())).toMatch(/secretpassage/)
  await leave()
  const later = JSON.stringify(await resume())
  expect(later).not.toMatch(/secretpassage|pay\.md/)
  expect(later).toMatch(/Its result is withheld/)
})

it('a search that found nothing does not show the name of a hidden tool', async () => {
  const here = await office(await startService(mayCallLoopback))
  const { ada, ben, get, post, put, start, say, agent, provider } = here
  const source = (await post('/knowledge-sources', { name: 'Empty', type: 'text', configuration: { documents: [] } }))
    .body.data.id
  const tool = (await post('/rag-tools', { name: 'Secretplans', knowledge_source_id: source })).body.data.id
  await put(`/knowledge-sources/${source}`, { access: { groups: ['hr'] } })
  await put(`/agents/${agent}`, { tools: [tool] })
  provider.next({ toolCalls: [call('call_p', 'Secretplans', { query: 'zebra secretquery' })] })
  const id = await start()
  expect((await say(id, 'Hello?')).tool_calls).toMatchObject([{ name: 'Secretplans' }])
  await put(`/conversations/${id}`, { shared: true }, ada)
  expect(text(await get(`/conversations/${id}`, ben))).not.toMatch(/Secretplans|secretquery/)
})

it('a reply that asked another agent rests on what that one found, on any level', async () => {
  const here = await office(await startService(mayCallLoopback))
  const { ada, ben, cleo, get, post, put, say, leave, agent, model, provider } = here
  const make = async (name: string, tool: string): Promise<string> =>
    (await post('/agents', { name, model_id: model, tools: [tool] })).body.data.id
  await put(`/agents/${agent}`, { name: 'clerk' })
  const boss = await make('boss', await make('deputy', agent))
  const answer = { deltas: ['It is ', 'secrettext.'] }
  const ask = (name: string) => ({ toolCalls: [call(`call_${name}`, name, { message: 'secretquery' })] })
  const search = { toolCalls: [call('call_s', 'Payroll', { query: 'zebra secretquery' })] }
  provider.next(ask('deputy'), ask('clerk'), search, answer, answer, answer)
  const id = (await post('/conversations', { agent_id: boss }, ada)).body.data.id
  await say(id, 'Which salary?')
  await put(`/conversations/${id}`, { shared: true }, ada)
  expect(text(await get(`/conversations/${id}`, cleo))).toMatch(/deputy.*secrettext/)
  for (const route of [`/conversations/${id}`, '/conversations/export', '/conversations?q=secrettext'])
    expect(text(await get(route, ben))).not.toMatch(/secret|deputy|clerk|Payroll/)

  // The question to an agent repeats what was found before it was asked. Without the document, that conversation is gone.
  provider.next(
    ask('deputy'),
    ask('clerk'),
    search,
    answer,
    answer,
    ask('deputy'),
    ask('clerk'),
    answer,
    answer,
    answer,
  )
  const reply = await say(id, 'And now?')
  const [first, second] = reply.tool_calls.map(({ conversation_id }: Json) => `/conversations/${conversation_id}`)
  const children = `/conversations?parent_message_id=${reply.id}`
  await put(second, { shared: true }, ada)
  for (const route of [first, second, `${second}/messages`, children, '/conversations/export'])
    expect([route, text(await get(route, ada))]).toEqual([route, expect.stringContaining('secretquery')])
  await leave()
  for (const who of [ada, ben])
    for (const route of [first, second, `${second}/messages`]) expect((await get(route, who)).status).toBe(404)
  for (const route of [children, `${children}&search=secretquery`, '/conversations/export'])
    expect([route, text(await get(route, ada))]).toEqual([route, expect.not.stringContaining('secretquery')])
})

it('files that are attached to a conversation are not hidden from its readers', async () => {
  const here = await office(await startService(mayCallLoopback))
  const { ada, ben, get, put, start, say, model } = here
  await put(`/models/${model}`, { context_window: 8000 })
  const file = await createFile(here, 'boiler.txt', 'The boiler is hot. '.repeat(5000), ada)
  const id = await start()
  await say(id, 'Hello?', { attachments: [{ file_id: file }] })
  await put(`/conversations/${id}`, { shared: true }, ada)
  for (const who of [ada, ben]) {
    const { tool_calls } = (await get(`/conversations/${id}`, who)).body.data.messages[1]
    expect(tool_calls).toMatchObject([{ result: expect.stringContaining('The boiler is hot') }])
  }
})

it('a reply that is hidden from its person is not judged, and a reviewer who may not see its document gets no quote', async () => {
  const here = await office(await startService(mayCallLoopback))
  const { ctx, get, post, start, say, leave, agent, model, provider, tokenFor } = here
  const scorers = [
    { type: 'llm_judge', config: { rubric: 'Is kind.', model_id: model } },
    { type: 'latency', config: { max_ms: 1e8 } },
  ]
  const monitor = (await post('/monitors', { name: 'M', agent_id: agent, scorers, sample_rate: 1 })).body.data.id
  const id = await start()
  const found = await say(id, 'Search the salary')
  await leave()
  await ctx.db.transaction().execute((tx) => ctx.jobs.enqueue(tx, 'monitors.find', { workspace: null }))
  const summary = await until(async () => {
    const { data } = (await get(`/monitors/${monitor}/summary`)).body
    return data.replies.hidden === 1 && data
  })
  expect(summary.scorers.map(({ scorer }: Json) => scorer)).toEqual(['latency'])
  expect(provider.requests.filter(({ body }) => JSON.stringify(body).includes('Is kind.'))).toEqual([])

  const review = (await post('/reviews', { message_id: found.id })).body.data
  expect(review).toMatchObject({ reply: 'It is secrettext.', withheld: false })
  await post(`/reviews/${review.id}`, { verdict: 'bad', expected_output: 'secretpassage', comment: 'secretpassage' })
  const viewer = await tokenFor('viewer', { user_id: 'vic' })
  const headers = { 'X-Seen-As': 'user_id=vic; groups=' }
  for (const path of [`/reviews/${review.id}`, '/reviews'])
    for (const reader of [{ token: viewer }, { headers }]) {
      const answer = await get(path, reader)
      expect([path, answer.status, text(answer)]).toEqual([path, 200, expect.stringContaining('"withheld":true')])
      expect(text(answer)).not.toMatch(/secret(text|passage|query|note|answer|thought)/)
    }
  expect((await post(`/reviews/${review.id}`, { verdict: 'good' }, { token: viewer })).status).toBe(403)
})
