import type { Transferable } from 'node:worker_threads'
import type { SerializedError } from './thread-error.ts'

// biome-ignore lint/suspicious/noExplicitAny: parameters are checked where methods are called
export type Methods = Record<string, (...args: any[]) => unknown>

export type Request = [id: number, method: string, args: unknown[]] | 'close' | 'exit'

/** `ready` comes first; a thread that cannot start answers with the error instead. */
export type Response =
  | 'ready'
  | { startError: SerializedError }
  | [id: number, result: unknown, error?: SerializedError]
  | { call: number; progress: unknown }

export type Transfer = readonly Transferable[]
