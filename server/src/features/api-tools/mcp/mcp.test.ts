import { describe, expect, it } from 'vitest'
import { type Json, type Start, until } from '../../../../test/harness.ts'
import { connect } from '../../../../test/mcp.ts'
import { mcpServer, type ServedTool } from '../../../../test/mcp-server.ts'
import { mayCallLoopback, scriptedApi } from '../../../../test/scripted-api.ts'
import { stage } from '../../../../test/stage.ts'

const text = (words: string) => ({ content: [{ type: 'text', text: words }] })
const add: ServedTool = {
  name: 'add',
  description: 'Adds two numbers.',
  schema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
  run: ({ a, b }) => text(String(a + b)),
}

async function withServer(
  tools: ServedTool[],
  options: Parameters<typeof mcpServer>[1] = {},
  more: object = {},
  start: Start = mayCallLoopback,
) {
  const server = await mcpServer(tools, options)
  const here = await stage({ deltas: ['Done'] }, start)
  const made = await here.post('/api-tools', {
    name: 'maths',
    description: 'Maths.',
    type: 'mcp',
    url: server.url,
    requires_approval: false,
    ...more,
  })
  const { id } = made.body.data
  await here.put(`/agents/${here.agent}`, { tools: [id] })
  const test = async (body: object = {}) => (await here.post(`/api-tools/${id}/test`, body)).body
  return { ...here, server, id, test }
}

/** A service whose clock the test moves. */
async function withClock(tools: ServedTool[], options: Parameters<typeof mcpServer>[1] = {}) {
  const clock = { now: Date.now() }
  const { environment } = mayCallLoopback
  return { ...(await withServer(tools, options, {}, { environment, now: () => clock.now })), clock }
}

const offered = (request: Json): string[] => (request?.body.tools ?? []).map((tool: Json) => tool.function.name)

describe.each([{ sessions: false }, { sessions: true }])('an MCP server (%o)', (options) => {
  it('lists its tools and runs them for the model', async () => {
    const { test, provider, talk, say, id } = await withServer([add, { name: 'odd.name' }], options)
    const listed = await test()
    expect(listed.data).toMatchObject({ ok: true, status: 200, request: { method: 'POST' } })
    expect(listed.data.body.tools[0]).toMatchObject({
      name: 'add',
      description: 'Adds two numbers.',
      parameters: add.schema,
    })
    const called = await test({ tool: 'add', arguments: { a: 1, b: 2 } })
    expect(called.data).toMatchObject({ ok: true, body: { content: [{ type: 'text', text: '3' }] } })
    const wrong = await test({ tool: 'add', arguments: { a: 'x' } })
    expect([wrong.code, wrong.details.map((each: Json) => each.path).sort()]).toEqual([
      'invalid_request',
      ['arguments.a', 'arguments.b'],
    ])
    expect((await test({ tool: 'none' })).data.error).toContain('It has: add, odd.name')

    provider.next({ toolCalls: [{ id: 'c1', name: 'maths_add', arguments: '{"a":20,"b":22}' }] }, { deltas: ['42'] })
    const { data } = (await say(await talk(), 'Add')).body
    expect(offered(provider.requests[0])).toEqual(['maths_add', 'maths_odd_name'])
    expect(provider.requests[0]?.body.tools).toMatchObject([{ function: { parameters: add.schema } }, {}])
    expect(data.tool_calls).toMatchObject([{ tool_id: id, name: 'maths_add', status: 'completed', result: '42' }])
  })

  it('may answer with much, which is masked and cut off', async () => {
    const secret = 'sesame-open-up'
    const long = `${secret} ${'word '.repeat(100_000)}`
    const tell = { name: 'tell', run: () => ({ content: [{ type: 'text', text: long }], structuredContent: { long } }) }
    const { test } = await withServer([tell], options, { auth: { type: 'bearer', token: secret } })
    const { body } = (await test({ tool: 'tell' })).data
    expect(body.content[0].text).toMatch(/^•••• word .*\[The rest was cut off: the answer was too long\.\]$/s)
    expect([body.content[0].text.length < 300_000, 'structuredContent' in body]).toEqual([true, false])
  })

  it('announces changes of its tools', async () => {
    const { server, provider, talk, say, get, post, id } = await withServer([add], options)
    const conversation = await talk()
    await say(conversation, 'One')
    expect(offered(provider.requests[0])).toEqual(['maths_add'])
    server.offer({ name: 'divide' })
    await until(async () => {
      await say(conversation, 'Two')
      return (await get(`/api-tools/${id}/tools`)).body.data.has_changes
    })
    const { version } = (await get(`/api-tools/${id}/tools`)).body.data
    await post(`/api-tools/${id}/tools/accept`, { version })
    await say(conversation, 'Three')
    expect(offered(provider.requests.at(-1))).toEqual(['maths_add', 'maths_divide'])
  })

  it('may stop and come back, and the turn continues', async () => {
    const { server, provider, talk, say, test, clock } = await withClock([add], options)
    const conversation = await talk()
    await say(conversation, 'One')
    await server.stop()
    provider.next({ toolCalls: [{ id: 'c1', name: 'maths_add', arguments: '{"a":1,"b":2}' }] }, { deltas: ['Sorry.'] })
    const { data } = (await say(conversation, 'Two')).body
    expect([data.status, data.content]).toEqual(['completed', 'Sorry.'])
    expect(data.tool_calls).toMatchObject([
      { status: 'failed', result: expect.stringMatching(/MCP server cannot be reached/) },
    ])
    expect((await test()).data).toMatchObject({ ok: false, status: null, error: expect.stringContaining('refused') })
    await server.start()
    server.forgetSessions()
    clock.now += 60_000
    provider.next({ toolCalls: [{ id: 'c2', name: 'maths_add', arguments: '{"a":1,"b":2}' }] }, { deltas: ['Three.'] })
    const again = (await say(conversation, 'Three')).body.data
    expect(again.tool_calls).toMatchObject([{ status: 'completed', result: '3' }])
  })
})

it('the tools of a server are cached for some minutes', async () => {
  const { server, provider, talk, say, clock, get, id } = await withClock([add])
  const changes = async () => (await get(`/api-tools/${id}/tools`)).body.data.has_changes
  const conversation = await talk()
  await say(conversation, 'One')
  server.tools.push({ name: 'subtract' })
  await say(conversation, 'Two')
  expect(await changes()).toBe(false)
  clock.now += 10 * 60_000
  await say(conversation, 'Three')
  expect([offered(provider.requests[2]), await changes()]).toEqual([['maths_add'], true])
})

it('a session that the server no longer knows is started again', async () => {
  const { server, test } = await withServer([add], { sessions: true })
  expect((await test({ tool: 'add', arguments: { a: 1, b: 2 } })).data.ok).toBe(true)
  server.forgetSessions()
  expect((await test({ tool: 'add', arguments: { a: 1, b: 2 } })).data.ok).toBe(true)
})

it('a server that cannot be reached becomes a tool that says so', async () => {
  const { server, provider, talk, say } = await withServer([add])
  await server.stop()
  provider.next({ toolCalls: [{ id: 'c1', name: 'maths', arguments: '{}' }] }, { deltas: ['Sorry.'] })
  const { data } = (await say(await talk(), 'Add')).body
  expect(offered(provider.requests[0])).toEqual(['maths'])
  expect(data).toMatchObject({
    status: 'completed',
    tool_calls: [{ status: 'failed', result: expect.stringContaining('refused') }],
  })
})

it('credentials are sent with every request and never shown', async () => {
  const secret = 'sesame-open-up'
  const echo: ServedTool = { name: 'echo', run: () => text(`you said ${secret}`) }
  const { server, test } = await withServer(
    [echo],
    { authorization: `Bearer ${secret}` },
    { auth: { type: 'bearer', token: secret } },
  )
  const called = await test({ tool: 'echo' })
  expect(called.data.ok).toBe(true)
  expect(server.requests.every(({ authorization }) => authorization === `Bearer ${secret}`)).toBe(true)
  expect(JSON.stringify(called)).not.toContain(secret)
  expect(called.data.body.content[0].text).toBe('you said ••••')
})

it('a test shows masked credentials in their place', async () => {
  const shown = async (auth: object, more: object = {}) => {
    const { test } = await withServer([add], {}, { auth, ...more })
    const { url, headers } = (await test()).data.request
    return [new URL(url).search, headers]
  }
  const value = 'sesame-open-up'
  expect(await shown({ type: 'api_key', name: 'X-K', value })).toEqual(['', { 'x-k': '••••' }])
  expect(await shown({ type: 'api_key', in: 'query', name: 'k', value })).toEqual(['?k=****', {}])
  expect(await shown({ type: 'bearer', token: value }, { headers: { 'X-Team': 'red' } })).toEqual([
    '',
    { 'x-team': 'red', authorization: '••••' },
  ])
  expect(await shown({ type: 'none' })).toEqual(['', {}])
})

it('arguments that a tool does not declare are not sent, as with HTTP tools', async () => {
  const received: Json[] = []
  const run = (args: Json) => {
    received.push(args)
    return text('Done')
  }
  const properties = { a: { type: 'number' } }
  const long = { a: { type: 'number', description: 'Long. '.repeat(20_000) } }
  const { provider, talk, say, test, url, token, server } = await withServer([
    { name: 'plain', schema: { type: 'object', properties }, run },
    { name: 'open', schema: { type: 'object', properties, additionalProperties: true }, run },
    { name: 'large', schema: { type: 'object', properties: long }, run }, // too large to be validated
    { name: 'odd', schema: { type: 'object', properties: { a: { type: 'number', pattern: '(?=x)' } } }, run },
  ])
  const names = ['plain', 'open', 'large', 'odd']
  const toolCalls = names.map((name) => ({ id: name, name: `maths_${name}`, arguments: '{"a":1,"b":2}' }))
  provider.next({ toolCalls }, { deltas: ['Done.'] })
  const { data } = (await say(await talk(), 'Go')).body
  const note = '[Not sent, because the tool has no such arguments: b]'
  expect(data.tool_calls.map(({ result }: Json) => result)).toEqual([
    `Done\n${note}`,
    'Done',
    `Done\n${note}`,
    `Done\n${note}`,
  ])
  expect(received).toHaveLength(4)
  expect(received.filter((args) => 'b' in args)).toHaveLength(1)

  const nested = { a: { type: 'object', properties: { b: {} } } }
  server.tools.push({ name: 'nested', schema: { type: 'object', properties: nested }, run })
  const inner = (await test({ tool: 'nested', arguments: { a: { b: 1, c: 2 } } })).data
  expect([inner.ok, inner.dropped_arguments, received.at(-1)]).toEqual([true, ['a.c'], { a: { b: 1 } }])
  const tested = (await test({ tool: 'plain', arguments: { a: 1, b: 2 } })).data
  expect([tested.ok, tested.dropped_arguments, received.at(-1)]).toEqual([true, ['b'], { a: 1 }])
  const client = await connect(url, token)
  await client.callTool({ name: 'maths_plain', arguments: { a: 2, b: 2 } })
  expect(received.at(-1)).toEqual({ a: 2 })
})

it('only the first 500 tools of a server are used, and a test says so', async () => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `t${n}` }))
  const { test, server, provider, talk, say } = await withServer(many(500))
  const whole = (await test()).data
  expect([whole.body.tools.length, 'note' in whole.body]).toEqual([500, false])
  server.tools.push(...many(503).slice(500))
  const { ok, body } = (await test()).data
  expect([ok, body.tools.length]).toEqual([true, 500])
  expect(body.note).toBe('The server offers 503 tools; only the first 500 are used.')
  expect((await test({ tool: 't502' })).data.error).toContain('only the first 500 are used')
  await say(await talk(), 'Hi')
  expect(offered(provider.requests[0])).toHaveLength(500)
})

it('errors of the server are reported to the model', async () => {
  const failing: ServedTool = { name: 'fail', run: () => ({ isError: true, ...text('no such city') }) }
  const slow: ServedTool = { name: 'slow', run: () => new Promise(() => {}) }
  const large: ServedTool = { name: 'large', run: () => text('x'.repeat(100_000)) }
  const picture: ServedTool = {
    name: 'picture',
    run: () => ({ content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] }),
  }
  const tools = [failing, slow, large, picture]
  const { provider, talk, say } = await withServer(tools, {}, { timeout_ms: 8000, max_response_bytes: 20_000 })
  const toolCalls = tools.map(({ name }, index) => ({ id: `c${index}`, name: `maths_${name}`, arguments: '{}' }))
  provider.next({ toolCalls }, { deltas: ['Sorry.'] })
  const { data } = (await say(await talk(), 'Go')).body
  expect(data.status).toBe('completed')
  expect(data.tool_calls.map((call: Json) => [call.name, call.status, call.result])).toEqual([
    ['maths_fail', 'failed', expect.stringContaining('no such city')],
    ['maths_slow', 'failed', expect.stringContaining('within 8000 ms')],
    ['maths_large', 'failed', expect.stringContaining('larger than 20000 bytes')],
    ['maths_picture', 'completed', '[image image/png, 3 bytes]'],
  ])
})

it('a URL without an MCP server is reported', async () => {
  const { post } = await stage(undefined, mayCallLoopback)
  const api = await scriptedApi(({ url }) =>
    url === '/404'
      ? { status: 404 }
      : url === '/redirect'
        ? { status: 302, headers: { location: 'http://169.254.169.254/' } }
        : { body: '<html>' },
  )
  for (const path of ['/404', '/redirect', '/page']) {
    const url = `${api.url}${path}`
    const { id } = (
      await post('/api-tools', { name: path.slice(1), description: 'D', type: 'mcp', url, timeout_ms: 2000 })
    ).body.data
    const { data } = (await post(`/api-tools/${id}/test`, {})).body
    expect([path, data.ok, typeof data.error]).toEqual([path, false, 'string'])
  }
  expect(api.requests.every(({ url }) => ['/404', '/redirect', '/page'].includes(url))).toBe(true)
})

it('tools are named after their server, whatever other tools the agent has', async () => {
  const { post, put, agent, provider, talk, say, id } = await withServer([add])
  const second = await mcpServer([add, { name: 'maths' }])
  const other = (await post('/api-tools', { name: 'other', description: 'D', type: 'mcp', url: second.url })).body.data
    .id
  const http = (await post('/api-tools', { name: 'maths2', description: 'D', url: 'https://example.com/' })).body.data
    .id
  await put(`/agents/${agent}`, { tools: [id, other, http] })
  await say(await talk(), 'Hi')
  expect(offered(provider.requests[0])).toEqual(['maths_add', 'other_add', 'other_maths', 'maths2'])
})
