import type { ServerResponse } from 'node:http'

/** A signal that goes off when the client goes before it has its whole answer. */
export function disconnectSignal({ raw }: { raw: ServerResponse }): AbortSignal {
  const control = new AbortController()
  raw.on('close', () => {
    if (!raw.writableFinished) control.abort(new Error('The client has gone.'))
  })
  return control.signal
}
