import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { yieldToOthers } from '../background-thread.ts'
import { reason } from '../errors.ts'
import { createPooling } from './pooling.ts'

/** What the thread is started with. */
export interface MiniLmSetup {
  weights: string
  sha256: string
  threads: number
  /** Nobody waits for what it does. */
  isBackground: boolean
}

export type MiniLmRequest = { texts: string[] } | 'close'
export type MiniLmReply = { ready: true } | { failed: string } | { vectors: Float32Array[] } | { error: string }

/** Runs one model. A run cannot be interrupted (ending the thread in it ends the process), so runs are kept short. */
async function serve(port: NonNullable<typeof parentPort>, setup: MiniLmSetup): Promise<void> {
  if (setup.isBackground) yieldToOthers()
  const session = await openSession(setup)
  const embed = createPooling(session.run)
  let work = Promise.resolve()
  port.on('message', (request: MiniLmRequest) => {
    work = work.then(async () => {
      if (request === 'close') {
        await session.close()
        port.close()
        return
      }
      try {
        const vectors: Float32Array[] = []
        for (const text of request.texts) vectors.push(await embed(text))
        port.postMessage({ vectors } satisfies MiniLmReply)
      } catch (error) {
        port.postMessage({ error: reason(error) } satisfies MiniLmReply)
      }
    })
  })
  port.postMessage({ ready: true } satisfies MiniLmReply)
}

async function openSession({ weights, sha256, threads }: MiniLmSetup) {
  const bytes = readFileSync(weights)
  const found = createHash('sha256').update(bytes).digest('hex')
  if (found !== sha256) {
    throw new Error(`the weights in ${weights} are not the expected ones (sha256 ${found}); install the package again`)
  }
  const { InferenceSession, Tensor } = await import('onnxruntime-node')
  const session = await InferenceSession.create(bytes, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    // A waiting thread that spins takes the core from whoever would finish its work.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  })
  return {
    async run(tokens: BigInt64Array): Promise<Float32Array> {
      const shape = [1, tokens.length]
      const { last_hidden_state: output } = await session.run({
        input_ids: new Tensor('int64', tokens, shape),
        attention_mask: new Tensor('int64', new BigInt64Array(tokens.length).fill(1n), shape),
        token_type_ids: new Tensor('int64', new BigInt64Array(tokens.length), shape),
      })
      if (!(output?.data instanceof Float32Array)) throw new Error('the model gave no vectors')
      return output.data
    },
    close: () => session.release(),
  }
}

if (parentPort) {
  const port = parentPort
  serve(port, workerData as MiniLmSetup).catch((error) => {
    port.postMessage({ failed: reason(error) } satisfies MiniLmReply)
    port.close()
  })
}
