import { createThread, RemoteError, ThreadError } from '@parley/threads'
import type { TSchema } from 'typebox'
import { Problem } from '../errors.ts'
import { second } from '../time.ts'
import type { BodyMethods, BodyProblem } from './body-worker.ts'

const timeoutMs = 15 * second
const idleMs = 30 * second
const maxHeapMb = 128

export interface BodyLimits {
  /** Senders take turns by this key. */
  turn: string
  maxValues: number
  schema: TSchema | undefined
}

interface BodyChecker {
  /** Parses and validates a body in a thread. Throws if it is invalid. */
  check(raw: Buffer, limits: BodyLimits): Promise<void>
  close(): Promise<void>
}

export function createBodyChecker(): BodyChecker {
  const thread = createThread<BodyMethods>(new URL('./body-worker.ts', import.meta.url), {
    name: 'body checking',
    exclusive: true,
    isolated: true,
    idleMs,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: 16 },
  })
  return {
    async check(raw, { turn, maxValues, schema }) {
      // Shared memory is not copied again for the thread.
      const bytes = new Uint8Array(new SharedArrayBuffer(raw.length))
      bytes.set(raw)
      const problem = await thread
        .call('check', [bytes, maxValues, JSON.stringify(schema ?? {})], { timeoutMs, key: turn })
        .catch(toProblem)
      if (problem) throw new Problem(problem.code, problem.message, problem.details ? { details: problem.details } : {})
    },
    close: () => thread.stop(),
  }
}

function toProblem(error: unknown): BodyProblem {
  if (error instanceof RemoteError || !(error instanceof ThreadError) || error.code === 'crashed') throw error
  return error.code === 'closed'
    ? { code: 'overloaded', message: 'The service is shutting down.' }
    : { code: 'invalid_request', message: 'The body is too complex to check. Send it in smaller parts.' }
}
