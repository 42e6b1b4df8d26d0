import { createThread, RemoteError, type Thread, ThreadError } from '@parley/threads'
import { type Detail, type ErrorCode, errorCatalogue, Problem } from '../../../kernel/errors.ts'
import { minute, second } from '../../../kernel/time.ts'
import type { DocumentTask, ReadResult } from '../openapi/document.ts'
import type { Fault } from './json-schema.ts'
import type { SandboxMethods } from './worker.ts'

/** Work that failed or exceeded its limits. The message completes a sentence: `it took too long`. */
export class SandboxError extends Error {
  readonly isLimit: boolean

  constructor(message: string, isLimit: boolean) {
    super(message)
    this.isLimit = isLimit
  }
}

const idleMs = 10 * minute
const timeoutMs = 5 * second
const documentTimeoutMs = 30 * second

/**
 * Works on input that others wrote (schemas, documents, expressions) in threads with limits of time and memory. Documents
 * have a thread of their own, so that they do not delay calls.
 */
export class Sandbox {
  readonly #calls = sandboxThread(256)
  readonly #documents = sandboxThread(1024)

  /** Returns what is wrong with a schema, or null. */
  checkSchema(schema: string): Promise<string | null> {
    return run(this.#calls.call('checkSchema', [schema], { timeoutMs }))
  }

  validate(schema: string, value: string): Promise<Fault[]> {
    return run(this.#calls.call('validate', [schema, value], { timeoutMs }))
  }

  /** Applies a JMESPath expression to JSON text and returns JSON text. */
  select(text: string, path: string, maxLength: number): Promise<string> {
    return run(this.#calls.call('select', [text, path, maxLength], { timeoutMs }))
  }

  parseImport(raw: Uint8Array): Promise<unknown> {
    return run(this.#documents.call('parseImport', [raw], { timeoutMs }))
  }

  readDocument(task: DocumentTask): Promise<ReadResult> {
    return run(this.#documents.call('readDocument', [task], { timeoutMs: documentTimeoutMs }))
  }

  async close(): Promise<void> {
    await Promise.all([this.#calls.stop(), this.#documents.stop()])
  }
}

const sandboxThread = (memoryMb: number): Thread<SandboxMethods> =>
  createThread<SandboxMethods>(new URL('./worker.ts', import.meta.url), {
    name: 'API tools',
    exclusive: true,
    isolated: true,
    idleMs,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })

/** The problem that a method has thrown inside of the thread. */
function problemIn({ message, details }: RemoteError): Problem | null {
  const { code, details: fields } = details as { code?: ErrorCode; details?: Detail[] }
  return code !== undefined && code in errorCatalogue
    ? new Problem(code, message, fields === undefined ? {} : { details: fields })
    : null
}

async function run<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (error instanceof RemoteError) throw problemIn(error) ?? new SandboxError(error.message, false)
    if (!(error instanceof ThreadError)) throw error
    const reasons = { timeout: 'it took too long', memory: 'it needed too much memory' } as Record<string, string>
    throw new SandboxError(reasons[error.code] ?? 'its thread was stopped', true)
  }
}
