import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { startThread } from '@parley/threads'
import { second } from '../../../kernel/time.ts'
import type { Question } from './regex-worker.ts'

export const longestMatch = second

/**
 * Looks for patterns in a thread of its own, one after the other. A pattern that takes too long is stopped together
 * with the thread, so it can hold up neither the service nor, for long, other patterns.
 */
export class Matcher {
  private worker: Promise<Worker> | null = null
  private last: Promise<unknown> = Promise.resolve()

  /** Whether the text has the pattern; null when finding out took too long. */
  test(question: Question): Promise<boolean | null> {
    const answer = this.last.then(() => this.ask(question))
    this.last = answer.catch(() => undefined)
    return answer
  }

  async close(): Promise<void> {
    await (await this.worker)?.terminate()
    this.worker = null
  }

  private async ask(question: Question): Promise<boolean | null> {
    this.worker ??= startWorker()
    const worker = await this.worker
    const tooLate = new AbortController()
    const timer = setTimeout(() => tooLate.abort(), longestMatch)
    try {
      const answered = once(worker, 'message', { signal: tooLate.signal })
      worker.postMessage(question)
      const [found] = (await answered) as [boolean]
      return found
    } catch (error) {
      this.worker = null
      await worker.terminate()
      if (tooLate.signal.aborted) return null
      throw error
    } finally {
      clearTimeout(timer)
    }
  }
}

async function startWorker(): Promise<Worker> {
  const worker = startThread(new URL('./regex-worker.ts', import.meta.url), {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  })
  worker.unref()
  await once(worker, 'message') // it is ready: from here on, only the matching takes time
  return worker
}
