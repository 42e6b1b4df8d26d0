import { ParleyError, throwIfAborted } from './errors.ts'

/** Parses JSON Lines as they arrive. */
export async function* jsonLines<T>(
  body: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let buffer = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      buffer += done ? decoder.decode() : decoder.decode(value, { stream: true })
      const lines = buffer.split('\n')
      buffer = lines.pop() ?? ''
      for (const line of lines) if (line !== '') yield JSON.parse(line) as T
      if (done) break
    }
    if (buffer !== '') throw new Error('The last line is incomplete.')
  } catch (cause) {
    throwIfAborted(signal)
    throw new ParleyError({ code: 'connection_failed', message: 'The response was cut off.', cause })
  } finally {
    reader.cancel().catch(() => {})
  }
}
