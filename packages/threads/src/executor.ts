import type { WorkerOptions } from 'node:worker_threads'
import type { Request, Response, Transfer } from './protocol.ts'

export interface ExecutorOptions {
  workerData?: unknown
  resourceLimits?: WorkerOptions['resourceLimits']
  /** No environment variables and no output: for work on untrusted input. */
  isolated?: boolean
  /**
   * Runs the calls in a process of its own instead of a thread, for work that may crash or exhaust the memory. The kernel
   * enforces `memoryMb` on Linux; elsewhere it limits the JavaScript heap alone. `workerData` must be JSON.
   */
  process?: { memoryMb: number }
}

/** Where calls run: a worker thread or a process. */
export interface Executor {
  send(request: Request, transfer: Transfer): void
  /** Keeps the process of the caller alive, as it does at first. */
  ref(): void
  unref(): void
  /** Ends it, even in a busy loop. */
  terminate(): void
  /** Between two tasks `exit` ends a thread. A process can be terminated at any time. */
  exitGraceMs: number
  /** Processor time since the start. */
  cpuSeconds(): Promise<number>
  /** Memory it holds, free parts included. */
  memoryMb(): Promise<number>
}

export interface ExecutorEvents {
  onMessage(response: Response): void
  onError(cause: Error): void
  onOutOfMemory(): void
  /** `how` is what is known of it: `with code 1`, `by SIGSEGV`. */
  onExit(how?: string): void
}
