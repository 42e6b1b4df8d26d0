import { hash } from 'node:crypto'
import type { App } from './app.ts'

/**
 * Gives every JSON response to a GET an ETag, and answers 304 if the client already has that version. An ETag contains a
 * hash of the response, so it changes with everything that is shown. If the route set a revision, that comes first:
 * `If-Match` compares only the revision, because progress such as a new message is no conflicting change.
 */
export function handleEtags(app: App): void {
  app.addHook('onSend', (request, reply, payload, next) => {
    const revision = reply.getHeader('etag') as string | undefined
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (typeof payload !== 'string' || !(isRead ? isJson(reply.getHeader('content-type')) : isRevision(revision)))
      return next(null, payload)
    if (reply.statusCode !== 200 && reply.statusCode !== 201) return next(null, payload)
    const digest = hash('sha256', payload).slice(0, 16)
    const etag = isRevision(revision) ? revision.replace(/"$/, `-${digest}"`) : `"${digest}"`
    reply.header('etag', etag)
    if (!isRead || !includesEtag(request.headers['if-none-match'], etag)) return next(null, payload)
    reply.status(304).removeHeader('content-type')
    next(null, null)
  })
}

const isJson = (type: unknown): boolean => typeof type === 'string' && type.startsWith('application/json')

const isRevision = (etag: string | undefined): etag is string => etag !== undefined && /^"\d+"$/.test(etag)

/** Proxies that compress a response make its ETag weak. */
const includesEtag = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === etag) ?? false
