import type { Client, Json } from './client.ts'
import { pause } from './wait.ts'

export interface Streamed {
  messageId: string
  /** All text that was shown. */
  text: string
  /** The last event; null if none came in time. */
  end: Json | null
}

interface Progress {
  messageId: string
  sequence: number
  text: string
  end: Json | null
}

const isEnd = (type: string) => /^message\.(completed|failed|cancelled)$/.test(type)

/** Sends a message and reads its reply, resuming on another node whenever the connection is lost. */
export async function streamMessage(
  client: Client,
  conversation: string,
  message: string,
  key: string,
  onStarted: (messageId: string) => void = () => {},
): Promise<Streamed | null> {
  const progress: Progress = { messageId: '', sequence: 0, text: '', end: null }
  const path = `/conversations/${conversation}/messages`
  const deadline = Date.now() + 90_000
  while (progress.end === null && Date.now() < deadline) {
    try {
      const response =
        progress.messageId === ''
          ? await client.open('POST', path, { body: { message, stream: true }, key })
          : await client.open('GET', `${path}/${progress.messageId}/stream?after=${progress.sequence}`)
      if (!response.headers.get('content-type')?.includes('event-stream')) {
        await response.text()
        if (response.status < 500 && response.status !== 409) return null // refused
      } else await read(response, progress, onStarted)
    } catch {
      // The connection was lost.
    }
    if (progress.end === null) await pause(200)
  }
  const { messageId, text, end } = progress
  return messageId === '' ? null : { messageId, text, end }
}

async function read(response: Response, progress: Progress, onStarted: (messageId: string) => void): Promise<void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: '' }
    if (done) return
    text += value
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1]
      if (data !== undefined) add(progress, JSON.parse(data), onStarted)
    }
  }
}

function add(progress: Progress, event: Json, onStarted: (messageId: string) => void): void {
  progress.sequence = event.sequence
  if (event.type === 'message.started' && progress.messageId !== event.message_id) {
    // Also another reply to the same question, if the first one was cut off.
    Object.assign(progress, { messageId: event.message_id, text: '' })
    onStarted(event.message_id)
  }
  if (event.type === 'text.delta') progress.text += event.delta
  if (isEnd(event.type)) progress.end = event
}
