import { Problem } from '../errors.ts'
import { minute, second } from '../time.ts'
import type { App } from './app.ts'

const defaultTimeout = minute

/** Until the last byte of a request. Uploads of the largest files over slow lines take long. */
export const requestTimeout = 60 * minute

/**
 * Limits the time for a body, because a sender that stalls occupies a connection and memory. The rest of a body that nobody
 * reads has as long: many clients read the response only after they have sent the whole request.
 */
export function limitBodyTime(app: App, timeout = defaultTimeout): void {
  app.addHook('preParsing', (request, reply, payload, next) => {
    const { headers, raw } = request
    const hasBody = Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined
    if (!hasBody || headers['content-type']?.startsWith('multipart/')) return next()
    const timer = setTimeout(() => {
      if (payload.listenerCount('error') === 0) return // nobody waits for it
      reply.raw.once('finish', () => raw.destroy())
      payload.emit(
        'error',
        new Problem('invalid_request', `The body did not arrive within ${timeout / second} seconds.`),
      )
    }, timeout)
    const stop = () => clearTimeout(timer)
    payload.once('end', stop).once('close', stop)
    next()
  })
  app.addHook('onResponse', ({ raw }, _reply, next) => {
    if (!raw.complete && raw.listenerCount('data') === 0) {
      const timer = setTimeout(() => raw.destroy(), timeout)
      raw.once('close', () => clearTimeout(timer))
    }
    next()
  })
}
