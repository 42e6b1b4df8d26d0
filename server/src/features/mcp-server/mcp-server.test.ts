import type { Client } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { library } from '../../../test/handbook.ts'
import { type Json, until } from '../../../test/harness.ts'
import { connect, mcpStage, resultText } from '../../../test/mcp.ts'
import { stage } from '../../../test/stage.ts'

describe.each(['legacy', undefined] as const)('the official MCP client (protocol: %s)', (version) => {
  it('finds agents and tools, and calls them', async () => {
    const { url, token, get, echo, agent, told } = await mcpStage()
    const client = await connect(url, token, version)
    expect(client.getNegotiatedProtocolVersion()).toBe(version === 'legacy' ? '2025-11-25' : '2026-07-28')
    expect(client.getServerVersion()).toMatchObject({ name: 'parley' })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['ask_hello_co', 'echo', 'echo_1'])
    expect(tools[0]).toMatchObject({
      title: 'Héllo & Co',
      inputSchema: { properties: { message: { type: 'string' } } },
    })

    const first = (await client.callTool({ name: 'ask_hello_co', arguments: { message: 'Hi' } })) as Json
    expect([resultText(first), first.isError]).toEqual(['Hello there', undefined])
    const id = first.structuredContent.conversation_id
    expect(first.content[1].text).toContain(id)
    await client.callTool({ name: 'ask_hello_co', arguments: { message: 'Again', conversation_id: id } })
    expect(told(1)).toEqual(['Be kind.', 'Hi', 'Hello there', 'Again'])
    const conversation = (await get(`/conversations/${id}`)).body.data
    expect(conversation).toMatchObject({ agent_id: agent, metadata: { channel: 'mcp' } })
    expect(conversation.messages.length).toBe(4)

    const said = (await client.callTool({ name: 'echo', arguments: { text: 'ping' } })) as Json
    expect([resultText(said), echo.calls]).toEqual(['ping', [{ text: 'ping' }]])
  })
})

describe('the MCP server', () => {
  it('reports failures as results that a model can read', async () => {
    const { url, token, provider, echo, talk, post, say } = await mcpStage()
    const client = await connect(url, token)
    const failing = async (name: string, args: Record<string, unknown>) => {
      const result = (await client.callTool({ name, arguments: args })) as Json
      expect(result.isError).toBe(true)
      return resultText(result)
    }
    expect(await failing('echo', { text: 'x', fail: true })).toContain('it would not')
    expect(await failing('ask_hello_co', {})).toContain('message: must be a non-empty string')
    expect(await failing('ask_hello_co', { message: 'x', loud: true })).toContain('loud')
    expect(await failing('ask_hello_co', { message: 'x', conversation_id: 'cnv_none' })).toContain('not_found')
    const other = (await post('/agents', { name: 'Other' })).body.data.id
    const theirs = (await post('/conversations', { agent_id: other })).body.data.id
    expect(await failing('ask_hello_co', { message: 'x', conversation_id: theirs })).toContain('another agent')
    provider.next({ status: 400, body: { error: { message: 'Bad prompt.' } } })
    expect(await failing('ask_hello_co', { message: 'x' })).toContain('provider_error')
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    provider.next({ deltas: ['Some ', 'words'], hold: released })
    const busy = await talk()
    const asked = provider.requests.length
    const running = say(busy, 'Talk')
    await until(() => provider.requests.length > asked)
    expect(await failing('ask_hello_co', { message: 'x', conversation_id: busy })).toContain('conversation_busy')
    release()
    await running
    await expect(client.callTool({ name: 'none' })).rejects.toThrow('There is no tool "none"')
    expect(echo.calls.length).toBe(1)
  })

  it('searches knowledge', async () => {
    const here = await stage()
    const { url, token } = here
    const { ragTool, retrievalTool } = await library(here, [
      { title: 'Rules', content: 'Returns are accepted within thirty days of delivery.' },
    ])
    await ragTool({ name: 'House rules' })
    await retrievalTool({ name: 'All rules' })
    const client = await connect(url, token)
    for (const name of ['House_rules', 'All_rules']) {
      const found = await client.callTool({ name, arguments: { query: 'When can I return something?' } })
      expect(resultText(found)).toContain('within thirty days')
      const { structuredContent, content } = found as Json
      const [{ metadata, content: passage }] = structuredContent.results
      expect([metadata.source, passage]).toEqual(['Rules', expect.stringContaining('within thirty days')])
      expect(content[1]).toMatchObject({ type: 'resource_link', name: 'Rules', mimeType: 'text/plain' })
      const { contents } = await client.readResource({ uri: content[1].uri })
      expect(contents).toEqual([{ uri: content[1].uri, mimeType: 'text/plain', text: passage }])
    }
    const empty = (await client.callTool({ name: 'House_rules', arguments: {} })) as Json
    expect([empty.isError, resultText(empty)]).toEqual([true, expect.stringContaining('query')])
  }, 300_000) // a source is read first, by threads of low priority

  it('gives the sources of an answer as data and as links that can be read', async () => {
    const here = await stage()
    const quote = 'Returns are accepted within thirty days of delivery.'
    const { ragTool } = await library(here, [{ title: 'Rules', content: quote }])
    await here.put(`/agents/${here.agent}`, { tools: [await ragTool({ name: 'Rules' })] })
    const call = { name: 'Rules', arguments: '{"query":"When can I return something?"}' }
    here.provider.next({ toolCalls: [call] }, { deltas: ['Within thirty days [1].'] })
    const ada = await connect(here.url, await here.tokenFor('user', { user_id: 'ada' }))
    const answer = (await ada.callTool({ name: 'ask_a', arguments: { message: 'When?' } })) as Json
    const { citations, conversation_id, message_id } = answer.structuredContent
    const uri = `parley://conversations/${conversation_id}/messages/${message_id}/citations/1`
    expect(citations).toMatchObject([{ index: 1, source: 'Rules', page: 1, quote, uri }])
    const link = { type: 'resource_link', uri, name: 'Rules', description: quote }
    expect(answer.content.slice(2)).toMatchObject([link])
    expect((await ada.readResource({ uri })).contents).toMatchObject([{ uri, text: quote }])
    const { resourceTemplates } = await ada.listResourceTemplates()
    expect(resourceTemplates.map(({ name }) => name)).toEqual(['citation', 'passage'])

    const { document_id } = citations[0]
    const bob = await connect(here.url, await here.tokenFor('user', { user_id: 'bob' }))
    const viewer = await connect(here.url, await here.tokenFor('viewer'))
    const passage = `parley://documents/${document_id}/0-7`
    expect((await viewer.readResource({ uri: passage })).contents).toMatchObject([{ text: 'Returns' }])
    for (const [client, hidden] of [
      [bob, uri],
      [bob, passage],
      [viewer, uri],
      [viewer, 'parley://documents/doc_none/0-7'],
      [ada, uri.replace(/1$/, '2')],
      [ada, 'file:///etc/passwd'],
    ] as const)
      await expect(client.readResource({ uri: hidden }), hidden).rejects.toThrow(/not found/i)
  }, 300_000)

  it('says that a call waits for approval, and has the reply after the decision', async () => {
    const { url, token, provider, echo, put, post, agent, cautious, tool } = await mcpStage()
    const client = await connect(url, token)
    const refused = (await client.callTool({ name: 'echo_1', arguments: { text: 'x' } })) as Json
    expect([refused.isError, resultText(refused)]).toEqual([true, expect.stringContaining('approval')])
    await put(`/agents/${agent}`, { tools: [tool, cautious] })
    provider.next({ toolCalls: [{ id: 'a', name: 'echo_1', arguments: '{"text":"x"}' }] }, { deltas: ['It is done.'] })
    const ask = async (args: object) =>
      (await client.callTool({ name: 'ask_hello_co', arguments: { ...args } })) as Json
    const waiting = await ask({ message: 'Do it' })
    const { conversation_id, status, approvals } = waiting.structuredContent
    expect([waiting.isError, status, approvals]).toEqual([
      undefined,
      'awaiting_approval',
      [{ id: expect.stringMatching(/^apr_/), name: 'echo_1' }],
    ])
    expect(resultText(waiting)).toContain(approvals[0].id)
    expect(resultText(await ask({ conversation_id }))).toBe(resultText(waiting))
    expect(resultText(await ask({ message: 'Well?', conversation_id }))).toContain('conversation_busy')
    expect((await post(`/approvals/${approvals[0].id}`, { approved: true })).status).toBe(200)
    const done = await ask({ conversation_id })
    expect([resultText(done), done.structuredContent.status]).toEqual(['It is done.', 'completed'])
    expect(echo.calls).toEqual([{ text: 'x' }])
    expect(resultText(await ask({}))).toContain('message')
  })

  it('shows and calls what the role of the token permits', async () => {
    const { url, tokenFor, get, echo } = await mcpStage()
    const names = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name)
    const viewer = await connect(url, await tokenFor('viewer'))
    expect(await names(viewer)).toEqual(['ask_hello_co', 'echo', 'echo_1'])
    for (const call of [
      { name: 'echo', arguments: { text: 'x' } },
      { name: 'ask_hello_co', arguments: { message: 'x' } },
    ]) {
      const refused = (await viewer.callTool(call)) as Json
      expect([refused.isError, resultText(refused)]).toEqual([true, expect.stringContaining('"viewer" may list')])
    }
    const ada = await tokenFor('user', { user_id: 'ada' })
    const user = await connect(url, ada)
    expect(await names(user)).toEqual(['ask_hello_co'])
    await expect(user.callTool({ name: 'echo', arguments: { text: 'x' } })).rejects.toThrow('There is no tool')
    const asked = (await user.callTool({ name: 'ask_hello_co', arguments: { message: 'Hi' } })) as Json
    const id = asked.structuredContent.conversation_id
    expect((await get(`/conversations/${id}`, { token: ada })).body.data.user_id).toBe('ada')
    const bob = await connect(url, await tokenFor('user', { user_id: 'bob' }))
    const args = { message: 'Hi', conversation_id: id }
    expect(resultText(await bob.callTool({ name: 'ask_hello_co', arguments: args }))).toContain('not_found')
    const editor = await connect(url, await tokenFor('editor'))
    expect(resultText(await editor.callTool({ name: 'echo', arguments: { text: 'hey' } }))).toBe('hey')
    expect(echo.calls.length).toBe(1)
    await expect(connect(url, 'wrong')).rejects.toThrow()
  })

  it('follows the rules of all other endpoints', async () => {
    const { post, get, remove, url, token } = await mcpStage({ environment: { RATE_LIMIT: '60' } })
    const asked = await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' })
    expect(asked.status).toBe(200)
    expect(asked.headers.get('x-request-id')).toMatch(/^req_/)
    expect(asked.headers.get('x-ratelimit-limit')).toBe('60')
    expect(asked.body).toContain('ask_hello_co')
    const versioned = await fetch(`${url}/api/v1/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    })
    expect([versioned.status, await versioned.text()]).toEqual([200, expect.stringContaining('"id":1')])
    const notified = await post('/mcp', { jsonrpc: '2.0', method: 'notifications/initialized' })
    expect([notified.status, notified.body]).toEqual([202, ''])
    expect((await post('/mcp', { method: 'tools/list' })).body.details[0].path).toBe('jsonrpc')
    expect((await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'x' }, { token: null })).body.code).toBe(
      'unauthenticated',
    )
    for (const answer of [await get('/mcp'), await remove('/mcp')]) {
      expect([answer.status, answer.headers.get('allow'), answer.body.success]).toEqual([405, 'POST', false])
    }
    const many = await Promise.all(
      Array.from({ length: 60 }, () => post('/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' })),
    )
    expect(many.filter(({ status, body }) => status === 429 && body.code === 'rate_limited').length).toBeGreaterThan(0)
  })

  it('gives every agent a unique tool name', async () => {
    const { url, token, post } = await stage()
    for (const name of ['Twin', 'twin!', '日本語']) await post('/agents', { name })
    const { tools } = await (await connect(url, token)).listTools()
    const names = tools.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(name).toMatch(/^[a-z0-9_]{1,64}$/)
    expect(names.filter((name) => name.startsWith('ask_twin')).length).toBe(2)
  })
})
