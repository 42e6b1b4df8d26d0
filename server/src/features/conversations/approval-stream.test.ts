import {
  parseJsonEventStream,
  readUIMessageStream,
  type UIMessage,
  type UIMessageChunk,
  uiMessageChunkSchema,
} from 'ai'
import { describe, expect, it } from 'vitest'
import { answering, asking, call, cautious } from '../../../test/cautious-stage.ts'
import { joinText, readEvents, type StreamedEvent } from '../../../test/event-stream.ts'
import { until } from '../../../test/harness.ts'
import type { Stage } from '../../../test/stage.ts'
import { heartbeatComment } from '../../kernel/http/heartbeat.ts'

const open = (at: Pick<Stage, 'url' | 'token'>, path: string, body?: object) =>
  fetch(`${at.url}/api${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${at.token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })

const eventNames = (events: StreamedEvent[]) => events.map(({ event }) => event)

describe('the stream of a reply that waits', () => {
  it('ends after what must be approved, goes on with the next number, and replays the same', async () => {
    const here = await cautious()
    const id = await here.talk()
    const toolCalls = [call('call_a', 'one'), call('call_b', 'two', 'echo'), call('call_c', 'three')]
    here.provider.next({ deltas: ['Wait. '], toolCalls }, answering)
    const first = await readEvents(await open(here, `/conversations/${id}/messages`, { message: 'Go', stream: true }))
    expect(eventNames(first)).toEqual([
      'message.started',
      'text.delta',
      'tool.started',
      'tool.finished',
      'approval.required',
      'approval.required',
    ])
    expect(first[4]?.data).toEqual({
      type: 'approval.required',
      sequence: 5,
      approval_id: expect.stringMatching(/^apr_/),
      tool_call_id: 'call_a',
      tool_id: here.tools[1],
      name: 'echo_1',
      arguments: { text: 'one' },
      target: null,
    })
    const message = first[0]?.data.message_id
    const path = `/conversations/${id}/messages/${message}`
    expect(await readEvents(await open(here, `${path}/stream`))).toEqual(first)
    expect(eventNames(await readEvents(await open(here, `${path}/stream?after=4`)))).toEqual(
      Array(2).fill('approval.required'),
    )

    const decide = (tool_call_id: string, approved: boolean) =>
      open(here, `${path}/approvals`, { tool_call_id, approved, stream: true }).then((each) => readEvents(each))
    expect(await decide('call_a', false)).toEqual([])
    const rest = await decide('call_c', true)
    expect(rest.map(({ id: sequence }) => sequence)).toEqual([7, 8, 9, 10, 11, 12])
    expect(eventNames(rest).sort()).toEqual(
      ['message.completed', 'text.delta', 'text.delta', 'tool.finished', 'tool.finished', 'tool.started'].sort(),
    )
    const statuses = rest
      .filter(({ event }) => event === 'tool.finished')
      .map(({ data }) => [data.tool_call_id, data.status])
    expect(statuses.sort()).toEqual([
      ['call_a', 'refused'],
      ['call_c', 'completed'],
    ])
    const all = [...first, ...rest]
    expect(joinText(all)).toBe(rest.at(-1)?.data.message.content)
    expect(await readEvents(await open(here, `${path}/stream`))).toEqual(all)
    expect(await decide('call_c', true)).toEqual(rest)
  })

  it('with an idempotency key is the same again', async () => {
    const here = await cautious()
    const id = await here.talk()
    here.provider.next(asking, answering)
    const { data } = (await here.say(id, 'Go')).body
    const approve = () =>
      here.post(
        `/conversations/${id}/messages/${data.id}/approvals`,
        { tool_call_id: 'call_a', approved: true, stream: true },
        { headers: { 'idempotency-key': 'k' } },
      )
    const first = await approve()
    const again = await until(async () => {
      const answer = await approve()
      return answer.status === 200 && answer
    })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const withoutHeartbeats = (body: string) => body.replaceAll(heartbeatComment, '')
    expect(withoutHeartbeats(again.body)).toBe(withoutHeartbeats(first.body))
    expect(here.calls.length).toBe(1)
  })

  it('is read by the AI SDK as a request for approval, and what follows as its continuation', async () => {
    for (const approved of [true, false]) {
      const here = await cautious()
      const id = await here.talk()
      here.provider.next(asking, answering)
      const sent = await open(here, `/conversations/${id}/messages?protocol=ai-sdk`, { message: 'Go', stream: true })
      const asked = await lastMessage(sent)
      expect(asked.parts.at(-1)).toMatchObject({
        type: 'tool-echo_1',
        state: 'approval-requested',
        approval: { id: 'call_a' },
        input: { text: 'sent' },
      })
      const path = `/conversations/${id}/messages/${asked.id}`
      const body = { tool_call_id: 'call_a', approved, stream: true }
      const done = await lastMessage(await open(here, `${path}/approvals?protocol=ai-sdk`, body), asked)
      const replayed = await lastMessage(await open(here, `${path}/stream?protocol=ai-sdk`))
      for (const message of [done, replayed]) {
        expect(message.id).toBe(asked.id)
        expect(message.parts.filter((part) => part.type !== 'step-start')).toMatchObject([
          { type: 'text', text: 'Let me ask. ' },
          {
            type: 'tool-echo_1',
            approval: { id: 'call_a', approved },
            ...(approved ? { state: 'output-available', output: 'sent' } : { state: 'output-denied' }),
          },
          { type: 'text', text: 'It is done.' },
        ])
      }
    }
  })
})

async function lastMessage(response: Response, message?: UIMessage): Promise<UIMessage> {
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
  const errors: unknown[] = []
  const options = {
    stream: stream as never,
    onError: (error: unknown) => errors.push(error),
    ...(message && { message }),
  }
  for await (const each of readUIMessageStream(options)) last = each
  expect(errors).toEqual([])
  return last as UIMessage
}
