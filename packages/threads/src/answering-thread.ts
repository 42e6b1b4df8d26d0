import type { Worker } from 'node:worker_threads'
import { startThread } from './start-thread.ts'

/** A thread that is asked and answers, begun with the first question and again with the next one after it ended. */
export interface AnsweringThread {
  /** The thread gets the question with an `id`, and answers with that id and `answer` or `error`. */
  ask<Answer>(question: object): Promise<Answer>
  /** Tells it to end once it has answered what it was asked (the message `end`), and waits until it is gone. */
  end(): Promise<void>
}

interface Waiting {
  resolve(answer: unknown): void
  reject(error: Error): void
}

interface Reply {
  id: number
  answer?: unknown
  error?: string
}

interface Settings {
  workerData?: unknown
  /** What those are told who still wait for it. */
  whenGone: string
  /** Milliseconds without a question after which it ends, to give its memory back. */
  idleFor?: number
}

export function answeringThread(module: URL, { workerData, whenGone, idleFor }: Settings): AnsweringThread {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | null = null
  let asked = 0
  let idle: NodeJS.Timeout | undefined

  const restAfterwards = (): void => {
    clearTimeout(idle)
    if (idleFor === undefined) return
    idle = setTimeout(() => (waiting.size > 0 ? restAfterwards() : void end()), idleFor).unref()
  }

  const start = (): Worker => {
    const started = startThread(module, { workerData })
    started.unref()
    started.on('message', ({ id, answer, error }: Reply) => {
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
    started.on('exit', () => fail(new Error(whenGone)))
    return started
  }

  async function end(): Promise<void> {
    clearTimeout(idle)
    const ending = worker
    if (!ending) return
    if (waiting.size === 0) worker = null
    ending.ref()
    const gone = new Promise((resolve) => ending.once('exit', resolve))
    ending.postMessage('end')
    await gone
  }

  return {
    ask: <Answer>(question: object) =>
      new Promise<Answer>((resolve, reject) => {
        restAfterwards()
        worker ??= start()
        const id = ++asked
        waiting.set(id, { resolve: (answer) => resolve(answer as Answer), reject })
        worker.postMessage({ id, ...question })
      }),
    end,
  }
}
