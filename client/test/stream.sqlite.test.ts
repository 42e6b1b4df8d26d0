import { expect, it } from 'vitest'
import { answering, asking, call, cautious } from '../../server/test/cautious-stage.ts'
import { until } from '../../server/test/harness.ts'
import type { Script } from '../../server/test/scripted-provider.ts'
import { stage } from '../../server/test/stage.ts'
import { Parley, type ReplyEvent, type TryEvent } from '../src/index.ts'
import { breakableProxy } from './breakable-proxy.ts'

const words = Array.from({ length: 40 }, (_, n) => `word${n} `)
/** A reply that goes on after ten words when it is released. */
function heldReply() {
  const { promise: hold, resolve: release } = Promise.withResolvers<void>()
  return { script: { deltas: words, hold, after: 10 }, release }
}
const endless: Script = { deltas: words, fault: 'stall', after: 10 }

const streamedText = (events: ReplyEvent[]) =>
  events.map((event) => (event.type === 'text.delta' ? event.delta : '')).join('')

it('streams a reply and ends with the complete message', async () => {
  const { url, token, talk } = await stage({ deltas: ['Hello', ' there'] })
  const parley = new Parley({ baseUrl: url, token })
  const id = await talk()
  const events: ReplyEvent[] = []
  for await (const event of parley.conversations.stream(id, 'Hi')) events.push(event)
  expect(events.map(({ type }) => type)).toEqual(['message.started', 'text.delta', 'text.delta', 'message.completed'])
  expect(streamedText(events)).toBe('Hello there')
  const sent = await parley.conversations.send(id, 'Again')
  expect(sent).toMatchObject({ role: 'assistant', content: 'Hello there', status: 'completed' })
  expect(await parley.conversations.messages(id).all()).toHaveLength(4)
  const replayed: ReplyEvent[] = []
  for await (const event of parley.conversations.resume(id, sent.id, { after: 2 })) replayed.push(event)
  expect(replayed.map(({ sequence }) => sequence)).toEqual([3, 4])
  expect((await parley.conversations.feedback(id, sent.id, { rating: 'up' })).feedback?.rating).toBe('up')
  const again: ReplyEvent[] = []
  for await (const event of parley.conversations.regenerateStream(id, sent.id)) again.push(event)
  expect(streamedText(again)).toBe('Hello there')
  expect((await parley.conversations.complete(id)).status).toBe('completed')
})

it('tries changes of an agent, whole and streamed', async () => {
  const { url, token, agent, provider } = await stage({ deltas: ['Hello', ' there'] })
  const parley = new Parley({ baseUrl: url, token })
  const body = { temperature: 0.9, messages: [{ role: 'user' as const, content: 'Hi' }] }
  expect(await parley.agents.try(agent, body)).toMatchObject({ content: 'Hello there', status: 'completed' })
  const events: TryEvent[] = []
  for await (const event of parley.agents.tryStream(agent, body)) events.push(event)
  expect(events.map(({ type }) => type)).toEqual(['message.started', 'text.delta', 'text.delta', 'message.completed'])
  expect(provider.requests.map((request) => request.body.temperature)).toEqual([0.9, 0.9])
  provider.next({ deltas: ['Hel', 'lo'], fault: 'stall' })
  const cable = await breakableProxy(url)
  const cut = async () => {
    for await (const { type } of new Parley({ baseUrl: cable.url, token }).agents.tryStream(agent, body))
      if (type === 'text.delta') cable.cut()
  }
  await expect(cut()).rejects.toMatchObject({ code: 'connection_failed' })
})

it('resumes after a lost connection with every event once', async () => {
  const { script, release } = heldReply()
  const { url, token, talk, provider } = await stage(script)
  const cable = await breakableProxy(url)
  let opened = 0
  const parley = new Parley({
    baseUrl: cable.url,
    token,
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      if (++opened === 2) cable.cut()
      return response
    },
  })
  const id = await talk()
  const events: ReplyEvent[] = []
  let lost = 0
  const onReconnect = () => {
    if (++lost === 2) release()
  }
  for await (const event of parley.conversations.stream(id, 'Hi', { onReconnect })) {
    events.push(event)
    if (events.length === 11) cable.cut()
  }
  expect(lost).toBeGreaterThanOrEqual(2)
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, place) => place + 1))
  expect(streamedText(events)).toBe(words.join(''))
  expect(events.at(-1)?.type).toBe('message.completed')
  expect(provider.requests).toHaveLength(1)
})

it('reconnects after the server was down', async () => {
  const { script, release } = heldReply()
  const { url, token, talk } = await stage(script)
  const cable = await breakableProxy(url)
  const parley = new Parley({ baseUrl: cable.url, token })
  const id = await talk()
  const events: ReplyEvent[] = []
  let lost = 0
  const onReconnect = () => {
    if (++lost !== 2) return
    cable.up()
    release()
  }
  for await (const event of parley.conversations.stream(id, 'Hi', { onReconnect })) {
    events.push(event)
    if (events.length === 5) cable.down()
  }
  expect(lost).toBeGreaterThanOrEqual(2)
  expect(streamedText(events)).toBe(words.join(''))
})

it('sends a message once even if the response is lost before the first event', async () => {
  const { url, token, talk, provider } = await stage({ deltas: words })
  const id = await talk()
  let calls = 0
  const parley = new Parley({
    baseUrl: url,
    token,
    maxRetries: 20,
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      if (init?.method === 'POST' && ++calls === 1) throw new TypeError('the cable was cut')
      return response
    },
  })
  const events: ReplyEvent[] = []
  for await (const event of parley.conversations.stream(id, 'Hi')) events.push(event)
  expect(streamedText(events)).toBe(words.join(''))
  expect(calls).toBeGreaterThan(1)
  expect(provider.requests).toHaveLength(1)
  expect(await parley.conversations.messages(id).all()).toHaveLength(2)
})

it('leaving a stream does not stop the reply; cancel does', async () => {
  const { url, token, talk } = await stage(endless)
  const parley = new Parley({ baseUrl: url, token })
  const id = await talk()
  const leave = new AbortController()
  let message = ''
  const left = (async () => {
    for await (const event of parley.conversations.stream(id, 'Hi', { signal: leave.signal })) {
      if (event.type === 'message.started') message = event.message_id
      if (event.sequence === 3) leave.abort(new Error('enough'))
    }
  })()
  await expect(left).rejects.toMatchObject({ code: 'aborted', cause: { message: 'enough' } })
  expect((await parley.conversations.message(id, message)).status).toBe('running')
  const stopped = await parley.conversations.cancel(id, message)
  expect(['running', 'cancelled']).toContain(stopped.status)
  const rest: ReplyEvent[] = []
  for await (const event of parley.conversations.resume(id, message)) rest.push(event)
  expect(rest.at(-1)?.type).toBe('message.cancelled')
  await until(async () => (await parley.conversations.message(id, message)).status === 'cancelled')
})

it('throws an error before the first event like any other', async () => {
  const { url, token, talk } = await stage(endless)
  const parley = new Parley({ baseUrl: url, token })
  const id = await talk()
  const first = parley.conversations.stream(id, 'Hi')
  await first.next()
  const second = parley.conversations.stream(id, 'And?').next()
  await expect(second).rejects.toMatchObject({ code: 'conversation_busy', status: 409 })
  await first.return()
})

it('waits for approval and continues with the decision', async () => {
  const { url, token, talk, provider, calls } = await cautious()
  provider.next({ ...asking, toolCalls: [call('call_a', 'first'), call('call_b', 'second')] }, answering)
  const parley = new Parley({ baseUrl: url, token })
  const id = await talk()
  const asked: ReplyEvent[] = []
  for await (const event of parley.conversations.stream(id, 'Send it')) asked.push(event)
  expect(asked.slice(-2).map(({ type }) => type)).toEqual(['approval.required', 'approval.required'])
  const [started] = asked
  const message = started?.type === 'message.started' ? started.message_id : ''
  const decide = async (tool_call_id: string, approved: boolean) => {
    const events: ReplyEvent[] = []
    for await (const event of parley.conversations.approveStream(id, message, { tool_call_id, approved }))
      events.push(event)
    return events
  }
  expect(await decide('call_a', true)).toEqual([])
  // The same request again, with the same key, is answered the same and not kept waiting.
  const again = { tool_call_id: 'call_a', approved: true }
  for (const _ of [1, 2]) {
    const events = parley.conversations.approveStream(id, message, again, { idempotencyKey: 'once', maxRetries: 0 })
    expect(await events.next()).toEqual({ done: true, value: undefined })
  }
  const rest = await decide('call_b', false)
  expect(rest[0]?.sequence).toBe((asked.at(-1)?.sequence ?? 0) + 1)
  expect(rest.at(-1)).toMatchObject({ type: 'message.completed', message: { content: 'Let me ask. It is done.' } })
  expect(calls).toEqual([{ text: 'first' }])
})
