import { hash } from 'node:crypto'
import type { onSendHookHandler } from 'fastify'

/** Sets an ETag from the response body, for resources without a revision number. */
export const contentEtag: onSendHookHandler = (_request, reply, payload, next) => {
  if (reply.statusCode === 200 && typeof payload === 'string')
    reply.header('etag', `"${hash('sha256', payload).slice(0, 16)}"`)
  next(null, payload)
}
