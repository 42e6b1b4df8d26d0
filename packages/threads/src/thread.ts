import type { Worker, WorkerOptions } from 'node:worker_threads'
import { FairQueue } from './fair-queue.ts'
import { type CallLimits, heldMemoryMb, watchLimits } from './limits.ts'
import type { Methods, Request, Response, Transfer } from './protocol.ts'
import { startThread } from './start-thread.ts'
import { RemoteError, ThreadError, type ThreadErrorCode } from './thread-error.ts'

export interface ThreadOptions {
  /** What the thread does, for error messages: `The <name> thread …`. */
  name: string
  workerData?: unknown
  resourceLimits?: WorkerOptions['resourceLimits']
  /** No environment variables and no output: for work on untrusted input. */
  isolated?: boolean
  /** One call at a time. A call that is aborted or exceeds its limits is stopped together with the thread. */
  exclusive?: boolean
  /** Ends the thread after this long without a call, to free its memory. */
  idleMs?: number
  /** How many calls of one `key` may wait. Further ones are rejected as `overloaded`. */
  maxWaitingPerKey?: number
}

export interface CallOptions extends CallLimits {
  /** For whom the call is, e.g. a workspace. Calls that wait take turns between keys. */
  key?: string
  signal?: AbortSignal
  transfer?: Transfer
}

type Result<M extends Methods, K extends keyof M> = Awaited<ReturnType<M[K]>>

/** A worker thread that is started by its first call, and again by the first call after it ended. */
export interface Thread<M extends Methods> {
  call<K extends keyof M & string>(method: K, args: Parameters<M[K]>, options?: CallOptions): Promise<Result<M, K>>
  /** Calls without a result yet, waiting ones included. */
  pending(): number
  isRunning(): boolean
  /** Heap, free parts included, and buffers. */
  memoryMb(): Promise<number>
  /** Rejects calls that have not started, lets the others finish, and ends the thread. */
  close(): Promise<void>
  /** Rejects all calls and ends the thread, even in a busy loop. Not for threads inside native code: stopping those can end the process. */
  stop(): Promise<void>
}

interface Call {
  method: string
  args: unknown[]
  options: CallOptions
  resolve(result: never): void
  reject(error: unknown): void
  onAbort(): void
  /** Set while the call runs. */
  running?: { kill(cause: unknown): void; stopLimits(): void }
}

/** One start of the thread, from its creation to its exit. */
interface Run {
  worker: Worker
  isReady: boolean
  calls: Map<number, Call>
  exited: Promise<void>
}

const exitGraceMs = 500

export function createThread<M extends Methods>(module: URL, options: ThreadOptions): Thread<M> {
  const waiting = new FairQueue<Call>(options.maxWaitingPerKey)
  const ending = new Set<Promise<void>>()
  let run: Run | null = null
  let lastId = 0
  let idleTimer: NodeJS.Timeout | undefined
  let isClosed = false

  const error = (code: ThreadErrorCode, what: string) => new ThreadError(code, `The ${options.name} thread ${what}.`)

  function start(): Run {
    const worker = startThread(module, {
      workerData: options.workerData,
      ...(options.resourceLimits && { resourceLimits: options.resourceLimits }),
      ...(options.isolated && { env: {}, execArgv: [], stdout: true, stderr: true }),
    })
    worker.unref()
    if (options.isolated) {
      worker.stdout.resume()
      worker.stderr.resume()
    }
    const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
    const started: Run = { worker, isReady: false, calls: new Map(), exited }
    worker.on('message', (response: Response) => {
      if (response === 'ready') started.isReady = true
      else if (Array.isArray(response)) settle(started, response)
      else abandon(started, new RemoteError(response.startError))
      pump()
    })
    worker.on('error', (cause) => {
      const isMemory = 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
      abandon(
        started,
        error(isMemory ? 'memory' : 'crashed', isMemory ? 'ran out of memory' : `failed: ${cause.message}`),
      )
    })
    worker.on('exit', () => abandon(started, error('crashed', 'ended unexpectedly')))
    return started
  }

  function settle(from: Run, [id, result, failure]: Exclude<Response, string | { startError: unknown }>): void {
    const call = from.calls.get(id)
    if (!call) return
    release(from, id, call)
    if (failure === undefined) call.resolve(result as never)
    else call.reject(new RemoteError(failure))
  }

  function release(from: Run, id: number, call: Call): void {
    from.calls.delete(id)
    call.running?.stopLimits()
    call.options.signal?.removeEventListener('abort', call.onAbort)
    if (from.calls.size > 0) return
    from.worker.unref()
    endWhenIdle()
  }

  /** Rejects what a run has not answered. Calls that wait get another run, unless this one could not even start. */
  function abandon(from: Run, cause: Error): void {
    const isCurrent = run === from
    if (isCurrent) run = null
    for (const [id, call] of from.calls) {
      release(from, id, call)
      call.reject(cause)
    }
    if (isCurrent && !from.isReady) rejectWaiting(cause)
    pump()
  }

  function rejectWaiting(cause: Error): void {
    for (const call of waiting.clear()) {
      call.options.signal?.removeEventListener('abort', call.onAbort)
      call.reject(cause)
    }
  }

  function pump(): void {
    while (waiting.size > 0) {
      run ??= start()
      if (!run.isReady || (options.exclusive && run.calls.size > 0)) return
      send(run, waiting.shift() as Call)
    }
  }

  function send(to: Run, call: Call): void {
    clearTimeout(idleTimer)
    const id = ++lastId
    const { transfer = [], ...limits } = call.options
    const kill = (cause: unknown, graceMs = exitGraceMs) => {
      release(to, id, call)
      call.reject(cause)
      if (!options.exclusive) return
      if (run === to) run = null
      void exit(to, graceMs)
      pump()
    }
    const stopLimits = watchLimits(to.worker, limits, (code) =>
      kill(error(code, code === 'memory' ? 'used too much memory' : 'took too long'), 0),
    )
    call.running = { kill, stopLimits }
    to.calls.set(id, call)
    to.worker.ref() // the process must not exit in the middle of a call
    try {
      to.worker.postMessage([id, call.method, call.args] satisfies Request, [...transfer])
    } catch (cause) {
      release(to, id, call) // the arguments cannot be cloned
      call.reject(cause)
    }
  }

  function endWhenIdle(): void {
    clearTimeout(idleTimer)
    if (options.idleMs === undefined) return
    idleTimer = setTimeout(() => {
      if (run && run.calls.size === 0 && waiting.size === 0) void end(run)
    }, options.idleMs).unref()
  }

  /** Lets a run finish and waits for its exit. */
  function end(which: Run): Promise<void> {
    if (run === which) run = null
    which.worker.ref()
    which.worker.postMessage('close' satisfies Request)
    const ended = which.exited.finally(() => ending.delete(ended))
    ending.add(ended)
    return ended
  }

  /**
   * Lets the thread exit between two tasks, and terminates it after the grace. Node aborts the whole process if a thread
   * is terminated while it sets up a zlib stream.
   */
  function exit(which: Run, graceMs: number): Promise<void> {
    if (graceMs > 0) which.worker.postMessage('exit' satisfies Request)
    const timer = setTimeout(() => void which.worker.terminate(), graceMs)
    const ended = which.exited.finally(() => {
      clearTimeout(timer)
      ending.delete(ended)
    })
    ending.add(ended)
    return ended
  }

  function refuseWaiting(): void {
    isClosed = true
    clearTimeout(idleTimer)
    rejectWaiting(error('closed', 'is closed'))
  }

  return {
    call: (method, args, callOptions = {}) =>
      new Promise((resolve, reject) => {
        const { signal, key = '' } = callOptions
        function onAbort(): void {
          if (call.running) {
            call.running.kill(signal?.reason)
            return
          }
          waiting.remove(key, call)
          signal?.removeEventListener('abort', onAbort)
          reject(signal?.reason)
        }
        if (isClosed) return reject(error('closed', 'is closed'))
        if (signal?.aborted) return reject(signal.reason)
        const call: Call = { method, args, options: callOptions, resolve, reject, onAbort }
        if (!waiting.push(key, call)) return reject(error('overloaded', 'has too many calls waiting; try again later'))
        signal?.addEventListener('abort', onAbort)
        pump()
      }),
    pending: () => waiting.size + (run?.calls.size ?? 0),
    isRunning: () => run !== null,
    memoryMb: async () => (run ? heldMemoryMb(run.worker) : 0),
    async close() {
      refuseWaiting()
      if (run) void end(run)
      await Promise.all(ending)
    },
    async stop() {
      refuseWaiting()
      const stopped = run
      if (stopped) {
        abandon(stopped, error('closed', 'is closed'))
        void exit(stopped, exitGraceMs)
      }
      await Promise.all(ending)
    },
  }
}
