import { expect, it } from 'vitest'
import { type ServerEvent, serverEvents } from '../src/events.ts'

async function read(text: string, size: number): Promise<ServerEvent[]> {
  const bytes = new TextEncoder().encode(text)
  let position = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (position >= bytes.length) return controller.close()
      controller.enqueue(bytes.slice(position, position + size))
      position += size
    },
  })
  const events: ServerEvent[] = []
  for await (const event of serverEvents(body, 1000)) events.push(event)
  return events
}

it.each(['\n', '\r\n'])('parses events split anywhere, with line ending %j', async (end) => {
  const lines = [
    ': alive',
    '',
    'id: 1',
    'event: text.delta',
    'data: {"delta":"Grüße 👋"}',
    '',
    'data:a',
    'data: b',
    '',
    '',
  ]
  const expected = [
    { id: '1', event: 'text.delta', data: '{"delta":"Grüße 👋"}' },
    { id: '', event: 'message', data: 'a\nb' },
  ]
  for (const size of [1, 2, 3, 7, 1000]) expect(await read(lines.join(end), size)).toEqual(expected)
})

it('times out an idle stream', async () => {
  const events = serverEvents(new ReadableStream({}), 10)
  await expect(events.next()).rejects.toThrow('timed out')
})
