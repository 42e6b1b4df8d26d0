import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Embedding } from '@parley/embedding'
import { staticModel } from '@parley/embedding'
import { detectLanguage, type RankOptions } from '@parley/local-model'
import { reason } from '../errors.ts'
import { type EmbeddingModel, type EmbeddingPurpose, ProviderError } from './model.ts'

/** Other work gets a turn after so many texts. */
const batchSize = 32

/** The built-in embedding models. */
export function localEmbeddings(model: string, engine: Embedding): EmbeddingModel {
  const embed = model === staticModel.id ? embedStatic(engine) : embedMiniLm(engine)
  return {
    async embed(texts, signal, purpose = 'document') {
      const vectors: Float32Array[] = []
      for (let from = 0; from < texts.length; from += batchSize) {
        signal.throwIfAborted()
        vectors.push(...(await untilAborted(embed(texts.slice(from, from + batchSize), purpose), signal)))
      }
      return { vectors, tokens: null }
    },
  }
}

/**
 * Lets the local model rank sentences by meaning as well. The static model takes a few milliseconds for a hundred sentences,
 * MiniLM a second or more. Both know English only: in Chinese, say, all sentences seem alike.
 */
export function sentenceEmbedding(
  question: string,
  engine: Embedding,
  signal: AbortSignal,
): Pick<RankOptions, 'embed'> {
  if (detectLanguage(question) !== 'english') return {}
  const model = localEmbeddings(staticModel.id, engine)
  return { embed: async (texts) => (await model.embed(texts, signal)).vectors }
}

/** Rejects when the signal aborts, without waiting for work that cannot be stopped. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort)
  work.catch(() => {}) // It may fail after the abort, when nothing handles it any more.
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
    await yieldToEventLoop()
    const model = engine.static()
    return texts.map((text) => model.embed(text))
  }

const embedMiniLm =
  ({ miniLm }: Embedding): Embed =>
  async (texts, purpose) => {
    try {
      return await (purpose === 'query' ? Promise.all(texts.map(miniLm.embedQuery)) : miniLm.embedPassages(texts))
    } catch (error) {
      throw new ProviderError('connection', reason(error), { cause: error })
    }
  }
