import type { Json } from './harness.ts'
import { checkEvent } from './openapi-check.ts'

export interface StreamedEvent {
  id: number
  event: string
  data: Json
}

/** Reads Server-Sent Events from a response until it ends or `stop` returns true. */
export async function readEvents(
  response: Response,
  stop: (event: StreamedEvent) => boolean = () => false,
): Promise<StreamedEvent[]> {
  const events: StreamedEvent[] = []
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (!reader) return events
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return events
    text += value
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks.filter((each) => !each.startsWith(':'))) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? ''
      const event = { id: Number(field('id')), event: field('event'), data: JSON.parse(field('data')) }
      checkEvent(response.url, event.data)
      events.push(event)
      if (stop(event)) {
        await reader.cancel()
        return events
      }
    }
  }
}

export const joinText = (events: StreamedEvent[]): string =>
  events
    .filter(({ event }) => event === 'text.delta')
    .map(({ data }) => data.delta)
    .join('')
