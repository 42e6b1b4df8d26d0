/** How the crawler sends requests. The caller decides which addresses may be called. */
export type Fetcher = (url: string, options: FetchOptions) => Promise<FetchResponse>

export interface FetchOptions {
  headers: Record<string, string>
  signal: AbortSignal
  timeoutMs: number
  /** Limit for the body after decompression. A larger body is an error, or cut off with `truncate`. */
  maxBytes: number
  truncate?: boolean
  /** 0 by default: redirects are responses like any other. */
  maxRedirects?: number
  /** Decides by status and headers whether to read the body. */
  wantsBody?(response: Pick<FetchResponse, 'status' | 'headers'>): boolean
}

export interface FetchResponse {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  body: Buffer
}

/** Thrown by a `Fetcher` for an address that must not be called. */
export class BlockedError extends Error {}

export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))
