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

/** A page of an earlier crawl, from the caller's cache. */
export interface KnownPage {
  etag: string | null
  lastModified: string | null
  links?: string[]
}
