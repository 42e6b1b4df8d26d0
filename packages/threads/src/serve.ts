import { parentPort } from 'node:worker_threads'
import type { Methods, Request, Response } from './protocol.ts'
import { serializeError } from './thread-error.ts'

interface ServeOptions {
  /** Releases what the methods hold, after the last call has finished. */
  close?(): unknown
}

/**
 * Answers the calls of `createThread` from inside the thread. A thread that needs time to start passes a promise of its
 * methods: calls are sent once it resolves.
 */
export async function serve<M extends Methods>(
  methods: M | Promise<M>,
  { close = () => {} }: ServeOptions = {},
): Promise<void> {
  const port = parentPort
  if (!port) return // imported by a test, outside of a thread
  const respond = (response: Response) => port.postMessage(response)
  try {
    const started = await methods
    const running = new Set<Promise<void>>()
    const run = async (id: number, method: string, args: unknown[]): Promise<void> => {
      try {
        respond([id, await started[method]?.(...args)])
      } catch (error) {
        respond([id, undefined, serializeError(error)])
      }
    }
    port.on('message', async (request: Request) => {
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
    respond('ready')
  } catch (error) {
    respond({ startError: serializeError(error) })
    port.close()
  }
}
