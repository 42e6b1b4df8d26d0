import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Reply, Request } from './app.ts'

/** A file that is served from memory. */
export interface StaticFile {
  body: Buffer
  gzipped: Buffer | null
  type: string
  etag: string
  cache: string
}

export const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

export const pageSecurity = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}

/** For names with a content hash. */
export const forever = 'public, max-age=31536000, immutable'

export const contentHash = (body: Buffer): string => createHash('sha256').update(body).digest('base64url').slice(0, 22)

/** Text is compressed once. */
export function staticFile(body: Buffer, type: string, cache = 'no-cache'): StaticFile {
  const gzipped = /^text|json|svg/.test(type) && body.length > 1000 ? gzipSync(body) : null
  return { body, gzipped, type, etag: `"${contentHash(body)}"`, cache }
}

export function sendStatic(request: Request, reply: Reply, file: StaticFile, headers: Record<string, string>): Reply {
  const acceptsGzip = file.gzipped !== null && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
  reply.headers({ ...headers, etag: file.etag, 'cache-control': file.cache, vary: 'accept-encoding' })
  if (request.headers['if-none-match'] === file.etag) return reply.status(304).send()
  if (acceptsGzip) reply.header('content-encoding', 'gzip')
  return reply.type(file.type).send(acceptsGzip ? file.gzipped : file.body)
}
