import { describe, expect, it } from 'vitest'
import type { Json } from '../../../test/harness.ts'
import { mayCallLoopback, scriptedApi } from '../../../test/scripted-api.ts'
import type { Script } from '../../../test/scripted-provider.ts'
import { stage } from '../../../test/stage.ts'

async function withTools(tools: object[], ...play: Parameters<typeof scriptedApi>) {
  const api = await scriptedApi(...play)
  const here = await stage({ deltas: ['Done'] }, mayCallLoopback)
  const ids: string[] = []
  for (const tool of tools) {
    const { status, body } = await here.post('/api-tools', { description: 'D', url: `${api.url}/x`, ...tool })
    if (status !== 201) throw new Error(JSON.stringify(body))
    ids.push(body.data.id)
  }
  await here.put(`/agents/${here.agent}`, { tools: ids })
  const ask = async (...scripts: Script[]): Promise<Json> => {
    here.provider.next(...scripts)
    return (await here.say(await here.talk(), 'Go')).body.data
  }
  return { ...here, api, ids, ask }
}

const calls = (...each: [name: string, args: string][]): Script => ({
  toolCalls: each.map(([name, args], index) => ({ id: `call_${index}`, name, arguments: args })),
})
const lastTold = (request: Json): string => request.body.messages.at(-1).content
const city = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
}

describe('an agent with API tools', () => {
  it('calls them and gets their responses', async () => {
    const { ask, api, ids, provider } = await withTools(
      [{ name: 'weather', query: { q: '{city}' }, parameters: city, response_path: 'temperature' }],
      () => ({ body: { temperature: 21, secret: 'x' } }),
    )
    const data = await ask(calls(['weather', '{"city":"São Paulo"}']), { deltas: ['21 degrees.'] })
    expect(data).toMatchObject({ status: 'completed', content: '21 degrees.' })
    expect(data.tool_calls).toMatchObject([
      { tool_id: ids[0], name: 'weather', arguments: { city: 'São Paulo' }, status: 'completed', result: '21' },
    ])
    expect(api.requests[0]?.url).toBe('/x?q=S%C3%A3o%20Paulo')
    expect(provider.requests[0]?.body.tools).toMatchObject([{ function: { name: 'weather', parameters: city } }])
  })

  it('gets errors of its arguments and of the API, and continues', async () => {
    const { ask, api } = await withTools([{ name: 'weather', parameters: city }], ({ url }) =>
      url.includes('nowhere') ? { status: 404, body: { message: 'no such city' } } : undefined,
    )
    const data = await ask(
      calls(
        ['weather', '{"town":1}'],
        ['weather', '[]'],
        ['weather', '"x"'],
        ['weather', 'null'],
        ['weather', '{"city":"nowhere"}'],
      ),
      { deltas: ['Sorry.'] },
    )
    expect([data.status, data.content]).toEqual(['completed', 'Sorry.'])
    const results = data.tool_calls.map((call: Json) => call.result)
    expect(data.tool_calls.every((call: Json) => call.status === 'failed')).toBe(true)
    expect(results[0]).toMatch(/city is required.*town is not one of the parameters.*call the tool again/)
    expect(results[1]).toMatch(/must be an object/)
    expect(results[4]).toMatch(/404 Not Found.*no such city/)
    expect(api.requests.length).toBe(1)
  })

  it('is told which of its arguments were not sent', async () => {
    const { additionalProperties: _, ...open } = city
    const { ask, api, provider } = await withTools([{ name: 'weather', parameters: open }], ({ url }) =>
      url.includes('nowhere') ? { status: 404 } : { body: 'Sunny.' },
    )
    const data = await ask(
      calls(['weather', '{"city":"Oslo","admin":true}'], ['weather', '{"city":"nowhere","limit":9}']),
      { deltas: ['Sunny.'] },
    )
    expect(provider.requests[0]?.body.tools).toMatchObject([{ function: { parameters: city } }])
    expect(api.requests.map(({ url }) => url).sort()).toEqual(['/x?city=Oslo', '/x?city=nowhere'])
    expect(data.tool_calls.map(({ result }: Json) => result)).toEqual([
      'Sunny.\n[Not sent, because the tool has no such arguments: admin]',
      expect.stringMatching(/404 Not Found\.\n\[Not sent, because the tool has no such arguments: limit\]$/),
    ])
  })

  it('runs calls in parallel', async () => {
    let waiting: (() => void)[] = []
    const { ask } = await withTools([{ name: 'meet' }], async () => {
      // Nobody is answered before all three are there.
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
        if (waiting.length === 3) for (const go of waiting.splice(0)) go()
      })
      return { body: 'met' }
    })
    waiting = []
    const data = await ask(calls(['meet', '{}'], ['meet', '{}'], ['meet', '{}']), { deltas: ['Met.'] })
    expect(data.tool_calls.map((call: Json) => call.result)).toEqual(['met', 'met', 'met'])
  })

  it('gets long responses truncated, with a note', async () => {
    const { ask, provider } = await withTools([{ name: 'long' }], () => ({ body: 'word '.repeat(50_000) }))
    const data = await ask(calls(['long', '{}']), { deltas: ['Long.'] })
    expect(data.tool_calls[0].status).toBe('completed')
    const told = lastTold(provider.requests[1])
    expect(told.length).toBeLessThan(70_000)
    expect(told).toMatch(/cut off/)
  })

  it('never sees a secret, whatever the API echoes', async () => {
    const secret = 'sesame-open-up'
    const { ask, provider } = await withTools(
      [{ name: 'echo', auth: { type: 'bearer', token: secret } }],
      ({ headers }) => ({ status: 500, body: { message: `bad ${headers.authorization}` } }),
    )
    const data = await ask(calls(['echo', '{}']), { deltas: ['Odd.'] })
    expect(data.tool_calls[0].result).toContain('bad Bearer ••••')
    expect(JSON.stringify([data, provider.requests.map(({ body }) => body)])).not.toContain(secret)
  })

  it('can have fifty tools', async () => {
    const { ask, provider, api } = await withTools(
      Array.from({ length: 50 }, (_, n) => ({ name: `tool_${n}`, query: { n } })),
    )
    const data = await ask(calls(...Array.from({ length: 50 }, (_, n): [string, string] => [`tool_${n}`, '{}'])), {
      deltas: ['All.'],
    })
    expect(provider.requests[0]?.body.tools).toHaveLength(50)
    expect(data.tool_calls.map((call: Json) => call.status)).toEqual(Array(50).fill('completed'))
    expect(api.requests.map(({ url }) => url).sort()).toEqual(Array.from({ length: 50 }, (_, n) => `/x?n=${n}`).sort())
  })
})
