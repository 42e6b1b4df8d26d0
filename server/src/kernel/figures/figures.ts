import { Worker } from 'node:worker_threads'
import { minute } from '../time.ts'
import type { Span } from './book.ts'
import type { Place } from './worker.ts'

/** Statistics over many rows, answered by a thread of their own from days that are kept as columns of numbers. */
export interface Figures {
  ask<Answer>(book: URL, workspace: string, span: Partial<Span>, question: unknown): Promise<Answer>
  close(): Promise<void>
}

interface Waiting {
  resolve(answer: unknown): void
  reject(error: Error): void
}

const idleFor = 2 * minute
const everyDay: Span = { from: '0000-01-01', to: '9999-12-31' }

/** The thread begins with the first question and ends when nobody has asked for a while. */
export function openFigures(place: Place): Figures {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | null = null
  let idle: NodeJS.Timeout | undefined
  let asked = 0

  const start = (): Worker => {
    const started = new Worker(new URL('./worker.ts', import.meta.url), { workerData: place })
    started.unref()
    started.on('message', ({ id, answer, error }: { id: number; answer?: unknown; error?: string }) => {
      const asker = waiting.get(id)
      waiting.delete(id)
      if (error === undefined) asker?.resolve(answer)
      else asker?.reject(new Error(error))
    })
    const fail = (error: Error) => {
      if (worker !== started) return
      worker = null
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    }
    started.on('error', fail)
    started.on('exit', () => fail(new Error('The thread that reads the figures has ended.')))
    return started
  }
  const end = (): void => {
    if (waiting.size > 0) {
      restAfterwards()
      return
    }
    worker?.postMessage('end')
    worker = null
  }
  const restAfterwards = (): void => {
    clearTimeout(idle)
    idle = setTimeout(end, idleFor)
    idle.unref()
  }

  return {
    ask: <Answer>(book: URL, workspace: string, span: Partial<Span>, question: unknown) =>
      new Promise<Answer>((resolve, reject) => {
        worker ??= start()
        restAfterwards()
        const id = ++asked
        waiting.set(id, { resolve: (answer) => resolve(answer as Answer), reject })
        worker.postMessage({ id, book: book.href, asked: { workspace, ...everyDay, ...span, question } })
      }),
    async close() {
      clearTimeout(idle)
      const ending = worker
      if (!ending) return
      ending.ref()
      const gone = new Promise((resolve) => ending.once('exit', resolve))
      ending.postMessage('end')
      await gone
    },
  }
}
