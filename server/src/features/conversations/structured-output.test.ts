import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { call, cautious } from '../../../test/cautious-stage.ts'
import { echoTool } from '../../../test/echo-tool.ts'
import { readEvents } from '../../../test/event-stream.ts'
import { type Json, until } from '../../../test/harness.ts'
import { mainThreadWork } from '../../../test/main-thread.ts'
import { type Stage, stage } from '../../../test/stage.ts'

const schema = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'array', items: { type: 'object', required: ['rain'] } } },
  required: ['city'],
  additionalProperties: false,
}
const makeFormat = (of: object, more: object = {}) => ({
  type: 'json_schema',
  json_schema: { name: 'forecast', schema: of, ...more },
})
const response_format = makeFormat(schema, { strict: true })

/** Definitions of which each refers twice to the next. */
const doubling = (levels: number) => ({
  $defs: {
    ...Object.fromEntries(
      Array.from({ length: levels }, (_, at) => {
        const next = { $ref: `#/$defs/l${at + 1}` }
        return [`l${at}`, { allOf: [next, next] }]
      }),
    ),
    [`l${levels}`]: { type: 'number' },
  },
})

const streamed = async ({ url, token }: Pick<Stage, 'url' | 'token'>, id: string): Promise<Json[]> => {
  const response = await fetch(`${url}/api/conversations/${id}/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'And now?', stream: true }),
  })
  return (await readEvents(response)).map(({ data }) => data)
}

describe('a reply with a response format', () => {
  it('has the parsed value, streamed or not, whether the agent or the message asks for it', async () => {
    const here = await stage({ deltas: ['{"city":', '"Bern"}'] }, {}, { response_format })
    expect((await here.get(`/agents/${here.agent}`)).body.data.response_format).toEqual(response_format)
    const id = await here.talk()
    const whole = await here.say(id, 'Weather?')
    expect(whole.body.data).toMatchObject({ status: 'completed', content: '{"city":"Bern"}', output: { city: 'Bern' } })
    expect(here.provider.requests[0]?.body.response_format).toEqual(response_format)
    const events = await streamed(here, id)
    const deltas = events.flatMap(({ type, delta }) => (type === 'text.delta' ? [delta] : []))
    expect(deltas).toEqual(['{"city":', '"Bern"}'])
    expect(events.at(-1)).toMatchObject({
      type: 'message.completed',
      output: { city: 'Bern' },
      message: { output: { city: 'Bern' }, details: null },
    })
    const stored = (await here.get(`/conversations/${id}`)).body.data.messages
    expect(stored.map((message: Json) => message.output)).toEqual([null, { city: 'Bern' }, null, { city: 'Bern' }])

    const text = await here.say(id, 'In words?', { response_format: { type: 'text' } })
    expect([text.body.data.output, here.provider.requests[2]?.body.response_format]).toEqual([null, undefined])
    await here.put(`/agents/${here.agent}`, { response_format: null })
    const asked = await here.say(id, 'As JSON?', { response_format })
    expect(asked.body.data.output).toEqual({ city: 'Bern' })
    const again = await here.post(`/conversations/${id}/messages/${asked.body.data.id}/regenerate`)
    expect(again.body.data.output).toEqual({ city: 'Bern' })
    expect((await here.say(id, 'Hi')).body.data.output).toBeNull()
  })

  it('is corrected once, and both calls are billed and shown as steps', async () => {
    const here = await stage(undefined, {}, { response_format })
    const usage = { input: 10, output: 5 }
    here.provider.next(
      { deltas: ['{"city":7,', '"days":[{}]}'], usage },
      { deltas: ['```json\n{"city":"Bern"}\n```'], usage },
    )
    const id = await here.talk()
    const { data } = (await here.say(id, 'Weather?')).body
    expect(data).toMatchObject({ status: 'completed', content: '{"city":"Bern"}', output: { city: 'Bern' } })
    expect(data.usage).toMatchObject({ input_tokens: 20, output_tokens: 10 })
    const asked = here.told(1)
    expect(asked.at(-2)).toBe('{"city":7,"days":[{}]}')
    expect(asked.at(-1)).toMatch(/city: must be string[\s\S]*days\[0\].rain: is required/)
    const { steps } = (await here.get(`/conversations/${id}/messages/${data.id}/trace`)).body.data
    expect(steps.filter((step: Json) => step.type === 'model')).toHaveLength(2)
  })

  it('fails if it is still invalid, with the text and where it is wrong', async () => {
    const here = await stage({ deltas: ['Sunny', ' in Bern.'] }, {}, { response_format })
    const id = await here.talk()
    const { status, body } = await here.say(id, 'Weather?')
    expect([status, body.code, here.provider.requests.length]).toEqual([502, 'output_invalid', 2])
    expect(body.details[0]).toEqual({ path: 'output', message: expect.stringContaining('is not JSON') })
    here.provider.next({ deltas: ['{}'] }, { deltas: ['{"city":"Bern","wind":1}'] })
    const events = await streamed(here, id)
    const details = [{ path: 'wind', message: 'is not in the schema' }]
    expect(events.at(-1)).toMatchObject({ type: 'message.failed', code: 'output_invalid', message: { details } })
    const stored = (await here.get(`/conversations/${id}`)).body.data.messages
    expect(stored.at(-1)).toMatchObject({
      status: 'failed',
      code: 'output_invalid',
      content: '{"city":"Bern","wind":1}',
      output: null,
      details,
    })
    expect(stored[1]).toMatchObject({ status: 'failed', content: 'Sunny in Bern.', output: null })
  })

  it('comes after tool loops, without what the model said before', async () => {
    const echo = echoTool()
    const here = await stage(undefined, { shared: true, features: [echo.feature] })
    await here.put(`/agents/${here.agent}`, { tools: [await echo.create(here)], response_format })
    here.provider.next(
      { deltas: ['Let me see.'], toolCalls: [{ name: 'echo', arguments: '{"text":"Bern"}' }] },
      { deltas: ['Bern'] },
      { deltas: ['{"city":"Bern"}'] },
    )
    const { data } = (await here.say(await here.talk(), 'Where?')).body
    expect(data).toMatchObject({ content: '{"city":"Bern"}', output: { city: 'Bern' } })
    expect(here.provider.requests.map(({ body }) => body.response_format)).toEqual(Array(3).fill(response_format))
  })

  it('keeps its format through an approval', async () => {
    const here = await cautious()
    await here.put(`/agents/${here.agent}`, { response_format })
    here.provider.next({ toolCalls: [call('c1', 'x')] }, { deltas: ['{"city":"Bern"}'] })
    const id = await here.talk()
    const waiting = (await here.say(id, 'Where?')).body.data
    expect([waiting.status, waiting.output]).toEqual(['awaiting_approval', null])
    const { data } = (await here.decide(id, waiting.id, 'c1', true)).body
    expect([data.status, data.output]).toEqual(['completed', { city: 'Bern' }])
  })

  it('keeps what came before a reply broke off', async () => {
    const here = await stage({ deltas: ['{"city":', '"Bern"}'], fault: 'cut' }, {}, { response_format })
    const id = await here.talk()
    expect((await here.say(id, 'Weather?')).body.code).toBe('provider_error')
    const last = (await here.get(`/conversations/${id}`)).body.data.messages.at(-1)
    expect(last).toMatchObject({ status: 'failed', content: '{"city":', output: null })
  })

  it('is asked for in words where the model has no such parameter', async () => {
    const here = await stage({ deltas: ['{"city":"Bern"}'] }, {}, { response_format })
    const refusal = { error: { message: 'This response_format type is unavailable now' } }
    here.provider.next({ status: 400, body: refusal })
    const id = await here.talk()
    for (const question of ['One?', 'Two?']) {
      expect((await here.say(id, question)).body.data.output).toEqual({ city: 'Bern' })
    }
    const [, ...later] = here.provider.requests
    for (const { body } of later) {
      expect(body).not.toHaveProperty('response_format')
      expect((body.messages as Json[])[0].content).toContain(JSON.stringify(schema))
    }
    expect(later).toHaveLength(2)
  })

  it('is an honest failure with the local model, which writes no JSON', async () => {
    const here = await stage()
    const local = (await here.get('/models?provider=local&type=chat')).body.data[0].id
    await here.put(`/agents/${here.agent}`, { model_id: local, response_format })
    expect((await here.say(await here.talk(), 'Weather?')).body.code).toBe('output_invalid')
  })

  it('can be tried before it is saved', async () => {
    const here = await stage({ deltas: ['{"city":"Bern"}'] })
    const messages = [{ role: 'user', content: 'Weather?' }]
    const tried = await here.post(`/agents/${here.agent}/try`, { messages, response_format })
    expect(tried.body.data).toMatchObject({ output: { city: 'Bern' }, status: 'completed' })
    const wrong = makeFormat({ type: 'nonsense' })
    const refused = await here.post(`/agents/${here.agent}/try`, { messages, response_format: wrong })
    expect([refused.status, refused.body.details[0].path]).toEqual([400, 'response_format.json_schema.schema'])
  })
})

describe('the schema of a response format', () => {
  it('may be recursive', async () => {
    const node = {
      type: 'object',
      properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
      required: ['name'],
    }
    const here = await stage(undefined, {}, { response_format: makeFormat(node) })
    const tree = { name: 'a', children: [{ name: 'b', children: [{ name: 'c' }] }] }
    here.provider.next({ deltas: [JSON.stringify(tree)] })
    const id = await here.talk()
    expect((await here.say(id, 'Tree?')).body.data.output).toEqual(tree)
    here.provider.next({ deltas: ['{"name":"a","children":[{}]}'] }, { deltas: ['{"name":"a","children":[{}]}'] })
    const { details } = (await here.say(id, 'Tree?')).body
    expect(details[0]).toEqual({ path: 'children[0].name', message: 'is required' })
  })

  it('is rejected if it cannot be used, without blocking anybody', async () => {
    const here = await stage()
    const nested = (depth: number): object => (depth === 0 ? {} : { items: nested(depth - 1) })
    const bomb = { $ref: '#/$defs/l0', ...doubling(30) }
    const many = { anyOf: Array.from({ length: 4000 }, () => ({ type: 'string' })) }
    // Its compiler gets to the last property only after all others, which takes long.
    const wide = Object.fromEntries(
      Array.from({ length: 2000 }, (_, at) => [`p${at}`, { type: 'string', minLength: at }]),
    )
    const put = (wrong: object) => here.put(`/agents/${here.agent}`, { response_format: makeFormat(wrong) })
    await put({ type: 'nonsense' }) // compiles the validators of the route
    const work = await mainThreadWork(async () => {
      for (const wrong of [
        bomb,
        many,
        nested(70),
        { enum: ['x'.repeat(100_001)] },
        { type: 'string', pattern: '(a+)+$'.repeat(200) },
        { type: 'string', pattern: '(?=a)b' },
        { $ref: 'https://example.com/schema.json' },
        { $ref: '#/$defs/missing' },
        { type: 'nonsense' },
        { properties: { ...wide, last: { type: 'nonsense' } } },
      ]) {
        const { status, body } = await put(wrong)
        const name = JSON.stringify(wrong).slice(0, 60)
        expect([name, status, body.details?.[0].path]).toEqual([name, 400, 'response_format.json_schema.schema'])
      }
    })
    expect(work.calls('/node_modules/ajv/')).toBeLessThan(2000)
    for (const [wrong, path] of [
      [{ type: 'json_schema' }, 'response_format.json_schema'],
      [{ type: 'json_object' }, 'response_format.type'],
      [{ type: 'text', json_schema: response_format.json_schema }, 'response_format.json_schema'],
      [makeFormat(schema, { name: 'two words' }), 'response_format.json_schema.name'],
      [makeFormat(schema, { extra: 1 }), 'response_format.json_schema.extra'],
    ] as [object, string][]) {
      const id = await here.talk()
      for (const refused of [
        await here.put(`/agents/${here.agent}`, { response_format: wrong }),
        await here.say(id, 'Hi', { response_format: wrong }),
      ]) {
        expect([refused.status, refused.body.details?.[0].path]).toEqual([400, path])
      }
    }
    expect(here.provider.requests).toHaveLength(0)
  })

  it('is rejected before it is tried if its definitions refer to each other too often', async () => {
    const here = await stage()
    const parts = (reference: string) => [{ $ref: reference }, { $ref: reference }]
    const all = (reference: string) => ({ allOf: parts(reference) })
    const pointers = doubling(40)
    const anchors = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`l${at}`, { $anchor: `l${at}`, ...all(`#l${at + 1}`) }]),
    )
    for (const bomb of [
      { ...pointers, $ref: '#/$defs/l0' },
      { ...pointers, properties: { city: { $ref: '#/$defs/l0' } } },
      { items: { $id: 'https://example.com/city', ...pointers, $ref: '#/$defs/l0' } },
      { anyOf: parts('#l0'), $defs: { ...anchors, l40: { $anchor: 'l40', type: 'number' } } },
    ]) {
      const { status, body } = await here.say(await here.talk(), 'Hi', { response_format: makeFormat(bomb) })
      expect([status, body.details?.[0].message]).toEqual([400, expect.stringContaining('refer to each other')])
    }
    const id = await here.talk()
    here.provider.next({ deltas: ['5'] })
    const few = makeFormat({ ...doubling(5), $ref: '#/$defs/l0' })
    expect((await here.say(id, 'Hi', { response_format: few })).body.data.output).toBe(5)
  })

  it('that is slow to check delays no calls of tools', async () => {
    const here = await stage()
    const tool = { name: 'other', description: 'D', url: 'https://example.com', parameters: schema }
    const { id } = (await here.post('/api-tools', tool)).body.data
    const slow = makeFormat({ type: 'array', items: { $ref: '#/$defs/l0' }, ...doubling(11) })
    const reply = { deltas: [JSON.stringify(Array.from({ length: 450_000 }, () => 1))] }
    here.provider.next(reply, reply)
    const ended: string[] = []
    const { sandbox } = here.ctx.state['api-tools']
    const checkOutput = sandbox.checkOutput.bind(sandbox)
    const watched = vi.spyOn(sandbox, 'checkOutput')
    watched.mockImplementation((...check) => checkOutput(...check).finally(() => ended.push('check')))
    onTestFinished(() => watched.mockRestore())
    const message = here.say(await here.talk(), 'Hi', { response_format: slow })
    await until(() => watched.mock.calls.length === 1)
    expect((await here.post(`/api-tools/${id}/test`, { arguments: {} })).body.details[0].path).toBe('arguments.city')
    ended.push('tool')
    await message
    expect(ended[0]).toBe('tool')
  })

  it('with slow patterns stops nobody', async () => {
    const slow = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } }
    const here = await stage(undefined, {}, { response_format: makeFormat(slow) })
    const text = JSON.stringify({ a: `${'a'.repeat(50_000)}!` })
    here.provider.next({ deltas: [text] }, { deltas: [text] })
    const { body } = await here.say(await here.talk(), 'Hi')
    expect([body.code, body.details[0].path]).toEqual(['output_invalid', 'a'])
  })
})
