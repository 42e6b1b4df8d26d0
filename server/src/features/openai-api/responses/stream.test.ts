import OpenAI from 'openai'
import type { Response, ResponseStreamEvent } from 'openai/resources/responses/responses'
import { describe, expect, it } from 'vitest'
import { library } from '../../../../test/handbook.ts'
import type { Script } from '../../../../test/scripted-provider.ts'
import { stage } from '../../../../test/stage.ts'

const client = ({ url, token }: { url: string; token: string }) =>
  new OpenAI({ baseURL: `${url}/api/openai/v1`, apiKey: token, maxRetries: 0 })
const reply = { deltas: ['Hel', 'lo'], usage: { input: 20, output: 2, cachedInput: 0 } } as Script
const weather = { type: 'function' as const, name: 'weather', parameters: { type: 'object' }, strict: false }

async function all(stream: AsyncIterable<ResponseStreamEvent>): Promise<ResponseStreamEvent[]> {
  const events: ResponseStreamEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}
const eventTypes = (events: ResponseStreamEvent[]) => events.map(({ type }) => type.replace('response.', ''))
const lastResponse = (events: ResponseStreamEvent[]) => (events.at(-1) as { response: Response }).response

describe('a streamed response', () => {
  it('has the events of the specification in their order', async () => {
    const here = await stage({ thoughts: ['Hm', 'm.'], ...reply })
    const { responses } = client(here)
    const events = await all(await responses.create({ model: here.agent, input: 'Hi', stream: true }))
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index))
    const text = ['output_text.delta', 'output_text.delta', 'output_text.done']
    const item = (inner: string[]) => [
      'output_item.added',
      'content_part.added',
      ...inner,
      'content_part.done',
      'output_item.done',
    ]
    const types = eventTypes(events)
    const reasoning = types.filter((type) => type === 'reasoning_text.delta')
    expect(reasoning.length).toBeGreaterThan(0)
    expect(types).toEqual([
      'created',
      'in_progress',
      ...item([...reasoning, 'reasoning_text.done']),
      ...item(text),
      'completed',
    ])
    const final = lastResponse(events)
    expect(final).toMatchObject({ status: 'completed', usage: { total_tokens: 22 } })
    expect(final.output).toMatchObject([
      { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'Hmm.' }] },
      { type: 'message', content: [{ type: 'output_text', text: 'Hello' }] },
    ])
    const [created] = events as { response: Response }[]
    expect(created?.response).toMatchObject({ id: final.id, status: 'in_progress', output: [], usage: null })
    // It is the same each time, and from any event on.
    expect(await all(await responses.retrieve(final.id, { stream: true }))).toEqual(events)
    const rest = await all(await responses.retrieve(final.id, { stream: true, starting_after: 4 }))
    expect(rest).toEqual(events.slice(5))
    const { output_text, ...got } = await responses.retrieve(final.id)
    expect(got).toEqual(final)
  })

  it('is assembled by the client', async () => {
    const here = await stage(reply)
    here.provider.next({
      deltas: ['Let me see.'],
      toolCalls: [{ id: 'c1', name: 'weather', arguments: '{"city":"Bern"}' }],
    })
    const stream = client(here).responses.stream({ model: here.agent, input: 'Rain?', tools: [weather] })
    const seen: string[] = []
    stream.on('event', ({ type }) => seen.push(type))
    const response = await stream.finalResponse()
    expect(response.output).toMatchObject([
      { type: 'message', content: [{ text: 'Let me see.' }] },
      { type: 'function_call', call_id: 'c1', name: 'weather', arguments: '{"city":"Bern"}' },
    ])
    expect(seen).toContain('response.function_call_arguments.delta')
    expect(seen).toContain('response.function_call_arguments.done')
    const next = client(here).responses.stream({
      previous_response_id: response.id,
      input: [{ type: 'function_call_output', call_id: 'c1', output: 'Sun' }],
      tools: [weather],
    })
    expect((await next.finalResponse()).output_text).toBe('Hello')
  })

  it('cites what the agent has found', async () => {
    const here = await stage()
    const { ragTool } = await library(here)
    await here.put(`/agents/${here.agent}`, { tools: [await ragTool({ top_k: 1 })] })
    const call = { name: 'Handbook', arguments: '{"query":"Where are bicycles kept?"}' }
    here.provider.next({ toolCalls: [call] }, { deltas: ['In the base', 'ment [1]. So [9].'] })
    const asked = { model: here.agent, input: 'Where are bicycles kept?', stream: true as const }
    const events = await all(await client(here).responses.create(asked))
    const cited = events.filter(({ type }) => type === 'response.output_text.annotation.added')
    const message = lastResponse(events).output.at(-1)
    expect(message).toMatchObject({
      content: [
        {
          text: 'In the basement [1]. So [9].',
          annotations: [{ type: 'url_citation', start_index: 16, end_index: 19, title: 'Office', index: 1 }],
        },
      ],
    })
    expect(cited).toHaveLength(1)
    expect(eventTypes(events)).toEqual(expect.arrayContaining(['mcp_call.in_progress', 'mcp_call.completed']))
  }, 300_000) // a source is read first, by threads of low priority

  it('goes on in the background, and can be followed and cancelled', async () => {
    const here = await stage({ deltas: ['One ', 'two ', 'three'], fault: 'stall', after: 2 })
    const { responses } = client(here)
    const started = await responses.create({ model: here.agent, input: 'Count', background: true })
    expect(started).toMatchObject({ status: 'in_progress', background: true, completed_at: null })
    const followed = await responses.retrieve(started.id, { stream: true })
    const seen: ResponseStreamEvent[] = []
    for await (const event of followed) {
      seen.push(event)
      if (event.type !== 'response.output_text.delta' || event.delta !== 'two ') continue
      expect(await responses.cancel(started.id)).toMatchObject({
        status: 'cancelled',
        output: [{ status: 'incomplete', content: [{ text: 'One two ' }] }],
      })
    }
    expect(seen.at(-1)).toMatchObject({ type: 'response.incomplete', response: { status: 'cancelled' } })
    expect(await responses.cancel(started.id)).toMatchObject({ status: 'cancelled' })
    const events = await all(await responses.retrieve(started.id, { stream: true }))
    expect(events).toEqual(seen)
    expect(await responses.retrieve(started.id)).toMatchObject({ status: 'cancelled', usage: { output_tokens: 4 } })
  })
})
