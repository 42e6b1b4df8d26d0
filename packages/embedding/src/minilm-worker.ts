import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { lowerPriority } from '@parley/threads'
import { reason } from '../../../server/src/kernel/errors.ts'
import { openInOnnxRuntime } from './onnx-runtime.ts'
import { openInOwnKernels } from './own/runtime.ts'
import { createPooling, type Runtime } from './pooling.ts'
import { prefersOwnKernels } from './processor.ts'

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
  if (setup.isBackground) lowerPriority()
  const runtime = await open(setup)
  const embed = createPooling(runtime.run)
  let work = Promise.resolve()
  port.on('message', (request: MiniLmRequest) => {
    work = work.then(async () => {
      if (request === 'close') {
        await runtime.close()
        port.close()
        return
      }
      try {
        port.postMessage({ vectors: await embed(request.texts) } satisfies MiniLmReply)
      } catch (error) {
        port.postMessage({ error: reason(error) } satisfies MiniLmReply)
      }
    })
  })
  port.postMessage({ ready: true } satisfies MiniLmReply)
}

async function open({ weights, sha256, threads }: MiniLmSetup): Promise<Runtime> {
  const model = readFileSync(weights)
  const found = createHash('sha256').update(model).digest('hex')
  if (found !== sha256) {
    throw new Error(`the weights in ${weights} are not the expected ones (sha256 ${found}); install the package again`)
  }
  return prefersOwnKernels() ? openInOwnKernels(model) : openInOnnxRuntime(model, threads)
}

if (parentPort) {
  const port = parentPort
  serve(port, workerData as MiniLmSetup).catch((error) => {
    port.postMessage({ failed: reason(error) } satisfies MiniLmReply)
    port.close()
  })
}
