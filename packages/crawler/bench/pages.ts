// npm run bench -w @parley/crawler: pages a second of a site on loopback that answers at once.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { crawl } from '../src/crawl.ts'
import { fetcher } from '../test/fetcher.ts'

const pages = 500
const linksPerPage = 20
const text = '<p>Words that a page may have, again and again.</p>'.repeat(200)
const server = createServer((request, response) => {
  if (request.url === '/robots.txt') return void response.writeHead(404).end()
  const number = Number(request.url?.slice(1) || 0)
  const links = Array.from(
    { length: linksPerPage },
    (_, n) => `<a href="/${(number * linksPerPage + n + 1) % pages}">x</a>`,
  )
  response.writeHead(200, { 'content-type': 'text/html' }).end(`<html><body>${text}${links.join('')}</body></html>`)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
const started = performance.now()
let read = 0
const request = {
  urls: [url],
  sitemap: null,
  mediaTypes: [],
  userAgent: 'bench',
  maxPages: pages,
  maxDepth: 10,
  known: new Map(),
  signal: new AbortController().signal,
}
for await (const page of crawl(fetcher, request)) if (page.status !== 'failed') read++
const seconds = (performance.now() - started) / 1000
process.stdout.write(`${read} pages of ${Math.round(text.length / 1024)} KB: ${(read / seconds).toFixed(0)} pages/s\n`)
server.close()
