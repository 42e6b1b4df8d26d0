import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface SiteRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

export interface TestSite {
  url: string
  port: number
  requests: SiteRequest[]
  paths(): string[]
}

export type Page =
  | string
  | { status?: number; headers?: Record<string, string>; body?: string | Buffer }
  | ((request: IncomingMessage, response: ServerResponse, entry: SiteRequest) => void)

/** A web site on loopback: what each path answers. A page that is only text is HTML; the rest is not found. */
export async function startSite(pages: Record<string, Page> | ((path: string) => Page | undefined)): Promise<TestSite> {
  const requests: SiteRequest[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    const entry = { method: request.method ?? '', path, headers: request.headers, body: '' }
    requests.push(entry)
    request.setEncoding('utf8').on('data', (piece) => {
      entry.body += piece
    })
    request.on('end', () => {
      const page = typeof pages === 'function' ? pages(path) : pages[path]
      if (typeof page === 'function') return page(request, response, entry)
      const {
        status = 200,
        headers = { 'content-type': 'text/html; charset=utf-8' },
        body = '',
      } = page === undefined ? { status: 404 } : typeof page === 'string' ? { body: page } : page
      response.writeHead(status, headers).end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, port, requests, paths: () => requests.map(({ path }) => path) }
}
