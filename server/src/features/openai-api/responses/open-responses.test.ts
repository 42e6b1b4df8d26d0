import { Type } from 'typebox'
import Value from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { png } from '../../../../test/attachments.ts'
import type { Json } from '../../../../test/harness.ts'
import type { Script } from '../../../../test/scripted-provider.ts'
import { type Stage, stage } from '../../../../test/stage.ts'

/**
 * The cases of the compliance test of Open Responses, from its specification: what every client may rely on, without the
 * help of a library.
 */
const reply = { deltas: ['Hel', 'lo'], usage: { input: 20, output: 2, cachedInput: 0 } } as Script
const text = Type.String()
const maybe = <T extends ReturnType<typeof Type.Any>>(schema: T) => Type.Union([schema, Type.Null()])
const optionalText = maybe(text as never)
const count = Type.Integer({ minimum: 0 })

const ResponseResource = Type.Object({
  id: text,
  object: Type.Literal('response'),
  created_at: Type.Integer(),
  completed_at: maybe(Type.Integer() as never),
  status: Type.Enum(['completed', 'in_progress', 'incomplete', 'failed', 'cancelled', 'queued']),
  incomplete_details: maybe(Type.Object({ reason: text }) as never),
  model: text,
  previous_response_id: optionalText,
  instructions: optionalText,
  output: Type.Array(Type.Object({ type: text, id: text })),
  error: maybe(Type.Object({ code: text, message: text }) as never),
  tools: Type.Array(Type.Object({ type: text })),
  tool_choice: Type.Unknown(),
  truncation: Type.Enum(['auto', 'disabled']),
  parallel_tool_calls: Type.Boolean(),
  text: Type.Object({ format: Type.Object({ type: text }) }),
  top_p: Type.Number(),
  presence_penalty: Type.Number(),
  frequency_penalty: Type.Number(),
  top_logprobs: count,
  temperature: Type.Number(),
  reasoning: maybe(Type.Object({ effort: optionalText, summary: optionalText }) as never),
  usage: maybe(
    Type.Object({
      input_tokens: count,
      output_tokens: count,
      total_tokens: count,
      input_tokens_details: Type.Object({ cached_tokens: count }),
      output_tokens_details: Type.Object({ reasoning_tokens: count }),
    }) as never,
  ),
  max_output_tokens: maybe(count as never),
  max_tool_calls: maybe(count as never),
  store: Type.Boolean(),
  background: Type.Boolean(),
  service_tier: text,
  metadata: Type.Unknown(),
  safety_identifier: optionalText,
  prompt_cache_key: optionalText,
})

const expectResource = (response: Json) => expect([...Value.Errors(ResponseResource, response)]).toEqual([])
const message = (role: string, content: unknown) => ({ type: 'message', role, content })

async function respond({ post, agent }: Stage, body: object): Promise<Json> {
  const answer = await post('/openai/v1/responses', { model: agent, ...body })
  expect(answer.status).toBe(200)
  expectResource(answer.body)
  return answer.body
}

describe('Open Responses', () => {
  it('answers with a whole response', async () => {
    const here = await stage(reply)
    const response = await respond(here, { input: [message('user', 'Say hello.')] })
    expect(response).toMatchObject({ status: 'completed', error: null, usage: { total_tokens: 22 } })
    const content = [{ type: 'output_text', text: 'Hello', annotations: [], logprobs: [] }]
    expect(response.output).toMatchObject([{ type: 'message', role: 'assistant', status: 'completed', content }])
  })

  it('streams events that are typed, numbered and closed', async () => {
    const here = await stage(reply)
    const response = await fetch(`${here.url}/api/openai/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${here.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: here.agent, stream: true, input: [message('user', 'Say hello.')] }),
    })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const frames = (await response.text()).split('\n\n').filter((frame) => frame.includes('data:'))
    expect(frames.pop()).toBe('data: [DONE]')
    const events = frames.map((frame): Json => {
      const [, type, data] = /^event: (.+)\ndata: (.+)$/.exec(frame) ?? []
      const event = JSON.parse(data ?? '{}')
      expect(event.type).toBe(type)
      return event
    })
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index))
    expect(events.map(({ type }) => type.replace('response.', ''))).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'completed',
    ])
    for (const event of events) if (event.response) expectResource(event.response)
    const deltas = events.filter(({ type }) => type === 'response.output_text.delta').map(({ delta }) => delta)
    expect(events.at(-1)?.response.output[0].content[0].text).toBe(deltas.join(''))
  })

  it('follows a system prompt in the input', async () => {
    const here = await stage(reply)
    await respond(here, { input: [message('system', 'Speak like a pirate.'), message('user', 'Hi')] })
    expect(here.told(0)).toEqual(['Be kind.\n\nSpeak like a pirate.', 'Hi'])
  })

  it('hands a call of a tool to the client, and takes its result', async () => {
    const here = await stage(reply)
    const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
    const tools = [{ type: 'function', name: 'weather', description: 'The weather', parameters }]
    here.provider.next({ toolCalls: [{ name: 'weather', arguments: '{"city":"Bern"}' }] }, { deltas: ['Rain.'] })
    const input = [message('user', 'The weather in Bern?')]
    const first = await respond(here, { tools, input, store: false })
    const [call] = first.output
    expect(call).toMatchObject({ type: 'function_call', name: 'weather', arguments: '{"city":"Bern"}' })
    const result = { type: 'function_call_output', call_id: call.call_id, output: 'Rain' }
    const second = await respond(here, { tools, input: [...input, call, result], store: false })
    expect(second.output[0].content[0].text).toBe('Rain.')
  })

  it('reads an image', async () => {
    const here = await stage(reply)
    await here.put(`/models/${here.model}`, { input_modalities: ['text', 'image'] })
    const image_url = `data:image/png;base64,${png().toString('base64')}`
    const content = [
      { type: 'input_text', text: 'What is this?' },
      { type: 'input_image', image_url },
    ]
    await respond(here, { input: [message('user', content)], store: false })
    expect(JSON.stringify(here.provider.requests[0]?.body)).toContain(image_url)
  })

  it('goes on with what was said, in the input or in an earlier response', async () => {
    const here = await stage(reply)
    const said = [message('user', 'My name is Ada.'), message('assistant', 'Hi Ada.'), message('user', 'My name?')]
    const first = await respond(here, { input: said })
    expect(here.told(0)).toEqual(['Be kind.', 'My name is Ada.', 'Hi Ada.', 'My name?'])
    const next = await respond(here, { previous_response_id: first.id, input: [message('user', 'Sure?')] })
    expect(next.previous_response_id).toBe(first.id)
    expect(here.told(1)).toEqual(['Be kind.', 'My name is Ada.', 'Hi Ada.', 'My name?', 'Hello', 'Sure?'])
  })
})
