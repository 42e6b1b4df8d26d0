import { createThread } from '@parley/threads'
import type { TokenMethods } from './token-worker.ts'

const idleMs = 5 * 60 * 1000

export interface TokenCounter {
  /** The number of o200k_base tokens of each text. */
  count(texts: readonly string[]): Promise<number[]>
  close(): Promise<void>
}

/**
 * Counts tokens in a thread. Loading the vocabulary takes a tenth of a second, which would block the event loop, and
 * 20 MB, which an idle thread frees.
 */
export function createTokenCounter(): TokenCounter {
  const thread = createThread<TokenMethods>(new URL('./token-worker.ts', import.meta.url), { name: 'token', idleMs })
  return {
    async count(texts) {
      if (texts.length === 0) return []
      // If the thread fails, use the upper bound: a token has at least one byte.
      return thread.call('count', [texts]).catch(() => texts.map((text) => Buffer.byteLength(text)))
    },
    close: () => thread.close(),
  }
}
