import { answeringThread } from '@parley/threads'
import { minute } from '../../../../server/src/kernel/time.ts'

const thread = answeringThread(new URL('./token-worker.ts', import.meta.url), {
  whenGone: 'The thread that counts tokens has ended.',
  idleFor: 5 * minute,
})

/**
 * How many tokens each text has, counted in a thread of its own: what it needs takes a third of a second to load, which
 * every stream would notice, and 80 MB, which are given back when nobody has asked for a while.
 */
export async function countTokensAside(texts: readonly string[]): Promise<number[]> {
  if (texts.length === 0) return []
  // Should the thread end, the most it can be: a token has at least one byte.
  return thread.ask<number[]>({ texts }).catch(() => texts.map((text) => Buffer.byteLength(text)))
}
