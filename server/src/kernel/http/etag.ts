import { hash } from 'node:crypto'
import type { onSendHookHandler } from 'fastify'

/** The ETag of something that does not count its changes: it follows from what is shown. */
export const contentEtag: onSendHookHandler = (_request, reply, payload, next) => {
  if (reply.statusCode === 200 && typeof payload === 'string')
    reply.header('etag', `"${hash('sha256', payload).slice(0, 16)}"`)
  next(null, payload)
}
