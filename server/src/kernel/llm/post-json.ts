import { exchange, type Place } from './exchange.ts'
import { ProviderError } from './model.ts'

const longestReply = 64 * 1024 * 1024

/** Posts one object and reads the one that comes back. */
export function postJson(place: Place, body: object, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    exchange(place, JSON.stringify(body), signal, {
      data(chunk) {
        chunks.push(chunk)
        length += chunk.length
        if (length > longestReply) throw new ProviderError('malformed', 'The provider sent more than 64 MiB.')
        return false
      },
      end: () => resolve(parsed(Buffer.concat(chunks).toString('utf8'))),
      fail: reject,
    })
  })
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ProviderError('malformed', 'The provider sent something that is not JSON.', { cause })
  }
}
