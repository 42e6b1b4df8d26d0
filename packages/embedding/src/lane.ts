import { startThread } from '@parley/threads'
import type { MiniLmReply, MiniLmRequest, MiniLmSetup } from './minilm-worker.ts'

interface Waiting {
  text: string
  resolve(vector: Float32Array): void
  reject(error: Error): void
}

export interface Lane {
  /** Settles once the model is loaded, or cannot be. */
  open(): Promise<void>
  embed(text: string): Promise<Float32Array>
  isLoaded(): boolean
  /** Whether it would begin with a text at once or as soon as it is done with others. */
  isReady(): boolean
  /** How many texts it has not answered yet. */
  pending(): number
  close(): Promise<void>
}

export interface LaneSettings {
  setup: MiniLmSetup
  /** How many waiting texts go to the thread in one message. */
  most: number
  /** Milliseconds without work after which the model is unloaded. */
  idle: number
}

/** One model in one thread: loaded when first asked, unloaded when idle. */
export function createLane({ setup, most, idle }: LaneSettings): Lane {
  let thread: Thread | undefined
  let failure: Error | undefined
  let idleTimer: NodeJS.Timeout | undefined
  const waiting: Waiting[] = []
  const closing = new Set<Promise<void>>()

  const start = (): Thread => {
    thread ??= startModel(setup, {
      free: pump,
      ended(error, isFinal) {
        thread = undefined
        if (isFinal) failure = error
        for (const { reject } of waiting.splice(0)) reject(error)
      },
    })
    return thread
  }

  const unload = () => {
    clearTimeout(idleTimer)
    if (!thread) return
    const ended = thread.end().finally(() => closing.delete(ended))
    closing.add(ended)
    thread = undefined
  }

  const pump = () => {
    clearTimeout(idleTimer)
    if (waiting.length > 0) {
      const current = start()
      if (current.isFree()) current.work(waiting.splice(0, most))
    } else if (thread?.isFree()) idleTimer = setTimeout(unload, idle).unref()
  }

  return {
    async open() {
      if (failure) throw failure
      await start().ready
    },
    embed: (text) =>
      new Promise((resolve, reject) => {
        if (failure) return reject(failure)
        waiting.push({ text, resolve, reject })
        pump()
      }),
    isLoaded: () => thread !== undefined,
    isReady: () => thread?.isReady() ?? false,
    pending: () => waiting.length + (thread?.pending() ?? 0),
    async close() {
      for (const { reject } of waiting.splice(0)) reject(new Error('The embedding model is being closed.'))
      unload()
      await Promise.all(closing)
    },
  }
}

interface Thread {
  ready: Promise<void>
  isReady(): boolean
  isFree(): boolean
  pending(): number
  work(texts: Waiting[]): void
  /** Lets the work that runs finish. */
  end(): Promise<void>
}

interface ThreadEvents {
  free(): void
  ended(error: Error, isFinal: boolean): void
}

function startModel(setup: MiniLmSetup, events: ThreadEvents): Thread {
  const worker = startThread(new URL('./minilm-worker.ts', import.meta.url), { workerData: setup })
  const post = (request: MiniLmRequest) => worker.postMessage(request)
  const opened = Promise.withResolvers<void>()
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  opened.promise.catch(() => {})
  let isReady = false
  let isEnding = false
  let current: Waiting[] = []

  const fail = (error: Error, isFinal: boolean) => {
    opened.reject(error)
    for (const { reject } of current.splice(0)) reject(error)
    if (!isEnding) events.ended(error, isFinal)
    isEnding = true
  }
  worker.on('message', (reply: MiniLmReply) => {
    if ('failed' in reply) return fail(new Error(`The embedding model cannot be used: ${reply.failed}.`), true)
    if ('ready' in reply) {
      isReady = true
      opened.resolve()
    } else settle(current.splice(0), reply)
    if (isEnding) return
    if (current.length === 0) worker.unref()
    events.free()
  })
  worker.on('error', (error) => fail(error, !isReady))
  worker.on('exit', () => fail(new Error('The embedding model ended unexpectedly.'), false))

  return {
    ready: opened.promise,
    isReady: () => isReady,
    isFree: () => isReady && current.length === 0,
    pending: () => current.length,
    work(texts) {
      current = texts
      worker.ref() // the process must not end in the middle of a run
      post({ texts: texts.map(({ text }) => text) })
    },
    async end() {
      isEnding = true
      worker.ref()
      post('close')
      await exited
    },
  }
}

function settle(texts: Waiting[], reply: { vectors: Float32Array[] } | { error: string }): void {
  if ('error' in reply) {
    for (const { reject } of texts) reject(new Error(`The embedding model failed: ${reply.error}.`))
    return
  }
  texts.forEach(({ resolve }, at) => {
    resolve(reply.vectors[at] as Float32Array)
  })
}
