import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Embedding } from '@parley/embedding'
import { staticModel } from '@parley/embedding'
import { reason } from '../errors.ts'
import { type EmbeddingModel, type EmbeddingPurpose, ProviderError } from './model.ts'

/** Texts that are embedded before others get their turn. */
const atOnce = 32

/** The built-in embedding models, seen as any other. */
export function localEmbeddings(model: string, engine: Embedding): EmbeddingModel {
  const embed = model === staticModel.id ? embedStatic(engine) : embedFine(engine)
  return {
    async embed(texts, signal, purpose = 'document') {
      const vectors: Float32Array[] = []
      for (let from = 0; from < texts.length; from += atOnce) {
        signal.throwIfAborted()
        vectors.push(...(await orAborted(embed(texts.slice(from, from + atOnce), purpose), signal)))
      }
      return { vectors, tokens: null }
    },
  }
}

/** The engine finishes what it has begun, but nobody need wait for it. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort)
  work.catch(() => {}) // it may fail when nobody listens any more
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

type Embed = (texts: string[], purpose: EmbeddingPurpose) => Promise<Float32Array[]>

const embedStatic =
  (engine: Embedding): Embed =>
  async (texts) => {
    await nextTurn()
    const model = engine.static()
    return texts.map((text) => model.embed(text))
  }

const embedFine =
  ({ miniLm }: Embedding): Embed =>
  async (texts, purpose) => {
    try {
      return await (purpose === 'query' ? Promise.all(texts.map(miniLm.embedQuery)) : miniLm.embedPassages(texts))
    } catch (error) {
      throw new ProviderError('connection', reason(error), { cause: error })
    }
  }
