import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { lowerPriority, serve } from '@parley/threads'
import { openSession, type Session } from './onnx-session.ts'
import { createPooling } from './pooling.ts'

export interface MiniLmWorkerData {
  weights: string
  sha256: string
  threads: number
  isBackground: boolean
}

export type MiniLmMethods = ReturnType<typeof createMethods>

function createMethods(run: Session['run']) {
  const embed = createPooling(run)
  return {
    /** Resolves once the model is loaded. */
    load(): void {},
    async embed(texts: readonly string[]): Promise<Float32Array[]> {
      const vectors: Float32Array[] = []
      for (const text of texts) vectors.push(await embed(text))
      return vectors
    },
  }
}

async function openModel({ weights, sha256, threads, isBackground }: MiniLmWorkerData): Promise<Session> {
  if (isBackground) lowerPriority() // before ONNX Runtime starts its threads, which inherit the priority
  const model = readFileSync(weights)
  const digest = createHash('sha256').update(model).digest('hex')
  if (digest !== sha256) {
    throw new Error(`${weights} is not the expected file (sha256 ${digest}). Install its package again.`)
  }
  return openSession(model, threads)
}

const session = openModel(workerData)
void serve(
  session.then(({ run }) => createMethods(run)),
  { close: async () => (await session).close() },
)
