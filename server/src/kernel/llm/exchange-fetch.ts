import { exchange, type Place, type ReplyHeaders, type Running, type Sink } from './exchange.ts'

/**
 * A `fetch` on our own exchange, for libraries that want one: with our time-outs, and failing with our errors also where
 * the status is one of an error. It posts text, which is all they ask of it.
 */
export const exchangeFetch =
  (connection: Pick<Place, 'apiKey' | 'dispatcher' | 'timeouts'>): typeof fetch =>
  (input, init) =>
    new Promise((resolve, reject) => {
      const url = new URL(String(input))
      const headers = [...new Headers(init?.headers)].flat()
      const place = { ...connection, origin: url.origin, path: url.pathname + url.search, headers }
      const body = new ResponseBody(resolve, reject)
      body.running = exchange(place, String(init?.body), init?.signal ?? new AbortController().signal, body)
    })

class ResponseBody implements Sink {
  running: Running | null = null
  private readonly resolve: (response: Response) => void
  private readonly reject: (error: unknown) => void
  private stream: ReadableStreamDefaultController<Uint8Array> | null = null

  constructor(resolve: (response: Response) => void, reject: (error: unknown) => void) {
    this.resolve = resolve
    this.reject = reject
  }

  start(headers: ReplyHeaders): void {
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.stream = controller
      },
      cancel: (why) => this.running?.abort(why),
    })
    this.resolve(new Response(stream, { headers: { 'content-type': String(headers['content-type'] ?? '') } }))
  }

  data(chunk: Buffer): boolean {
    this.stream?.enqueue(chunk)
    return false
  }

  end(): void {
    this.stream?.close()
  }

  fail(error: unknown): void {
    this.stream?.error(error)
    this.reject(error)
  }
}
