import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface ApiRequest {
  method: string
  /** The path and query as received. */
  url: string
  headers: IncomingHttpHeaders
  rawHeaders: string[]
  body: string
}

export interface ApiAnswer {
  status?: number
  headers?: Record<string, string>
  body?: unknown
}

/** Returns a response, or handles the connection itself. */
type Play = (request: ApiRequest, response: ServerResponse) => ApiAnswer | undefined | Promise<ApiAnswer | undefined>

/** An HTTP server on loopback with scripted responses. Records its requests. */
export async function scriptedApi(play: Play = () => ({ body: { ok: true } })) {
  const requests: ApiRequest[] = []
  const server = createServer((incoming, response) => {
    const parts: Buffer[] = []
    incoming.on('data', (part: Buffer) => parts.push(part))
    incoming.on('end', async () => {
      const request = {
        method: incoming.method ?? '',
        url: incoming.url ?? '',
        headers: incoming.headers,
        rawHeaders: incoming.rawHeaders,
        body: Buffer.concat(parts).toString('utf8'),
      }
      requests.push(request)
      const answer = await play(request, response)
      if (!answer) return
      const { status = 200, headers = {}, body = '' } = answer
      const isText = typeof body === 'string'
      response.writeHead(status, { ...(!isText && { 'content-type': 'application/json' }), ...headers })
      response.end(isText ? body : JSON.stringify(body))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  onTestFinished(close)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, close }
}

/** Settings that allow requests to loopback. */
export const mayCallLoopback = { environment: { EGRESS_ALLOW: '127.0.0.1' }, shared: true } as const
