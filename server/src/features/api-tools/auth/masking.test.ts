import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../test/harness.ts'
import { connect, resultText } from '../../../../test/mcp.ts'
import { mcpServer, type ServedTool } from '../../../../test/mcp-server.ts'
import { mayCallLoopback, scriptedApi } from '../../../../test/scripted-api.ts'
import { stage } from '../../../../test/stage.ts'

const json = { 'content-type': 'application/json' }
const secret = 'abc/def+SECRET&"x'
const bearer = { type: 'bearer', token: secret }

/** A tool whose API answers with exactly this text. */
async function withAnswer(answer: string, tool: object, headers: Record<string, string> = json) {
  const api = await scriptedApi(() => ({ headers, body: answer }))
  const here = await stage({ deltas: ['Done'] }, mayCallLoopback)
  const made = await here.post('/api-tools', { name: 'echo', description: 'D', url: `${api.url}/x`, ...tool })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  const { id } = made.body.data
  return { ...here, id, test: async (): Promise<Json> => (await here.post(`/api-tools/${id}/test`, {})).body.data }
}

const answered = async (...args: Parameters<typeof withAnswer>): Promise<Json> => (await withAnswer(...args)).test()

describe('a secret that an API echoes', () => {
  const escaped = 'abc\\/def\\u002BSECRET\\u0026\\"x'

  it('is masked however JSON escapes it, in tests and turns', async () => {
    const answer = `{"auth":"Bearer ${escaped}","${escaped}":["${escaped}",{"in":"x${escaped}x"}],"count":3}`
    const { test, url, token, put, agent, id, provider, told, say, talk } = await withAnswer(answer, { auth: bearer })
    const masked = { auth: 'Bearer ••••', '••••': ['••••', { in: 'x••••x' }], count: 3 }
    expect(await test()).toMatchObject({ ok: true, body: masked })

    await put(`/agents/${agent}`, { tools: [id] })
    provider.next({ toolCalls: [{ id: 'c1', name: 'echo', arguments: '{}' }] }, { deltas: ['Done'] })
    const { data } = (await say(await talk(), 'Go')).body
    expect(JSON.parse(data.tool_calls[0].result)).toEqual(masked)
    expect(JSON.parse(told(1).at(-1) ?? '')).toEqual(masked)
    const client = await connect(url, token)
    expect(JSON.parse(resultText(await client.callTool({ name: 'echo', arguments: {} })))).toEqual(masked)
  })

  it('is masked before response_path is applied', async () => {
    const answer = `{"auth":"Bearer ${escaped}"}`
    expect((await answered(answer, { auth: bearer, response_path: 'auth' })).body).toBe('Bearer ••••')
    expect((await answered(answer, { auth: bearer, response_path: 'reverse(auth)' })).body).toBe('•••• reraeB')
  })

  it.each([
    ['JSON within JSON', JSON.stringify({ log: `{"auth":"${escaped}"}` }), json, { log: '{"auth":"••••"}' }],
    ['JSON that breaks off', `{"auth":"${escaped}",`, {}, '{"auth":"••••",'],
    ['text', `you sent ${secret}, or ${escaped}`, {}, 'you sent ••••, or ••••'],
    ['an address', 'at /?k=abc%2fdef%2BSECRET%26%22x&l=1', {}, 'at /?k=••••&l=1'],
    ['a page', '<p>abc&#x2F;def+SECRET&amp;&quot;x</p> &lt;', {}, '<p>••••</p> &lt;'],
  ])('is masked in %s', async (_, answer, headers, body) => {
    expect((await answered(answer, { auth: bearer }, headers)).body).toEqual(body)
  })

  it('is masked as a number only if it is long', async () => {
    const basic = (password: string) => ({ auth: { type: 'basic', username: 'ada', password } })
    const answer = '{"count":1000,"pin":4711081512,"near":4711081513}'
    expect((await answered(answer, basic('1000'))).body).toEqual(JSON.parse(answer))
    expect((await answered(answer, basic('4711081512'))).body).toEqual({ count: 1000, pin: '••••', near: 4711081513 })
  })
})

describe('a secret that is short or a common word', () => {
  const basic = (password: string) => ({ auth: { type: 'basic', username: 'ada', password } })

  it.each(['1000', 'true', 'null'])('does not break the JSON of a response: %s', async (password) => {
    const answer = '{"count":1000,"is":true,"none":null,"list":[1000,"all"]}'
    expect(await answered(answer, basic(password))).toMatchObject({ ok: true, body: JSON.parse(answer) })
    expect(await answered(answer, { ...basic(password), response_path: 'list[0]' })).toMatchObject({ body: 1000 })
  })

  it('is masked as a whole text and in places of credentials', async () => {
    const pair = Buffer.from('ada:ab').toString('base64')
    const answer = JSON.stringify({ you: 'ab', said: `Basic ${pair}`, as: 'ada:ab', about: 'abacus' })
    expect((await answered(answer, basic('ab'))).body).toEqual({
      you: '••••',
      said: 'Basic ••••',
      as: 'ada:••••',
      about: 'abacus',
    })
    const token = { auth: { type: 'bearer', token: 'ab' } }
    expect((await answered('"no Bearer ab, but abacus"', token)).body).toBe('no Bearer ••••, but abacus')
    expect((await answered('ab\n', token, {})).body).toBe('••••')
    const key = { auth: { type: 'api_key', name: 'X-K', value: 'ab' } }
    expect((await answered('X-K: ab; x-k=ab; ab', key, {})).body).toBe('X-K: ••••; x-k=••••; ab')
  })
})

describe("an MCP server's secret", () => {
  async function withServer(tools: ServedTool[], auth: object) {
    const server = await mcpServer(tools)
    const here = await stage({ deltas: ['Done'] }, mayCallLoopback)
    const made = await here.post('/api-tools', {
      name: 'm',
      description: 'D',
      type: 'mcp',
      url: server.url,
      auth,
      requires_approval: false,
    })
    const { id } = made.body.data
    await here.put(`/agents/${here.agent}`, { tools: [id] })
    return { ...here, test: async (body = {}): Promise<Json> => (await here.post(`/api-tools/${id}/test`, body)).body }
  }

  it('is masked in the tools of a server', async () => {
    const plain = 'sesame-open-up'
    const properties = { a: { type: 'string', description: `not ${plain}`, default: plain, enum: [plain] } }
    const tool = { name: `tell_${plain}`, description: `Knows ${plain}.`, schema: { type: 'object', properties } }
    const ran: string[] = []
    const run = () => {
      ran.push(plain)
      return { content: [{ type: 'text', text: `it is ${plain}` }] }
    }
    const { test, url, token, provider, say, talk } = await withServer([{ ...tool, run }], {
      type: 'bearer',
      token: plain,
    })
    const listed = await test()
    expect(listed.data.body.tools).toMatchObject([
      {
        name: 'tell_••••',
        description: 'Knows ••••.',
        parameters: { properties: { a: { type: 'string', description: 'not ••••', default: '••••', enum: ['••••'] } } },
      },
    ])
    expect((await test({ tool: 'tell_••••', arguments: {} })).data.body.content[0].text).toBe('it is ••••')
    expect(ran).toEqual([plain])
    const none = await test({ tool: 'none' })
    await say(await talk(), 'Go')
    const offered = provider.requests[0]?.body.tools
    expect(offered).toMatchObject([{ function: { description: 'Knows ••••.' } }])
    const client = await connect(url, token)
    const { tools } = await client.listTools()
    expect(tools.some(({ description }) => description === 'Knows ••••.')).toBe(true)
    expect(JSON.stringify([listed, none, offered, tools])).not.toContain(plain)
  })

  it.each(['string', 'object', 'text', 'type'])('may be a word of the protocol: %s', async (token) => {
    const schema = { type: 'object', properties: { a: { type: ['string', 'null'] } } }
    const run = () => ({ content: [{ type: 'text', text: 'hello' }] })
    const { test } = await withServer([{ name: 'greet', description: 'Greets.', schema, run }], {
      type: 'bearer',
      token,
    })
    expect((await test()).data.body.tools[0].parameters).toMatchObject(schema)
    expect((await test({ tool: 'greet' })).data.body.content).toEqual([{ type: 'text', text: 'hello' }])
  })
})
