import { type CrawledPage, crawl } from '@parley/crawler'
import { startSite } from '@parley/crawler/testing'
import { expect, it, onTestFinished } from 'vitest'
import { createEgress } from '../../../kernel/egress/egress.ts'
import { crawlFetcher } from './crawl-fetcher.ts'

async function crawlWith(allow: string[], urls: string[]): Promise<CrawledPage[]> {
  const egress = createEgress(allow)
  onTestFinished(() => egress.close())
  const pages: CrawledPage[] = []
  const request = { urls, mediaTypes: [], userAgent: 'parley', maxPages: 10, maxDepth: 1, known: new Map() }
  for await (const page of crawl(crawlFetcher(egress), { ...request, signal: new AbortController().signal }))
    pages.push(page)
  return pages
}

it('does not call private addresses', async () => {
  const site = await startSite({ '/': 'secret' })
  const pages = await crawlWith([], [site.url])
  expect(pages[0]).toMatchObject({ status: 'failed', error: expect.stringContaining('EGRESS_ALLOW') })
  expect(site.requests).toEqual([])
})

it('reads allowed pages, and reports those that fail', async () => {
  const site = await startSite({
    '/': 'home',
    '/reset': (request) => void request.socket.destroy(),
    '/large': { headers: { 'content-type': 'text/plain' }, body: Buffer.alloc(26 * 1024 * 1024) },
  })
  const pages = await crawlWith(['127.0.0.1'], [site.url, `${site.url}/reset`, `${site.url}/large`])
  const byPath = new Map(pages.map((page) => [new URL(page.url).pathname, page]))
  expect(byPath.get('/')).toMatchObject({ status: 'fetched', body: Buffer.from('home') })
  expect(byPath.get('/reset')?.error).toContain('connection')
  expect(byPath.get('/large')?.error).toContain('larger than')
})
