import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { answering, asking, cautious } from './cautious-stage.ts'
import { library } from './handbook.ts'
import { until } from './harness.ts'
import { mcpServer } from './mcp-server.ts'
import { type Collector, otlpCollector } from './otlp-collector.ts'
import { scriptedApi } from './scripted-api.ts'
import { stage } from './stage.ts'

const incoming = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const traceId = incoming.split('-')[1]
const secret = 'sk-very-secret'
const makeCalls = (...names: string[]) =>
  names.map((name) => ({ id: `call_${name}`, name, arguments: JSON.stringify({ query: 'the words of the user' }) }))

const exporting = ({ url }: Collector, more: Record<string, string> = {}) => ({
  environment: {
    EGRESS_ALLOW: '127.0.0.1',
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b',
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_METRIC_EXPORT_INTERVAL: '200',
    ...more,
  },
})

const readName = ({ name }: { name: string }) => name

describe('OpenTelemetry', () => {
  it('gets a turn as one trace, without its content, and tools get the trace context', async () => {
    const collector = await otlpCollector()
    const here = await stage({ deltas: ['Done'] }, exporting(collector))
    const { post, put, get, say, talk, provider, agent, close } = here
    const api = await scriptedApi(() => ({ body: { answer: 'the words of the tool' } }))
    const server = await mcpServer([{ name: 'look' }])
    const parameters = { type: 'object', properties: { query: { type: 'string' } } }
    const auth = { type: 'bearer', token: secret }
    const made = async (body: object) => (await post('/api-tools', { description: 'D', ...body })).body.data.id
    const tools = [
      await (await library(here)).ragTool(),
      await made({ name: 'ask_api', url: `${api.url}/x`, parameters, auth }),
      await made({ name: 'server', type: 'mcp', url: server.url, requires_approval: false }),
    ]
    await put(`/agents/${agent}`, { tools })
    const id = await talk()
    provider.next(
      { toolCalls: makeCalls('Handbook', 'ask_api', 'server_look'), usage: { input: 100, output: 20 } },
      { deltas: ['The words of the model'], usage: { input: 200, output: 30 } },
    )
    const answer = await say(id, 'The words of the user', {}, { headers: { traceparent: incoming } })
    const { data } = answer.body
    expect(data.tool_calls.map(({ status }: { status: string }) => status)).toEqual(Array(3).fill('completed'))
    const ofTurn = () => collector.spans.filter((span) => span.traceId === traceId)
    await until(() => ofTurn().some(({ name }) => name.startsWith('POST')))
    const spans = ofTurn()
    const named = (name: string) => spans.find((span) => span.name === name)
    const request = named('POST /api/conversations/:id/messages')
    const turn = named('invoke_agent A')
    const [first, second] = spans.filter(({ name }) => name === 'chat scripted-1')
    expect(request).toMatchObject({ parentSpanId: 'b7ad6b7169203331', kind: 2, status: 0 })
    expect(request?.attributes).toMatchObject({ 'http.request.method': 'POST', 'http.response.status_code': 200 })
    expect(turn).toMatchObject({ parentSpanId: request?.spanId, resource: { 'service.name': 'parley' } })
    expect(turn?.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.id': agent,
      'gen_ai.conversation.id': id,
      'parley.message.id': data.id,
      'parley.turn.status': 'completed',
    })
    const steps = spans.filter((span) => span.parentSpanId === turn?.spanId)
    expect(steps.map(readName).sort()).toEqual(
      ['agent', 'history', 'chat scripted-1', 'chat scripted-1']
        .concat(['execute_tool Handbook', 'execute_tool ask_api', 'execute_tool server_look'])
        .sort(),
    )
    expect(first).toMatchObject({ kind: 3 })
    expect(first?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai-compatible',
      'gen_ai.request.model': 'scripted-1',
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 20,
      'gen_ai.response.finish_reasons': ['tool_calls'],
    })
    expect(second?.attributes).toMatchObject({ 'gen_ai.usage.input_tokens': 200, 'parley.cost': 0.00026 })
    expect(named('retrieval')?.parentSpanId).toBe(named('execute_tool Handbook')?.spanId)
    expect(named('execute_tool ask_api')?.attributes).toMatchObject({
      'gen_ai.tool.name': 'ask_api',
      'gen_ai.tool.call.id': 'call_ask_api',
    })
    const sentBy = (name: string) => `00-${traceId}-${named(name)?.spanId}-01`
    expect(api.requests[0]?.headers.traceparent).toBe(sentBy('execute_tool ask_api'))
    expect(server.traceparents).toContain(sentBy('execute_tool server_look'))
    expect((await get(`/conversations/${id}/messages/${data.id}/trace`)).body.data.trace_id).toBe(traceId)
    await until(() => collector.metrics.has('parley_turns_total'))
    expect(collector.headers[0]?.['x-key']).toBe('a b')
    for (const word of ['words of the', secret, 'Be kind', here.token]) expect(collector.raw()).not.toContain(word)

    // A collector that fails or hangs neither fails a turn nor holds up the end of the process.
    for (const response of [503, 'never'] as const) {
      collector.respond(response)
      expect((await say(id, 'Go on')).status).toBe(200)
    }
    await close()
  }, 300_000)

  it('gets the server and the model that answered, and the metrics of the conventions', async () => {
    const collector = await otlpCollector()
    const here = await stage({ deltas: ['Of course'], usage: { input: 9, output: 3 } }, exporting(collector))
    await here.put(`/models/${here.model}`, { model_id: 'scripted-latest' })
    await here.say(await here.talk(), 'Can you?')
    here.provider.next({ status: 400, body: { error: { message: 'No.' } } })
    await here.say(await here.talk(), 'And now?')
    const chats = () => collector.spans.filter(({ name }) => name === 'chat scripted-latest')
    await until(() => chats().length === 2)
    const server = { 'server.address': '127.0.0.1', 'server.port': Number(new URL(here.provider.url).port) }
    const [first, second] = chats()
    expect(first?.attributes).toMatchObject({ ...server, 'gen_ai.response.model': 'scripted-1' })
    expect(second?.attributes).toMatchObject({ ...server, 'error.type': '400' })

    const call = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai-compatible',
      'gen_ai.request.model': 'scripted-latest',
      ...server,
    }
    const answered = { ...call, 'gen_ai.response.model': 'scripted-1' }
    const points = (name: string) => collector.points.get(`gen_ai.client.${name}`) ?? []
    await until(() => points('operation.duration').length === 2)
    expect(points('operation.duration')).toEqual([answered, { ...call, 'error.type': '400' }])
    expect(points('operation.time_to_first_chunk')).toEqual([answered])
    expect(points('token.usage')).toEqual([
      { ...answered, 'gen_ai.token.type': 'input' },
      { ...answered, 'gen_ai.token.type': 'output' },
    ])
  })

  it('gets content only on request', async () => {
    const collector = await otlpCollector()
    const capture = { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' }
    const { say, talk } = await stage({ deltas: ['Of course'] }, exporting(collector, capture))
    await say(await talk(), 'Can you?')
    const span = await until(() => collector.spans.find(({ name }) => name === 'chat scripted-1'))
    const { attributes } = span as { attributes: Record<string, string> }
    expect(attributes['gen_ai.input.messages']).toContain('Can you?')
    expect(attributes['gen_ai.output.messages']).toContain('Of course')
    expect(attributes['gen_ai.system_instructions']).toContain('Be kind.')
  })
})

it('a turn that goes on after an approval stays in its trace', async () => {
  const collector = await otlpCollector()
  const { say, talk, provider, decide } = await cautious(exporting(collector))
  provider.next(asking, answering)
  const id = await talk()
  const { data } = (await say(id, 'Send it', {}, { headers: { traceparent: incoming } })).body
  await decide(id, data.id, 'call_a', true)
  const approvals = 'POST /api/conversations/:id/messages/:message/approvals'
  await until(() => collector.spans.some(({ name }) => name === approvals))
  const ofTurn = collector.spans.filter((span) => span.traceId === traceId)
  const [first, second] = ofTurn.filter(({ name }) => name === 'invoke_agent A')
  const request = collector.spans.find(({ name }) => name === approvals)
  expect(first?.attributes['parley.turn.status']).toBe('awaiting_approval')
  expect(second).toMatchObject({ parentSpanId: first?.spanId, links: [request?.traceId] })
  const resumed = ofTurn.filter((span) => span.parentSpanId === second?.spanId)
  expect(resumed.map(readName).sort()).toEqual(['approval', 'chat scripted-1', 'execute_tool echo_1'])
})

const environment = { EGRESS_ALLOW: '127.0.0.1' }

it('without OpenTelemetry, tools get the trace context of the client', async () => {
  const { say, talk, post, put, agent, provider } = await stage({ deltas: ['Done'] }, { shared: true, environment })
  const api = await scriptedApi()
  const tool = { name: 'ask_api', description: 'D', url: `${api.url}/x`, parameters: { type: 'object' } }
  await put(`/agents/${agent}`, { tools: [(await post('/api-tools', tool)).body.data.id] })
  provider.next({ toolCalls: [{ id: 'c', name: 'ask_api', arguments: '{}' }] })
  const id = await talk()
  await say(id, 'Hi', {}, { headers: { traceparent: incoming } })
  provider.next({ toolCalls: [{ id: 'c', name: 'ask_api', arguments: '{}' }] })
  await say(id, 'Hi', {}, { headers: { traceparent: 'nonsense' } })
  expect(api.requests.map(({ headers }) => headers.traceparent)).toEqual([incoming, undefined])
})

it('/metrics counts turns, tokens and cost, and has every metric that docs/ names', async () => {
  const { say, talk, get, provider } = await stage({ deltas: ['Done'] }, { own: true })
  provider.next({ deltas: ['One'], usage: { input: 1000, output: 500 } })
  await say(await talk(), 'Hi')
  const text = String((await get('/metrics')).body)
  const model = 'type="chat",provider="openai-compatible",model="scripted-1"'
  expect(text).toContain('parley_turns_total{status="completed"} 1')
  expect(text).toContain('parley_turns_total{status="interrupted"} 0')
  expect(text).toContain('parley_database_up 1')
  expect(text).toContain('parley_time_to_first_token_seconds_count 1')
  expect(text).toContain(`parley_tokens_total{${model},direction="input"} 1000`)
  expect(text).toContain(`parley_tokens_total{${model},direction="output"} 500`)
  expect(text).toContain(`parley_cost_dollars_total{${model}} 0.002`)
  expect(text).toMatch(/parley_job_queue_depth\{queue="[^"]+"\} \d/)

  const known = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name))
  for (const page of ['observability.md', 'grafana/parley.json', 'prometheus/alerts.yaml']) {
    const named = readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8').matchAll(/\bparley_\w+/g)
    const names = [...named].map(([name]) => name.replace(/_(bucket|sum|count)$/, ''))
    expect([page, names.filter((name) => !known.has(name))]).toEqual([page, []])
    expect(names.length).toBeGreaterThan(5)
  }
})
