import type { ServerResponse } from 'node:http'

/** Aborts when the client disconnects before the response is complete. */
export function disconnectSignal({ raw }: { raw: ServerResponse }): AbortSignal {
  const controller = new AbortController()
  raw.on('close', () => {
    if (!raw.writableFinished) controller.abort(new Error('The client disconnected.'))
  })
  return controller.signal
}
