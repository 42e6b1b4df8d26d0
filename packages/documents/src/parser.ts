import { availableParallelism } from 'node:os'
import type { Preparation } from '@parley/search/preparation'
import type { Chunk, ChunkOptions, ChunkSource } from './chunking/chunk.ts'
import type { Detected, Named } from './detect.ts'
import { defaultLimits, type Limits, ScanError } from './document.ts'
import { type OcrTools, readScan } from './ocr.ts'
import { packBlocks, unpackBlocks } from './packed-blocks.ts'
import type { ReadDocument } from './parse.ts'
import type { Kind, Passage, Results, Source, Tasks } from './parser-worker.ts'
import { PooledWorker } from './pooled-worker.ts'

const preparedAtOnce = 500

interface ReadOptions extends Named {
  signal?: AbortSignal
  limits?: Partial<Limits>
}

/** Reads files in worker threads, so that neither a long nor a hostile one disturbs anything else. */
export interface Parser {
  /** Takes the path of a file or the file itself. Fails with a `DocumentError` that says why in words. */
  parseDocument(source: Source, options: ReadOptions): Promise<ReadDocument>
  /** What a file is, by its content, without reading all of it. */
  detectType(source: Source, options: ReadOptions): Promise<Detected>
  chunkDocument(document: ChunkSource, options: ChunkOptions & { signal?: AbortSignal }): Promise<Chunk[]>
  /** Makes passages ready for the search, so that its own thread has less to do. */
  prepare(passages: readonly Passage[], signal?: AbortSignal): Promise<Preparation[]>
  /** How many threads there are at the moment. */
  workers(): number
  close(): Promise<void>
}

export interface ParserOptions {
  /** How many files are read at once; by default one or two, so that a processor is left for whoever waits. */
  workers?: number
  /** How long a worker waits for the next file. */
  idleSeconds?: number
  limits?: Partial<Limits>
  /** Looks for the programs that read scans; asked when a scan comes, so that installing them is enough. */
  findOcr?: () => Promise<OcrTools | undefined>
}

export function createParser(options: ParserOptions = {}): Parser {
  const ownLimits = { ...defaultLimits, ...options.limits }
  const pool = new Pool(
    options.workers ?? Math.min(2, Math.max(1, availableParallelism() - 1)),
    options.idleSeconds ?? 30,
    ownLimits.memoryMegabytes,
  )

  const limitsOf = (own: ReadOptions['limits']): Limits => ({ ...ownLimits, ...own })

  return {
    async parseDocument(source, { signal, limits: own, ...named }) {
      const limits = limitsOf(own)
      return pool.use(signal, async (run) => {
        try {
          const { blocks, ...document } = await run('parse', { source, named, limits }, limits)
          return { ...document, ...(blocks && { blocks: unpackBlocks(blocks) }) }
        } catch (error) {
          const ocr = error instanceof ScanError && (await options.findOcr?.())
          if (!ocr) throw error
          return readScan(source, error.pages, ocr, limits, signal)
        }
      })
    },

    async detectType(source, { signal, limits: own, ...named }) {
      const limits = limitsOf(own)
      return pool.use(signal, (run) => run('detect', { source, named, limits }, limits))
    },

    async chunkDocument({ text, pages, headings, blocks }, { signal, size, overlap }) {
      const document = { text, pages, headings, ...(blocks && { blocks: packBlocks(blocks) }) }
      return pool.use(signal, (run) => run('chunk', { document, options: { size, overlap } }, ownLimits))
    },

    prepare: (passages, signal) =>
      pool.use(signal, async (run) => {
        const prepared: Preparation[] = []
        for (let at = 0; at < passages.length; at += preparedAtOnce) {
          const some = passages.slice(at, at + preparedAtOnce).map(({ headings, text }) => ({ headings, text }))
          prepared.push(...(await run('prepare', { passages: some }, ownLimits)))
        }
        return prepared
      }),

    workers: () => pool.size,
    close: () => pool.close(),
  }
}

const closedError = (): Error => new Error('The parser is closed.')

type Run = <K extends Kind>(kind: K, task: Tasks[K], limits: Limits) => Promise<Results[K]>

interface Waiting {
  start: () => void
  fail: (error: Error) => void
}

class Pool {
  readonly #most: number
  readonly #idleSeconds: number
  readonly #memoryMegabytes: number
  readonly #all = new Set<PooledWorker>()
  readonly #idle: PooledWorker[] = []
  readonly #waiting: Waiting[] = []
  #busy = 0
  #idleTimer: NodeJS.Timeout | undefined
  #closed = false

  constructor(most: number, idleSeconds: number, memoryMegabytes: number) {
    this.#most = most
    this.#idleSeconds = idleSeconds
    this.#memoryMegabytes = memoryMegabytes
  }

  get size(): number {
    return this.#all.size
  }

  /** Waits for its turn, lends a worker for the time of the work, and keeps it for the next one if it is still sound. */
  async use<T>(signal: AbortSignal | undefined, work: (run: Run) => Promise<T>): Promise<T> {
    await this.#turn(signal)
    let worker: PooledWorker | undefined
    try {
      return await work((kind, task, limits) => {
        this.#refuseWhenClosed()
        worker ??= this.#soundWorker()
        return worker.run(kind, task, limits, signal)
      })
    } catch (error) {
      this.#refuseWhenClosed()
      throw error
    } finally {
      if (worker) await this.#giveBack(worker)
      this.#passOn()
    }
  }

  #refuseWhenClosed(): void {
    if (this.#closed) throw closedError()
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#idleTimer)
    for (const { fail } of this.#waiting.splice(0)) fail(closedError())
    await Promise.all([...this.#all].map((worker) => worker.stop()))
    this.#all.clear()
    this.#idle.length = 0
  }

  async #turn(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    this.#refuseWhenClosed()
    clearTimeout(this.#idleTimer)
    if (this.#busy < this.#most) this.#busy++
    else await this.#queue(signal)
  }

  /** Whoever waits longest takes over the place; it is never free in between for anyone who has just come. */
  #passOn(): void {
    const next = this.#waiting.shift()
    if (next) next.start()
    else if (--this.#busy === 0) this.#sleepLater()
  }

  #queue(signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting: Waiting = { start: resolve, fail: reject }
    const onAbort = () => {
      const place = this.#waiting.indexOf(waiting)
      if (place === -1) return
      this.#waiting.splice(place, 1)
      reject(signal?.reason)
    }
    this.#waiting.push(waiting)
    signal?.addEventListener('abort', onAbort)
    return promise.finally(() => signal?.removeEventListener('abort', onAbort))
  }

  #soundWorker(): PooledWorker {
    for (let worker = this.#idle.pop(); worker; worker = this.#idle.pop()) {
      if (worker.alive) return worker
      this.#all.delete(worker)
    }
    const worker = new PooledWorker(this.#memoryMegabytes)
    this.#all.add(worker)
    return worker
  }

  async #giveBack(worker: PooledWorker): Promise<void> {
    if (!this.#closed && (await worker.isWorthKeeping().catch(() => false))) {
      this.#idle.push(worker)
      return
    }
    this.#all.delete(worker)
    await worker.stop()
  }

  #sleepLater(): void {
    clearTimeout(this.#idleTimer)
    if (this.#closed) return
    this.#idleTimer = setTimeout(() => {
      for (const worker of this.#idle.splice(0)) {
        this.#all.delete(worker)
        void worker.stop()
      }
    }, this.#idleSeconds * 1000).unref()
  }
}
