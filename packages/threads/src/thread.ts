import type { Executor, ExecutorOptions } from './executor.ts'
import { FairQueue } from './fair-queue.ts'
import { type CallLimits, watchLimits } from './limits.ts'
import { startProcess } from './process-executor.ts'
import type { Methods, Response, Transfer } from './protocol.ts'
import { RemoteError, ThreadError, type ThreadErrorCode } from './thread-error.ts'
import { startWorker } from './worker-executor.ts'

export interface ThreadOptions extends ExecutorOptions {
  /** The task of the thread, for error messages: `The <name> thread …`. */
  name: string
  /** One call at a time. A call that is aborted or exceeds its limits is stopped together with the thread. */
  exclusive?: boolean
  /** Ends the thread after this long without a call, to free its memory. */
  idleMs?: number
  /** How many calls of one `key` may wait. More are rejected as `overloaded`. */
  maxWaitingPerKey?: number
}

export interface CallOptions extends CallLimits {
  /** The owner of the call, such as a workspace, and after a slash a member of it. Owners take turns, and so do members. */
  key?: string
  signal?: AbortSignal
  transfer?: Transfer
  /** Called with the values that the method passes to `reportProgress`. */
  onProgress?(progress: unknown): void
}

type Result<M extends Methods, K extends keyof M> = Awaited<ReturnType<M[K]>>

/** A worker thread that is started by its first call, and again by the first call after it ended. */
export interface Thread<M extends Methods> {
  call<K extends keyof M & string>(method: K, args: Parameters<M[K]>, options?: CallOptions): Promise<Result<M, K>>
  /** Calls without a result yet, waiting ones included. */
  pending(): number
  isRunning(): boolean
  /** Memory it holds, free parts included. Zero if that is unknown. */
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
  executor: Executor
  isReady: boolean
  calls: Map<number, Call>
  exited: Promise<void>
}

export function createThread<M extends Methods>(module: URL, options: ThreadOptions): Thread<M> {
  const waiting = new FairQueue<Call>(options.maxWaitingPerKey)
  const ending = new Set<Promise<void>>()
  let run: Run | null = null
  let lastId = 0
  let idleTimer: NodeJS.Timeout | undefined
  let isClosed = false

  const error = (code: ThreadErrorCode, what: string) => new ThreadError(code, `The ${options.name} thread ${what}.`)

  function start(): Run {
    const { promise: exited, resolve: onExited } = Promise.withResolvers<void>()
    const startExecutor = options.process ? startProcess : startWorker
    const executor = startExecutor(module, options, {
      onMessage(response) {
        if (response === 'ready') {
          started.isReady = true
          executor.unref()
        } else if (Array.isArray(response)) settle(started, response)
        else if ('progress' in response) {
          started.calls.get(response.call)?.options.onProgress?.(response.progress)
          return
        } else abandon(started, new RemoteError(response.startError))
        pump()
      },
      onOutOfMemory: () => abandon(started, error('memory', 'ran out of memory')),
      onError: (cause) => abandon(started, error('crashed', `failed: ${cause.message}`)),
      onExit(how) {
        abandon(started, error('crashed', how ? `ended unexpectedly, ${how}` : 'ended unexpectedly'))
        onExited()
      },
    })
    const started: Run = { executor, isReady: false, calls: new Map(), exited }
    return started
  }

  function settle(from: Run, [id, result, failure]: Extract<Response, unknown[]>): void {
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
    from.executor.unref()
    endWhenIdle()
  }

  /** Rejects the unanswered calls of a run. Waiting calls get another run, unless this one could not even start. */
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
    const kill = (cause: unknown, graceMs = to.executor.exitGraceMs) => {
      release(to, id, call)
      call.reject(cause)
      if (!options.exclusive) return
      if (run === to) run = null
      void exit(to, graceMs)
      pump()
    }
    const stopLimits = watchLimits(to.executor, limits, () => kill(error('timeout', 'took too long'), 0))
    call.running = { kill, stopLimits }
    to.calls.set(id, call)
    to.executor.ref() // the process must not exit in the middle of a call
    try {
      to.executor.send([id, call.method, call.args], transfer)
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
    which.executor.ref()
    which.executor.send('close', [])
    const ended = which.exited.finally(() => ending.delete(ended))
    ending.add(ended)
    return ended
  }

  /** Lets the thread exit between two tasks, and terminates it after the grace. */
  function exit(which: Run, graceMs: number): Promise<void> {
    which.executor.ref()
    if (graceMs > 0) which.executor.send('exit', [])
    const timer = setTimeout(() => which.executor.terminate(), graceMs)
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
    memoryMb: async () => (run ? run.executor.memoryMb() : 0),
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
        void exit(stopped, stopped.executor.exitGraceMs)
      }
      await Promise.all(ending)
    },
  }
}
