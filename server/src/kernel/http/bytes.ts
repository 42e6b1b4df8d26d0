import { transcode } from 'node:buffer'
import type { onSendHookHandler } from 'fastify'
import type { App } from './app.ts'

/** Below this many characters it makes no difference. */
const fewest = 4096

/** Has large answers as bytes before they are sent: for what is beyond Latin-1, a socket takes four times as long. */
export function encodeAnswers(app: App): void {
  const encode: onSendHookHandler = (_request, _reply, payload, next) => {
    next(null, typeof payload === 'string' && payload.length >= fewest ? utf8(payload) : payload)
  }
  app.addHook('onRoute', (route) => {
    route.onSend = [...[route.onSend ?? []].flat(), encode] // behind all that look at the text
  })
}

export function utf8(text: string): Buffer {
  try {
    return transcode(Buffer.from(text, 'utf16le'), 'utf16le', 'utf8')
  } catch {
    return Buffer.from(text) // half of a pair, which becomes the sign for what cannot be shown
  }
}
