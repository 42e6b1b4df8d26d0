import { BlockedError, type Fetcher } from '@parley/crawler'
import type { Egress } from '../../../kernel/egress/egress.ts'
import { Problem } from '../../../kernel/errors.ts'

/** Sends the crawler's requests through the egress guard. */
export const crawlFetcher =
  (egress: Egress): Fetcher =>
  async (url, { headers, signal, timeoutMs, maxBytes, truncate = false, maxRedirects = 0, wantsBody }) => {
    try {
      return await egress.request(url, {
        headers,
        signal,
        timeout: timeoutMs,
        maxBytes,
        truncate,
        redirects: maxRedirects,
        ...(wantsBody && { wantsBody }),
      })
    } catch (error) {
      throw error instanceof Problem ? new BlockedError(error.message) : error
    }
  }
