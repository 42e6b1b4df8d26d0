import { join } from 'node:path'
import {
  parseJsonEventStream,
  readUIMessageStream,
  type UIMessage,
  type UIMessageChunk,
  uiMessageChunkSchema,
} from 'ai'
import BetterSqlite from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { testKey } from '../../../test/config.ts'
import { joinText, readEvents } from '../../../test/event-stream.ts'
import { library } from '../../../test/handbook.ts'
import { freshEnvironment, type Json, type Service, startOn, until } from '../../../test/harness.ts'
import { startProcess } from '../../../test/process.ts'
import { scriptedApi } from '../../../test/scripted-api.ts'
import { scriptedProvider } from '../../../test/scripted-provider.ts'
import { type Stage, stage } from '../../../test/stage.ts'
import { heartbeatComment } from '../../kernel/http/heartbeat.ts'

const open = (
  at: Pick<Stage, 'url' | 'token'>,
  path: string,
  init: { body?: object; headers?: Record<string, string>; signal?: AbortSignal } = {},
) =>
  fetch(`${at.url}/api${path}`, {
    method: init.body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${at.token}`, 'content-type': 'application/json', ...init.headers },
    ...(init.body && { body: JSON.stringify(init.body) }),
    ...(init.signal && { signal: init.signal }),
  })

const words = Array.from({ length: 20 }, (_, n) => `word${n} `)

describe('a streamed reply', () => {
  it('comes as numbered events whose text is the message', async () => {
    const here = await stage({ deltas: ['Hel', 'lo 🙂', ' "quoted"\n', 'ünï'] })
    const id = await here.talk()
    const response = await open(here, `/conversations/${id}/messages`, { body: { message: 'Hi', stream: true } })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    expect(response.headers.get('x-request-id')).toMatch(/^req_/)
    const events = await readEvents(response)
    expect(events.map(({ event }) => event)).toEqual([
      'message.started',
      ...Array(4).fill('text.delta'),
      'message.completed',
    ])
    expect(events.map(({ id: sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6])
    for (const { id: sequence, event, data } of events) expect(data).toMatchObject({ type: event, sequence })
    expect(events[0]?.data).toMatchObject({ conversation_id: id, agent_id: here.agent, model_id: here.model })
    const { message } = events.at(-1)?.data ?? {}
    expect(joinText(events)).toBe(message.content)
    const stored = (await here.get(`/conversations/${id}/messages/${message.id}`)).body.data
    expect(stored).toEqual(message)
    expect(stored.time_to_first_token_ms).toBeGreaterThanOrEqual(0)
  })

  it('is an ordinary error when it cannot begin', async () => {
    const here = await stage()
    const id = await here.talk()
    await here.post(`/conversations/${id}/complete`)
    const response = await open(here, `/conversations/${id}/messages`, { body: { message: 'Hi', stream: true } })
    expect(response.status).toBe(409)
    expect(((await response.json()) as { code: string }).code).toBe('conversation_completed')
  })

  it('goes on without its reader, and is followed from any event by anyone', async () => {
    const { promise: followed, resolve } = Promise.withResolvers<void>()
    const here = await stage({ deltas: words, hold: followed, after: 10 })
    const id = await here.talk()
    const first = await open(here, `/conversations/${id}/messages`, { body: { message: 'Hi', stream: true } })
    const seen = await readEvents(first, ({ id: sequence }) => sequence === 5)
    const message = seen[0]?.data.message_id
    const path = `/conversations/${id}/messages/${message}/stream`
    const ahead = open(here, `${path}?after=15`).then((response) => readEvents(response))
    const responses = await Promise.all([
      open(here, path, { headers: { 'last-event-id': '5' } }),
      open(here, `${path}?after=2`),
      open(here, path),
    ])
    resolve()
    const followers = await Promise.all(responses.map((response) => readEvents(response)))
    expect(followers.map((events) => events[0]?.id)).toEqual([6, 3, 1])
    for (const events of followers) expect(events.at(-1)?.event).toBe('message.completed')
    expect(joinText([...seen, ...(followers[0] ?? [])])).toBe(words.join(''))
    const again = await readEvents(await open(here, path))
    expect(again).toEqual(followers[2])
    expect((await ahead).map(({ id: sequence }) => sequence)).toEqual([16, 17, 18, 19, 20, 21, 22])
    expect(await readEvents(await open(here, `${path}?after=22`))).toEqual([])
    expect((await readEvents(await open(here, `${path}?after=999`))).map(({ event }) => event)).toEqual([
      'message.completed',
    ])
  })

  it('ends in message.failed or message.cancelled, with what had come', async () => {
    const here = await stage()
    const id = await here.talk()
    here.provider.next({ deltas: ['Half a ', 'reply'], fault: 'cut', after: 2, delay: 5 })
    const failed = await readEvents(
      await open(here, `/conversations/${id}/messages`, { body: { message: 'Hi', stream: true } }),
    )
    expect(failed.at(-1)).toMatchObject({
      event: 'message.failed',
      data: { code: 'provider_error', message: { status: 'failed', content: 'Half a reply' } },
    })
    here.provider.next({ deltas: words, fault: 'stall' })
    const response = await open(here, `/conversations/${id}/messages`, { body: { message: 'Hi', stream: true } })
    const events = readEvents(response)
    const running = await until(async () =>
      (await here.get(`/conversations/${id}`)).body.data.messages.find(
        (each: { status: string }) => each.status === 'running',
      ),
    )
    await here.post(`/conversations/${id}/messages/${running.id}/cancel`)
    expect((await events).at(-1)).toMatchObject({
      event: 'message.cancelled',
      data: { message: { status: 'cancelled' } },
    })
  })

  const readByAiSdk = async (here: Stage): Promise<UIMessage | undefined> => {
    const id = await here.talk()
    const response = await open(here, `/conversations/${id}/messages?protocol=ai-sdk`, {
      body: { message: 'Hi', stream: true },
    })
    expect(response.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1')
    const chunks = parseJsonEventStream({
      stream: response.body as ReadableStream<Uint8Array>,
      schema: uiMessageChunkSchema,
    })
    const stream = chunks.pipeThrough(
      new TransformStream<{ success: boolean; value?: UIMessageChunk; error?: unknown }, UIMessageChunk>({
        transform(result, controller) {
          if (!result.success || !result.value) throw result.error
          controller.enqueue(result.value)
        },
      }) as never,
    )
    let last: UIMessage | undefined
    for await (const message of readUIMessageStream({ stream: stream as never })) last = message
    return last
  }

  it('is read by the AI SDK as its own', async () => {
    const last = await readByAiSdk(await stage({ deltas: words }))
    expect(last?.id).toMatch(/^msg_/)
    expect(last?.parts.filter((part) => part.type === 'text').map((part) => part.text)).toEqual([words.join('')])
  })

  it('gives the AI SDK the reasoning of the model and the finish reason', async () => {
    const last = await readByAiSdk(await stage({ thoughts: ['Hm, ', 'well.'], deltas: words, finishReason: 'length' }))
    const texts = last?.parts.flatMap((part) => ('text' in part ? [[part.type, part.text]] : []))
    expect(texts).toEqual([
      ['reasoning', 'Hm, well.'],
      ['text', words.join('')],
    ])
    expect(last?.metadata).toMatchObject({ finish_reason: 'length' })
  })

  it('gives the AI SDK its citations as sources, and its figures as metadata', async () => {
    const here = await stage()
    const { ragTool } = await library(here)
    await here.put(`/agents/${here.agent}`, { tools: [await ragTool({ top_k: 1 })] })
    const toolCalls = [{ id: 'c1', name: 'Handbook', arguments: '{"query":"bicycles"}' }]
    here.provider.next({ toolCalls }, { deltas: ['In the basement [1].'], usage: { input: 20, output: 5 } })
    const last = await readByAiSdk(here)
    expect(last?.parts.filter(({ type }) => type.startsWith('source'))).toMatchObject([
      {
        type: 'source-document',
        sourceId: `${last?.id}-1`,
        title: 'Office',
        mediaType: 'text/plain',
        providerMetadata: { parley: { index: 1, page: 1, quote: 'Bicycles are kept in the basement.' } },
      },
    ])
    expect(last?.metadata).toMatchObject({
      message_id: last?.id,
      model_id: here.model,
      finish_reason: 'stop',
      usage: { output_tokens: expect.any(Number) },
      citations: [{ source: 'Office', document_id: expect.stringMatching(/^doc_/) }],
    })
  }, 300_000) // a source is read first, by threads of low priority

  it('with an idempotency key happens once and is streamed again', async () => {
    const here = await stage({ deltas: words })
    const id = await here.talk()
    const send = () =>
      open(here, `/conversations/${id}/messages`, {
        body: { message: 'Hi', stream: true },
        headers: { 'idempotency-key': 'k' },
      })
    const eventsIn = async (response: Response) => (await response.text()).replaceAll(heartbeatComment, '')
    const first = await eventsIn(await send())
    const again = await until(async () => {
      const response = await send()
      return response.status === 200 && response
    })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await eventsIn(again)).toBe(first)
    expect(here.provider.requests.length).toBe(1)
  })

  it('to a slow reader does not hold up the turn', async () => {
    const long = 'x'.repeat(1000)
    const here = await stage({ deltas: Array(4000).fill(long) })
    const id = await here.talk()
    const response = await open(here, `/conversations/${id}/messages`, { body: { message: 'Hi', stream: true } })
    const reply = await until(async () =>
      (await here.get(`/conversations/${id}`)).body.data.messages.find(
        (each: { status: string; role: string }) => each.role === 'assistant' && each.status === 'completed',
      ),
    )
    expect(reply.content.length).toBe(4_000_000)
    expect(joinText(await readEvents(response)).length).toBe(4_000_000)
  })

  it('is replayed whole after it has ended, whether short or long', async () => {
    for (const delta of ['x', 'x'.repeat(300_000)]) {
      const here = await stage({ deltas: [delta, delta] })
      const id = await here.talk()
      const { data } = (await here.post(`/conversations/${id}/messages`, { message: 'Hi' })).body
      for (const [query, seen] of [
        ['', 2],
        ['?after=2', 1],
      ] as const) {
        const response = await open(here, `/conversations/${id}/messages/${data.id}/stream${query}`)
        expect(joinText(await readEvents(response))).toBe(delta.repeat(seen))
      }
    }
  })
})

/** A service that can be killed, and what it takes to go on with its data. */
async function processOfItsOwn(more: Record<string, string> = {}) {
  const settings = { ADMIN_TOKEN: 'the-owner', RATE_LIMIT: '0', DEMO: 'false', SECRET_KEY: testKey, ...more }
  const environment = { ...(await freshEnvironment()), ...settings }
  const started = startProcess(environment)
  const at = { url: await started.address, token: 'the-owner' }
  const post = async (path: string, body: object) =>
    ((await (await open(at, path, { body })).json()) as { data: { id: string } }).data.id
  return { environment, started, at, post }
}

/** Whether a text of a reply would survive a crash: it is in the row of the message, or in the journal until then. */
function isStored({ DATA_DIR = '' }: Record<string, string>, text: string): boolean {
  const database = new BetterSqlite(join(DATA_DIR, 'parley.db'), { readonly: true })
  try {
    const find = database.prepare(`select exists (select 1 from message where instr(content, $text))
      or exists (select 1 from turn_journal where instr(entries, $text))`)
    return find.pluck().get({ text }) === 1
  } finally {
    database.close()
  }
}

/** The reply to the first question, which has ended before the service listened. */
const interruptedReply = async (service: Service, id: string) => {
  const { messages } = (await service.get(`/conversations/${id}`)).body.data
  expect(messages[1]?.status).toBe('interrupted')
  return messages[1]
}

describe('a crash', () => {
  it('keeps what was shown of a reply, and the conversation goes on at once', async () => {
    const provider = await scriptedProvider({ deltas: words, delay: 20, fault: 'stall', after: 11 })
    const { environment, started, at, post } = await processOfItsOwn()
    const model = await post('/models', {
      name: 'M',
      provider: 'openai-compatible',
      model_id: 'm',
      endpoint: provider.url,
    })
    const agent = await post('/agents', { name: 'A', model_id: model })
    const id = await post('/conversations', { agent_id: agent })
    const question = { body: { message: 'Hi', stream: true }, headers: { 'idempotency-key': 'k' } }
    const response = await open(at, `/conversations/${id}/messages`, question)
    const seen = await readEvents(response, ({ id: sequence }) => sequence === 12)
    await until(() => isStored(environment, words[10] ?? ''))
    started.child.kill('SIGKILL')
    await started.ended

    const service = await startOn(environment)
    const recovered = await interruptedReply(service, id)
    expect(recovered.content).toBe(joinText(seen))
    const ledger = await service.ctx.db
      .selectFrom('usage_record')
      .select(['message_id', 'estimated', 'output_tokens'])
      .execute()
    expect(ledger.map((row) => [row.message_id, Boolean(row.estimated), Number(row.output_tokens) > 0])).toEqual([
      [recovered.id, true, true],
    ])
    const trace = (await service.get(`/conversations/${id}/messages/${recovered.id}/trace`)).body.data
    expect(trace.steps.at(-1)).toMatchObject({ type: 'model', status: 'interrupted', usage: { estimated: true } })
    // The same request goes on from the question that was stored, and keeps the interrupted reply as an earlier version.
    provider.next({ deltas: ['All of it'] })
    const again = await open(service, `/conversations/${id}/messages`, question)
    expect((await readEvents(again)).at(-1)).toMatchObject({ data: { message: { content: 'All of it' } } })
    const { messages } = (await service.get(`/conversations/${id}`)).body.data
    expect(messages.map(({ role, content }: Json) => [role, content])).toEqual([
      ['user', 'Hi'],
      ['assistant', 'All of it'],
    ])
    provider.next({ deltas: ['Fine'] })
    expect((await service.post(`/conversations/${id}/messages`, { message: 'Go on' })).body.data.content).toBe('Fine')
    const replayed = await readEvents(await open(service, `/conversations/${id}/messages/${recovered.id}/stream`))
    expect(joinText(replayed)).toBe(recovered.content)
    // A reader who has seen more than was kept still learns that the reply has ended.
    const path = `/conversations/${id}/messages/${recovered.id}/stream`
    for (const after of [replayed.length - 1, replayed.length, seen.length, 500]) {
      const rest = await readEvents(await open(service, `${path}?after=${after}`))
      expect(rest.at(-1)).toMatchObject({ event: 'message.failed', data: { message: { status: 'interrupted' } } })
      expect(rest[0]?.id).toBe(after + 1)
    }
    await provider.close()
  }, 300_000)

  it('pays for the calls of the model that were finished, and ends the call of a tool', async () => {
    const provider = await scriptedProvider((request) => {
      const said = JSON.stringify(request.body.messages)
      const isAfterTool = said.includes('quick answer')
      if (isAfterTool && said.includes('Say nothing')) return { fault: 'hang' }
      const name = isAfterTool ? 'slow' : 'quick'
      return { toolCalls: [{ id: `call_${name}`, name, arguments: '{}' }], usage: { input: 100, output: 10 } }
    })
    onTestFinished(() => provider.close())
    const api = await scriptedApi(({ url }) => (url === '/quick' ? { body: 'quick answer' } : undefined))
    const { environment, started, at, post } = await processOfItsOwn({ EGRESS_ALLOW: '127.0.0.1' })
    const wire = { provider: 'openai-compatible', endpoint: provider.url, pricing: { input: 0.01, output: 0.02 } }
    const model = await post('/models', { name: 'M', model_id: 'm', ...wire })
    const tools: string[] = []
    for (const name of ['quick', 'slow'])
      tools.push(await post('/api-tools', { name, description: name, url: `${api.url}/${name}`, timeout_ms: 60_000 }))
    const agent = await post('/agents', { name: 'A', model_id: model, tools })
    const id = await post('/conversations', { agent_id: agent })
    void open(at, `/conversations/${id}/messages`, { body: { message: 'Hi' } }).catch(() => {})
    await until(async () => {
      const { data } = (await (await open(at, `/conversations/${id}`)).json()) as {
        data: { messages: { tool_calls: { status: string }[] }[] }
      }
      return data.messages[1]?.tool_calls[1]?.status === 'running'
    })
    const silent = await post('/conversations', { agent_id: agent })
    const soFar = provider.requests.length
    void open(at, `/conversations/${silent}/messages`, { body: { message: 'Say nothing' } }).catch(() => {})
    await until(() => provider.requests.length === soFar + 2)
    started.child.kill('SIGKILL')
    await started.ended

    const service = await startOn(environment)
    const recovered = await interruptedReply(service, id)
    expect(recovered).toMatchObject({ code: 'internal_error', usage: { input_tokens: 200, output_tokens: 20 } })
    expect(recovered.tool_calls.map(({ status }: { status: string }) => status)).toEqual(['completed', 'failed'])
    const readLedger = async (conversation: string) => {
      const records = service.ctx.db.selectFrom('usage_record').select(['input_tokens', 'estimated'])
      const rows = await records.where('conversation_id', '=', conversation).orderBy('id').execute()
      return rows.map(({ input_tokens, estimated }) => (estimated ? 'estimated' : Number(input_tokens)))
    }
    expect(await readLedger(id)).toEqual([100, 100])
    expect(await readLedger(silent)).toEqual([100, 'estimated'])
    expect(await service.ctx.db.selectFrom('calls_under_way').selectAll().execute()).toEqual([])
  }, 300_000)
})
