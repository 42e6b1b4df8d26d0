import { createThreads, type Threads } from '../src/app.ts'

let threads: Threads | undefined
const vectors = new Map<string, Promise<Float32Array>>()

/**
 * The threads and processes of one service, which all services of the test process share: starting them takes longer than
 * starting the rest of the service. Closing ends only the work of that service.
 */
export function sharedThreads(): Threads {
  threads ??= createThreads()
  const { parser, tokens, embedding, tables, store } = threads
  const closing = new AbortController()
  const untilClosed = <T extends { signal?: AbortSignal }>(options: T) => ({
    ...options,
    signal: options.signal ? AbortSignal.any([options.signal, closing.signal]) : closing.signal,
  })
  const close = async () => closing.abort(new Error('The service is closed.'))
  return {
    store: { ...store, close },
    parser: {
      ...parser,
      parseDocument: (source, options) => parser.parseDocument(source, untilClosed(options)),
      packDocument: (source, options) => parser.packDocument(source, untilClosed(options)),
      chunkDocument: (document, options) => parser.chunkDocument(document, untilClosed(options)),
      prepare: (passages, options = {}) => parser.prepare(passages, untilClosed(options)),
      close,
    },
    tokens: { ...tokens, close },
    tables: {
      read: (source, options = {}) => tables.read(source, untilClosed(options)),
      query: (from, sql, options = {}) => tables.query(from, sql, untilClosed(options)),
      page: (table, range, options = {}) => tables.page(table, range, untilClosed(options)),
      close,
    },
    embedding: {
      ...embedding,
      miniLm: {
        ...embedding.miniLm,
        async embedPassages(texts) {
          const found: Float32Array[] = []
          for (const text of texts) {
            closing.signal.throwIfAborted()
            found.push(await embedOnce(embedding, text))
          }
          return found
        },
      },
      close,
    },
  }
}

/** Many tests index the same passages. */
function embedOnce({ miniLm }: Threads['embedding'], text: string): Promise<Float32Array> {
  let vector = vectors.get(text)
  if (!vector) {
    vector = miniLm.embedPassages([text]).then(([first]) => first as Float32Array)
    vectors.set(text, vector)
    vector.catch(() => vectors.delete(text))
  }
  return vector
}
