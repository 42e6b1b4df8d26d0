import type { ServerResponse } from 'node:http'

/** Why work for a client that has left was stopped. */
export class ClientDisconnected extends Error {
  constructor() {
    super('The client disconnected.')
  }
}

/** Aborts when the client disconnects before the response is complete. */
export function disconnectSignal({ raw }: { raw: ServerResponse }): AbortSignal {
  const controller = new AbortController()
  raw.on('close', () => {
    if (!raw.writableFinished) controller.abort(new ClientDisconnected())
  })
  return controller.signal
}
