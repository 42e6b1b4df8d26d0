import { expect, it } from 'vitest'
import type { Json } from '../../../test/harness.ts'
import { connect } from '../../../test/mcp.ts'
import { mcpServer, type ServedTool } from '../../../test/mcp-server.ts'
import { mayCallLoopback } from '../../../test/scripted-api.ts'
import { stage } from '../../../test/stage.ts'

const secret = 'sesame-open-up'
const parts = [
  { type: 'text', text: 'A cat.', annotations: { audience: ['user'] } },
  { type: 'image', data: 'AAAA', mimeType: 'image/png' },
  { type: 'audio', data: 'BBBB', mimeType: 'audio/wav' },
  { type: 'resource', resource: { uri: 'cats://1', mimeType: 'text/plain', text: 'Felis catus' } },
  { type: 'resource', resource: { uri: 'cats://2', mimeType: 'image/png', blob: 'CCCC' } },
  { type: 'resource_link', uri: 'cats://3', name: 'More cats' },
]

/** An agent with the tools of another MCP server. */
async function withServer(tools: ServedTool[], more: object = {}) {
  const server = await mcpServer(tools)
  const here = await stage({ deltas: ['Done'] }, mayCallLoopback)
  const { id } = (
    await here.post('/api-tools', {
      name: 'zoo',
      description: 'A zoo.',
      type: 'mcp',
      url: server.url,
      requires_approval: false,
      ...more,
    })
  ).body.data
  await here.put(`/agents/${here.agent}`, { tools: [id] })
  return here
}

it.each(['legacy', undefined] as const)('results keep images, audio and resources (protocol: %s)', async (version) => {
  const long = 'x'.repeat(100_000)
  const { url, token, provider, talk, say } = await withServer(
    [
      { name: 'look', run: () => ({ content: parts, structuredContent: { animal: 'cat' } }) },
      // Large results are read in a thread.
      { name: 'zoom', run: () => ({ content: [...parts, { type: 'text', text: `${secret} ${long}` }] }) },
      { name: 'fail', run: () => ({ isError: true, content: parts, structuredContent: { code: 7 } }) },
      { name: 'count', run: () => ({ content: [], structuredContent: { cats: 2 } }) },
    ],
    { auth: { type: 'bearer', token: secret } },
  )
  const client = await connect(url, token, version)
  const call = async (name: string, args = {}) =>
    (await client.callTool({ name: `zoo_${name}`, arguments: args })) as Json
  expect(await call('look')).toMatchObject({ content: parts, structuredContent: { animal: 'cat' } })
  expect((await call('zoom')).content).toEqual([...parts, { type: 'text', text: `•••• ${long}` }])
  const failed = await call('fail')
  expect([failed.isError, failed.content, failed.structuredContent]).toEqual([true, parts, { code: 7 }])
  expect((await call('count')).content).toEqual([{ type: 'text', text: '{"cats":2}' }])
  expect((await call('look', { loud: true })).content).toEqual([
    ...parts,
    { type: 'text', text: expect.stringContaining('loud') },
  ])

  provider.next({ toolCalls: [{ id: 'c', name: 'zoo_look', arguments: '{}' }] }, { deltas: ['A cat.'] })
  const { data } = (await say(await talk(), 'Look')).body
  expect(data.tool_calls[0].result).toBe(
    'A cat.\n[image image/png, 3 bytes]\n[audio audio/wav, 3 bytes]\nFelis catus\n[resource cats://2]\n[More cats: cats://3]',
  )
})

it('schemas of tools keep their dialect, which models do not get', async () => {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { name: { type: 'string' } },
  }
  const here = await withServer([{ name: 'feed', schema }])
  const { url, token, post, put, provider, talk, say, agent, get } = here
  const dialect = 'https://json-schema.org/draft/2020-12/schema'
  const own = { name: 'pet', description: 'Pets.', url: 'https://example.com/{name}' }
  const parameters = { ...schema, $schema: dialect }
  const { id } = (await post('/api-tools', { ...own, parameters })).body.data
  await put(`/agents/${agent}`, { tools: [...(await get(`/agents/${agent}`)).body.data.tools, id] })
  const { tools } = await (await connect(url, token)).listTools()
  const dialects = tools.map(({ name, inputSchema }) => [name, (inputSchema as Json).$schema])
  expect(Object.fromEntries(dialects)).toMatchObject({ zoo_feed: schema.$schema, pet: dialect })
  await say(await talk(), 'Hi')
  const specs = provider.requests[0]?.body.tools as Json[]
  expect(specs.map((spec) => spec.function.name).sort()).toEqual(['pet', 'zoo_feed'])
  for (const spec of specs) {
    expect(spec.function.parameters).toMatchObject({ type: 'object', properties: schema.properties })
    expect(spec.function.parameters).not.toHaveProperty('$schema')
  }
})

it('subscriptions are a method that does not exist, like any other', async () => {
  const { url, token } = await stage()
  const facts = { protocolVersion: '2026-07-28', clientInfo: { name: 'test', version: '1' }, clientCapabilities: {} }
  const _meta = Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [`io.modelcontextprotocol/${name}`, value]),
  )
  for (const method of ['subscriptions/listen', 'no/such-method']) {
    const response = await fetch(`${url}/api/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'mcp-protocol-version': facts.protocolVersion,
        'mcp-method': method,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params: { notifications: {}, _meta } }),
    })
    expect([response.status, await response.json()]).toEqual([
      404,
      { jsonrpc: '2.0', id: 7, error: { code: -32_601, message: 'Method not found' } },
    ])
  }
})
