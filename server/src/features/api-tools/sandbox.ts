import {
  type CallOptions,
  createThread,
  createThreadPool,
  RemoteError,
  type Thread,
  ThreadError,
  type ThreadPool,
} from '@parley/threads'
import type { CheckedOutput } from '../../kernel/agent/structured.ts'
import { type Detail, type ErrorCode, errorCatalogue, Problem } from '../../kernel/errors.ts'
import type { MasksData } from '../../kernel/secrets/masks.ts'
import { minute, second } from '../../kernel/time.ts'
import type { McpResult } from './mcp/result.ts'
import type { DocumentTask, ReadResult } from './openapi/document.ts'
import type { Answer, ReadTask } from './request/answer.ts'
import type { ArgumentPath } from './sandbox/declared.ts'
import type { Checked } from './sandbox/json-schema.ts'
import { Turns } from './sandbox/turns.ts'
import type { SandboxMethods } from './sandbox-worker.ts'

/** Work that failed or exceeded its limits. The message completes a sentence: `it took too long`. */
export class SandboxError extends Error {
  readonly isLimit: boolean

  constructor(message: string, isLimit: boolean) {
    super(message)
    this.isLimit = isLimit
  }
}

/** For whom the work is, and how long it may take. */
export interface Work {
  workspace: string
  /** When the call must have ended, in milliseconds of the process clock. Waiting counts. */
  until?: number
  signal?: AbortSignal | undefined
}

/** The check of a reply, in turn by workspace and person. */
interface OutputWork {
  turn: string
  signal?: AbortSignal
}

const module = new URL('./sandbox-worker.ts', import.meta.url)
const idleMs = 10 * minute
/** Answers of more bytes are read in a thread. */
export const largeAnswer = 64 * 1024
/** How long one call may run, and so delay those of other workspaces. */
const maxRunMs = { calls: 2 * second, outputs: 2 * second, answers: 10 * second, documents: 30 * second }
const maxWaiting = { calls: 100, outputs: 20, answers: 20, documents: 4 }

/**
 * Works on input that others wrote (schemas, expressions, answers, documents) in threads with limits of time and memory.
 * Workspaces take turns. Schemas of replies, large answers and documents have threads of their own, so that they do not
 * delay calls.
 */
export class Sandbox {
  readonly #calls: ThreadPool<SandboxMethods> = createThreadPool(module, { ...threadOptions(256), size: 2 })
  /** A workspace uses one of the threads at most. */
  readonly #turns = new Turns(maxWaiting.calls)
  /** Everybody who converses may bring these schemas, so they do not delay calls, and the people of a workspace take turns. */
  readonly #outputs: ThreadPool<SandboxMethods> = createThreadPool(module, {
    ...threadOptions(256),
    size: 1,
    maxWaitingPerKey: maxWaiting.outputs,
  })
  readonly #answers: ThreadPool<SandboxMethods> = createThreadPool(module, {
    ...threadOptions(512),
    size: 1,
    maxIdleMemoryMb: 256,
    maxWaitingPerKey: maxWaiting.answers,
  })
  readonly #documents: Thread<SandboxMethods> = createThread(module, {
    ...threadOptions(1024),
    exclusive: true,
    maxWaitingPerKey: maxWaiting.documents,
  })

  /** Returns what is wrong with a schema, or null. */
  checkSchema(schema: string, work: Work): Promise<string | null> {
    return this.#call(work, (thread, options) => thread.call('checkSchema', [schema], options))
  }

  /** Validates the arguments that a schema declares, and names the others. */
  validate(schema: string, value: string, work: Work): Promise<Checked> {
    return this.#call(work, (thread, options) => thread.call('validate', [schema, value], options))
  }

  /** Names the arguments that a schema does not declare, without validating the others. */
  undeclared(schema: string, value: string, work: Work): Promise<ArgumentPath[]> {
    return this.#call(work, (thread, options) => thread.call('undeclared', [schema, value], options))
  }

  /** Returns what is wrong with a schema that replies shall follow, or null. */
  checkOutputSchema(schema: string, work: OutputWork): Promise<string | null> {
    return this.#checkOutput(work, (thread, options) => thread.call('checkOutputSchema', [schema], options))
  }

  /** Parses and validates a reply that must follow a schema. */
  checkOutput(schema: string, text: string, work: OutputWork): Promise<CheckedOutput> {
    return this.#checkOutput(work, (thread, options) => thread.call('checkOutput', [schema, text], options))
  }

  /** Parses, masks, selects and cuts the answer of an API. */
  readAnswer(task: ReadTask, work: Work): Promise<Answer> {
    const read: Use<Answer> = (thread, options) => thread.call('readAnswer', [task], options)
    if (task.bytes.length <= largeAnswer) return this.#call(work, read)
    return this.#readLarge(work, read)
  }

  /** Masks and cuts the result of an MCP tool, which is JSON text. */
  readResult(text: string, masks: MasksData, work: Work): Promise<McpResult> {
    return this.#readLarge(work, (thread, options) => thread.call('readResult', [text, masks], options))
  }

  parseImport(raw: Uint8Array, workspace: string): Promise<unknown> {
    return run(this.#documents.call('parseImport', [raw], { key: workspace, timeoutMs: maxRunMs.documents }))
  }

  readDocument(task: DocumentTask, workspace: string): Promise<ReadResult> {
    return run(this.#documents.call('readDocument', [task], { key: workspace, timeoutMs: maxRunMs.documents }))
  }

  async close(): Promise<void> {
    await Promise.all([this.#calls.stop(), this.#outputs.stop(), this.#answers.stop(), this.#documents.stop()])
  }

  #checkOutput<T>({ turn, signal }: OutputWork, use: Use<T>): Promise<T> {
    const options = signal && { signal }
    const call = (thread: Pick<Thread<SandboxMethods>, 'call'>) =>
      use(thread, { ...options, timeoutMs: maxRunMs.outputs })
    return run(this.#outputs.use(call, { ...options, key: turn }))
  }

  #readLarge<T>(work: Work, use: Use<T>): Promise<T> {
    const { signal, left } = toLimits(work, maxRunMs.answers)
    const options = { key: work.workspace, signal }
    return run(this.#answers.use((thread) => use(thread, { signal, timeoutMs: left() }), options))
  }

  #call<T>(work: Work, use: Use<T>): Promise<T> {
    const { signal, left } = toLimits(work, maxRunMs.calls)
    const task = () => this.#calls.use((thread) => use(thread, { signal, timeoutMs: left() }), { signal })
    return run(this.#turns.run(work.workspace, signal, task))
  }
}

type Use<T> = (thread: Pick<Thread<SandboxMethods>, 'call'>, options: CallOptions) => Promise<T>

/** The limits of a call. Time spent waiting counts. */
function toLimits({ until = Number.POSITIVE_INFINITY, signal }: Work, maxMs: number) {
  const remaining = () => Math.max(1, Math.ceil(until - performance.now()))
  const deadline = until === Number.POSITIVE_INFINITY ? [] : [AbortSignal.timeout(remaining())]
  return {
    signal: AbortSignal.any([...deadline, ...(signal ? [signal] : [])]),
    left: () => Math.min(maxMs, remaining()),
  }
}

const threadOptions = (memoryMb: number) => ({
  name: 'API tools',
  isolated: true,
  idleMs,
  resourceLimits: { maxOldGenerationSizeMb: memoryMb },
})

/** Restores the problem that a method threw in the thread. */
function problemIn({ message, details }: RemoteError): Problem | null {
  const { code, details: fields } = details as { code?: ErrorCode; details?: Detail[] }
  return code !== undefined && code in errorCatalogue
    ? new Problem(code, message, fields === undefined ? {} : { details: fields })
    : null
}

const limitReasons: Record<string, string> = {
  timeout: 'it took too long',
  memory: 'it needed too much memory',
}

async function run<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (error instanceof RemoteError) throw problemIn(error) ?? new SandboxError(error.message, false)
    if (error instanceof DOMException && error.name === 'TimeoutError')
      throw new SandboxError(limitReasons.timeout ?? '', true)
    if (!(error instanceof ThreadError)) throw error
    if (error.code === 'overloaded') {
      const message = 'Too many calls of this workspace are waiting. Try again shortly.'
      throw new Problem('overloaded', message, { headers: { 'retry-after': '1' } })
    }
    throw new SandboxError(limitReasons[error.code] ?? 'its thread was stopped', true)
  }
}
