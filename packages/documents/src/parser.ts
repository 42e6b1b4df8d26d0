import { availableParallelism } from 'node:os'
import { type CallOptions, createThreadPool, RemoteError, type Thread, ThreadError } from '@parley/threads'
import type { Chunk, ChunkOptions } from './chunking/chunk.ts'
import { type Detected, detectType, type FileHints } from './detect.ts'
import {
  type ChunkSource,
  DocumentError,
  defaultLimits,
  type FailureCode,
  failureCodes,
  type Limits,
  type OnProgress,
  type ReadDocument,
  ScanError,
  type Settings,
  type Source,
  secondsFor,
} from './document.ts'
import { type OcrTools, readScan } from './ocr.ts'
import { packBlocks, unpackBlocks } from './packed-blocks.ts'
import type { PackedDocument } from './packed-document.ts'
import type { PageProgress, ParserMethods, WorkerData } from './parser-worker.ts'
import type { Passage } from './passage.ts'
import { readSample, sizeOf } from './read-source.ts'

const passagesPerCall = 500
const maxIdleMemoryMb = 512

interface TaskOptions {
  signal?: AbortSignal
  /** For whom it is, e.g. a workspace. Documents of different keys are read by turns. */
  key?: string
  /** Called now and then: with the pages that were read (of a PDF), or the passages that were prepared. */
  onProgress?: OnProgress
}

interface ReadOptions extends FileHints, TaskOptions {
  limits?: Partial<Limits>
  settings?: Settings
}

/** Reads files in processes of their own, so that a slow or hostile file cannot block or crash the service. */
export interface Parser<Prepared = unknown> {
  /** Throws a `DocumentError` if the file cannot be read. */
  parseDocument(source: Source, options: ReadOptions): Promise<ReadDocument>
  /** The same for a document that is only stored: its text, which can be long, is packed in the process that reads it. */
  packDocument(source: Source, options: ReadOptions): Promise<PackedDocument>
  /** Detects the type of a file by a sample of its content, without waiting for other files. */
  detectType(source: Source, hints: FileHints): Promise<Detected>
  chunkDocument(document: ChunkSource, options: ChunkOptions & TaskOptions): Promise<Chunk[]>
  /** Calls `prepare` of the `passageModule` for each passage. */
  prepare(passages: readonly Passage[], options?: TaskOptions): Promise<Prepared[]>
  /** Number of live processes. */
  workers(): number
  /** Stops all processes. Calls in progress are rejected. */
  close(): Promise<void>
}

export interface ParserOptions {
  /** Number of processes: by default 1 or 2, which leaves a processor for other work. */
  workers?: number
  /** Ends the processes after this long without work. */
  idleSeconds?: number
  limits?: Partial<Limits>
  /** Called for each scan, so that OCR programs installed later are found without a restart. */
  findOcr?: () => Promise<OcrTools | undefined>
  /** URL of a `PassageModule<Prepared>`. */
  passageModule?: URL
}

export function createParser<Prepared = unknown>(options: ParserOptions = {}): Parser<Prepared> {
  const defaults = { ...defaultLimits, ...options.limits }
  const workerData: WorkerData = options.passageModule ? { passageModule: options.passageModule.href } : {}
  const pool = createThreadPool<ParserMethods>(new URL('./parser-worker.ts', import.meta.url), {
    name: 'parser',
    size: options.workers ?? Math.min(2, Math.max(1, availableParallelism() - 1)),
    idleMs: (options.idleSeconds ?? 30) * 1000,
    maxIdleMemoryMb,
    process: { memoryMb: defaults.memoryMegabytes },
    isolated: true, // the environment may hold secrets
    workerData,
  })

  /** Runs work on `size` bytes in one process of the pool. Its calls are limited and fail with document errors. */
  function run<T>(
    size: number,
    limits: Limits,
    { signal, key, onProgress }: TaskOptions,
    work: (call: Call) => Promise<T>,
  ): Promise<T> {
    const seconds = secondsFor(size, limits)
    const callOptions: CallOptions = {
      cpuSeconds: seconds,
      ...(signal && { signal }),
      ...(onProgress && { onProgress: (progress: unknown) => onProgress(...(progress as PageProgress)) }),
    }
    const useThread = (thread: Pick<Thread<ParserMethods>, 'call'>) =>
      work((method, args) =>
        thread.call(method, args, callOptions).catch((error: unknown) => {
          throw toDocumentError(error, seconds, limits)
        }),
      )
    return pool.use(useThread, { ...(signal && { signal }), ...(key !== undefined && { key }) })
  }

  /** Reads a document with `parse`. A scan is read by OCR and passed to `ofScan`. */
  async function read<T>(
    source: Source,
    { signal, key, onProgress, limits: own, settings: _, ...hints }: ReadOptions,
    parse: (call: Call, limits: Limits, hints: FileHints) => Promise<T>,
    ofScan: (call: Call, scan: ReadDocument) => Promise<T>,
  ): Promise<T> {
    const limits = { ...defaults, ...own }
    const task = { ...(signal && { signal }), ...(key !== undefined && { key }), ...(onProgress && { onProgress }) }
    return run(await sizeOf(source, limits), limits, task, async (call) => {
      try {
        return await parse(call, limits, hints)
      } catch (error) {
        // OCR keeps its place in the pool, so that scans do not run all at once.
        const ocr = error instanceof ScanError && (await options.findOcr?.())
        if (!ocr) throw error
        return ofScan(call, await readScan(source, error.pages, ocr, limits, task))
      }
    })
  }

  return {
    parseDocument: (source, options) =>
      read(
        source,
        options,
        async (call, limits, hints) => {
          const { blocks, ...document } = await call('parse', [source, hints, limits, options.settings ?? {}])
          return { ...document, ...(blocks && { blocks: unpackBlocks(blocks) }) }
        },
        async (_call, scan) => scan,
      ),

    packDocument: (source, options) =>
      read(
        source,
        options,
        (call, limits, hints) => call('pack', [source, hints, limits]),
        (call, scan) => call('packRead', [scan]),
      ),

    detectType: async (source, hints) => detectType(await readSample(source, defaults), hints),

    async chunkDocument({ text, pages, headings, blocks }, { size, overlap, ...task }) {
      const document = { text, pages, headings, ...(blocks && { blocks: packBlocks(blocks) }) }
      return run(text.length, defaults, task, (call) => call('chunk', [document, { size, overlap }]))
    },

    prepare(passages, task = {}) {
      const size = passages.reduce((sum, { text }) => sum + text.length, 0)
      return run(size, defaults, task, async (call) => {
        const prepared: unknown[] = []
        for (let start = 0; start < passages.length; start += passagesPerCall) {
          const batch = passages.slice(start, start + passagesPerCall).map(({ headings, text }) => ({ headings, text }))
          task.onProgress?.(start, passages.length)
          prepared.push(...(await call('prepare', [batch])))
        }
        return prepared as Prepared[]
      })
    },

    workers: () => pool.size(),
    close: () => pool.stop(),
  }
}

type Call = <K extends keyof ParserMethods>(
  method: K,
  args: Parameters<ParserMethods[K]>,
) => Promise<Awaited<ReturnType<ParserMethods[K]>>>

function toDocumentError(error: unknown, seconds: number, { memoryMegabytes }: Limits): unknown {
  if (error instanceof RemoteError) {
    const { code, pages } = error.details
    if (typeof pages === 'number') return new ScanError(pages)
    return new DocumentError(isFailureCode(code) ? code : 'broken', error.message)
  }
  if (!(error instanceof ThreadError)) return error
  switch (error.code) {
    case 'timeout':
      return new DocumentError('timeout', `Reading the document took longer than ${seconds} seconds and was stopped.`)
    case 'memory':
      return new DocumentError(
        'memory',
        `Reading the document took more than ${memoryMegabytes} MB of memory and was stopped.`,
      )
    case 'crashed':
      return new DocumentError('crashed', `Reading the document failed unexpectedly (${error.message}).`)
    default:
      return error
  }
}

const isFailureCode = (code: unknown): code is FailureCode => failureCodes.some((known) => known === code)
