import { availableParallelism } from 'node:os'
import { type CallOptions, createThreadPool, type Thread, type ThreadPool } from '@parley/threads'
import type { Chunk, ChunkOptions } from './chunking/chunk.ts'
import { type Detected, detectType, type FileHints } from './detect.ts'
import {
  type ChunkSource,
  DocumentError,
  defaultLimits,
  type Limits,
  type OnProgress,
  type ReadDocument,
  ScanError,
  type Settings,
  type Source,
  secondsFor,
} from './document.ts'
import { createOcr, type InstalledOcr } from './ocr/ocr.ts'
import { ocrHint, type Recognizer, readBlankPages, readImage, readScan } from './ocr/scans.ts'
import { packBlocks, unpackBlocks } from './packed-blocks.ts'
import type { PackedDocument } from './packed-document.ts'
import type { PageProgress, ParserMethods, WorkerData } from './parser-worker.ts'
import type { Passage } from './passage.ts'
import { fileSize, readSample, unpackedSize } from './read-source.ts'
import { readShortText } from './short-text.ts'
import { toDocumentError } from './thread-errors.ts'

const passagesPerCall = 500
/** Work on no more bytes than this, unpacked, has processes of its own. */
const smallBytes = 1024 * 1024
/** Small work that takes longer is started again among the large. */
const smallSeconds = 2
const maxIdleMemoryMb = 512

interface TaskOptions {
  signal?: AbortSignal
  /** The owner, such as a workspace, and after a slash a member of it. Owners take turns, and so do members. */
  key?: string
  /** Called now and then with the number of pages read (of a PDF), or of passages prepared. */
  onProgress?: OnProgress
}

interface ReadOptions extends FileHints, TaskOptions {
  limits?: Partial<Limits>
  settings?: Settings
  /** Called before a document waits for OCR, which reads one at a time. */
  onOcr?: () => void
}

/** Reads files in processes of their own, so that a slow or hostile file cannot block or crash the service. */
export interface Parser<Prepared = unknown> {
  /** Reads a short text without a process, and so without waiting. Null if the file is anything else. */
  readText(source: Source, options: ReadOptions): Promise<ReadDocument | null>
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
  /** Number of processes for large files: by default 1 or 2, which leaves a processor for other work. */
  workers?: number
  /** Ends the processes after this long without work. */
  idleSeconds?: number
  limits?: Partial<Limits>
  /** Called for each scan, so that OCR installed later is found without a restart. */
  findOcr?: () => Promise<InstalledOcr | undefined>
  /** URL of a `PassageModule<Prepared>`. */
  passageModule?: URL
}

export function createParser<Prepared = unknown>(options: ParserOptions = {}): Parser<Prepared> {
  const defaults = { ...defaultLimits, ...options.limits }
  const idleMs = (options.idleSeconds ?? 30) * 1000
  const ocr = createOcr({
    find: options.findOcr ?? (async () => undefined),
    memoryMb: defaults.memoryMegabytes,
    idleMs,
  })
  const workerData: WorkerData = options.passageModule ? { passageModule: options.passageModule.href } : {}
  const poolOptions = {
    name: 'parser',
    idleMs,
    maxIdleMemoryMb,
    process: { memoryMb: defaults.memoryMegabytes },
    isolated: true, // the environment may hold secrets
    workerData,
  }
  const createPool = (size: number, maxRunningPerKey = size) =>
    createThreadPool<ParserMethods>(new URL('./parser-worker.ts', import.meta.url), {
      ...poolOptions,
      size,
      maxRunningPerKey,
    })
  // One member cannot occupy both processes: a small file can be slow, such as a PDF of thousands of pages.
  const small = createPool(2, 1)
  const large = createPool(options.workers ?? Math.min(2, Math.max(1, availableParallelism() - 1)))

  /** Runs work on `size` bytes, which unpack to `unpacked`. Small work does not wait for large. */
  async function run<T>(
    size: number,
    limits: Limits,
    task: TaskOptions,
    work: (call: Call) => Promise<T>,
    unpacked = size,
  ): Promise<T> {
    const seconds = secondsFor(size, limits)
    if (unpacked > smallBytes) return runIn(large, seconds, limits, task, work)
    try {
      return await runIn(small, Math.min(seconds, smallSeconds), limits, task, work)
    } catch (error) {
      const isTimeout = error instanceof DocumentError && error.code === 'timeout'
      if (!isTimeout || seconds <= smallSeconds) throw error
      return runIn(large, seconds, limits, task, work)
    }
  }

  /** Runs work in one process of a pool. Its calls are limited and fail with document errors. */
  function runIn<T>(
    pool: ThreadPool<ParserMethods>,
    seconds: number,
    limits: Limits,
    { signal, key, onProgress }: TaskOptions,
    work: (call: Call) => Promise<T>,
  ): Promise<T> {
    const callOptions: CallOptions = {
      cpuSeconds: seconds,
      timeoutMs: limits.wallSeconds * 1000,
      ...(signal && { signal }),
      ...(onProgress && { onProgress: (progress: unknown) => onProgress(...(progress as PageProgress)) }),
    }
    const useThread = (thread: Pick<Thread<ParserMethods>, 'call'>) =>
      work((method, args) =>
        thread.call(method, args, callOptions).catch((error: unknown) => {
          throw toDocumentError(error, Math.min(seconds, limits.wallSeconds), limits)
        }),
      )
    return pool.use(useThread, { ...(signal && { signal }), ...(key !== undefined && { key }) })
  }

  const withDefaults = (own: Partial<Limits> | undefined): Limits => ({ ...defaults, ...own })
  const toHints = ({ name, mediaType }: ReadOptions): FileHints => ({
    name,
    ...(mediaType !== undefined && { mediaType }),
  })

  /** Reads a file in a process. If it needs OCR, the error says so. */
  async function read<T>(
    source: Source,
    options: ReadOptions,
    work: (call: Call, hints: FileHints, limits: Limits) => Promise<T>,
  ): Promise<T | ScanError> {
    const limits = withDefaults(options.limits)
    try {
      const unpacked = await unpackedSize(source, limits, smallBytes)
      const size = await fileSize(source, limits)
      return await run(size, limits, options, (call) => work(call, toHints(options), limits), unpacked)
    } catch (error) {
      if (error instanceof ScanError) return error
      throw error
    }
  }

  const parse = (source: Source, options: ReadOptions): Promise<ReadDocument | ScanError> =>
    read(source, options, async (call, hints, limits) => {
      const { blocks, ...document } = await call('parse', [source, hints, limits, options.settings ?? {}])
      return { ...document, ...(blocks && { blocks: unpackBlocks(blocks) }) }
    })

  /** Reads scans, images and pages without text with OCR. */
  async function recognize(
    source: Source,
    options: ReadOptions,
    found: ReadDocument | ScanError,
  ): Promise<ReadDocument> {
    const limits = withDefaults(options.limits)
    const withWarning = (warning: string): ReadDocument => {
      if (found instanceof ScanError) throw new DocumentError(found.code, `${found.message} ${warning}`)
      const { packed: _, ...read } = found
      return { ...read, warnings: [...read.warnings, warning] }
    }
    options.onOcr?.()
    const work = async (recognizer: Recognizer) => {
      if (!(found instanceof ScanError)) return readBlankPages(found, recognizer, limits, options.onProgress)
      if (found.pages > 0) return readScan(found.pages, recognizer, limits, options.onProgress)
      return readImage(detectType(await readSample(source, limits), toHints(options)), recognizer, limits)
    }
    try {
      return (await ocr.use(source, limits, options, work)) ?? withWarning(ocrHint)
    } catch (error) {
      if (found instanceof ScanError || !(error instanceof DocumentError)) throw error
      return withWarning(error.message)
    }
  }

  return {
    readText: (source, options) => readShortText(source, toHints(options), withDefaults(options.limits)),

    async parseDocument(source, options) {
      options.signal?.throwIfAborted()
      const text = await this.readText(source, options)
      if (text) return text
      const found = await parse(source, options)
      return found instanceof ScanError || found.blankPages ? recognize(source, options, found) : found
    },

    async packDocument(source, options) {
      const { blankPages, ...packed } = await read(source, options, (call, hints, limits) =>
        call('pack', [source, hints, limits]),
      ).then((found) => (found instanceof ScanError ? { blankPages: [], scan: found } : found))
      if (blankPages === undefined) return packed as PackedDocument
      const found = 'scan' in packed ? packed.scan : await parse(source, options)
      const document = await recognize(source, options, found)
      return run(document.text.length, withDefaults(options.limits), options, (call) => call('packRead', [document]))
    },

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

    workers: () => small.size() + large.size(),
    close: async () => void (await Promise.all([small.stop(), large.stop(), ocr.stop()])),
  }
}

type Call = <K extends keyof ParserMethods>(
  method: K,
  args: Parameters<ParserMethods[K]>,
) => Promise<Awaited<ReturnType<ParserMethods[K]>>>
