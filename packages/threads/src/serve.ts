import { AsyncLocalStorage } from 'node:async_hooks'
import { fileURLToPath } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import type { Methods, Request, Response } from './protocol.ts'
import { serializeError } from './thread-error.ts'

interface ServeOptions {
  /** Releases the resources of the methods, after the last call has finished. */
  close?(): unknown
}

interface Port {
  respond(response: Response): void
  onRequest(listener: (request: Request) => void): void
  close(): void
}

const isProcess = process.argv[1] === fileURLToPath(new URL('./thread-start.js', import.meta.url)) && !parentPort

/** The `workerData` of `createThread`, in a thread as in a process. */
export const threadData = (): unknown => (isProcess ? JSON.parse(process.argv[3] ?? 'null') : workerData)

const currentCall = new AsyncLocalStorage<(progress: unknown) => void>()

/** Passes a value to the `onProgress` of the call that runs. */
export const reportProgress = (progress: unknown): void => currentCall.getStore()?.(progress)

/**
 * Answers the calls of `createThread` from inside the thread. A thread that needs time to start passes a promise of its
 * methods: calls are sent once it resolves.
 */
export async function serve<M extends Methods>(
  methods: M | Promise<M>,
  { close = () => {} }: ServeOptions = {},
): Promise<void> {
  const port = openPort()
  if (!port) return // imported by a test, outside of a thread
  try {
    const started = await methods
    const running = new Set<Promise<void>>()
    const run = async (id: number, method: string, args: unknown[]): Promise<void> => {
      try {
        const report = (progress: unknown) => port.respond({ call: id, progress })
        port.respond([id, await currentCall.run(report, () => started[method]?.(...args))])
      } catch (error) {
        port.respond([id, undefined, serializeError(error)])
      }
    }
    port.onRequest(async (request) => {
      if (request === 'exit') process.exit()
      if (request === 'close') {
        await Promise.all(running)
        await close()
        port.close()
        return
      }
      const call = run(...request).finally(() => running.delete(call))
      running.add(call)
    })
    port.respond('ready')
  } catch (error) {
    port.respond({ startError: serializeError(error) })
    port.close()
  }
}

function openPort(): Port | undefined {
  if (isProcess) return processPort()
  const port = parentPort
  if (!port) return undefined
  return {
    respond: (response) => port.postMessage(response),
    onRequest: (listener) => void port.on('message', listener),
    close: () => port.close(),
  }
}

function processPort(): Port {
  let sending = 0
  let isClosing = false
  const disconnectWhenSent = () => isClosing && sending === 0 && process.disconnect()
  process.once('disconnect', () => process.exit()) // nobody waits for an answer any more
  return {
    respond(response) {
      sending++
      process.send?.(response, () => {
        sending--
        disconnectWhenSent()
      })
    },
    onRequest: (listener) => void process.on('message', listener),
    close() {
      isClosing = true
      disconnectWhenSent()
    },
  }
}
