export interface CrawledPage {
  url: string
  status: 'fetched' | 'unchanged' | 'failed'
  mediaType?: string
  body?: Buffer
  etag?: string | null
  lastModified?: string | null
  /** The links of the page. Pass them in `known` next time, because an unchanged page is not sent again. */
  links?: string[]
  error?: string
  /** Set if this is not a page but the sitemap, or a part of it, that could not be read. */
  sitemap?: 'whole' | 'part'
}

/** What the caller kept of a page from an earlier crawl. */
export interface KnownPage {
  etag: string | null
  lastModified: string | null
  links?: string[]
}
