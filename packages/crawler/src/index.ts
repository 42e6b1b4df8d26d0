export { type CrawlRequest, crawl } from './crawl.ts'
export { BlockedError, type Fetcher, type FetchOptions, type FetchResponse } from './fetcher.ts'
export type { CrawledPage, KnownPage } from './page.ts'
