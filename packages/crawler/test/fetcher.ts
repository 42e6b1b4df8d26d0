import { BlockedError, type Fetcher } from '../src/fetcher.ts'

/** A plain fetcher without any guard, for tests on loopback. */
export const fetcher: Fetcher = async (url, options) => {
  const { headers, signal, timeoutMs, maxBytes, truncate = false, maxRedirects = 0, wantsBody } = options
  if (!/^https?:/.test(url)) throw new BlockedError(`${url} cannot be called.`)
  const response = await fetch(url, {
    headers,
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  })
  const location = response.headers.get('location')
  if (maxRedirects > 0 && location !== null && response.status >= 300 && response.status < 400) {
    await response.body?.cancel()
    return fetcher(new URL(location, url).href, { ...options, maxRedirects: maxRedirects - 1 })
  }
  const { status } = response
  const received = { status, headers: Object.fromEntries(response.headers) }
  const pieces: Uint8Array[] = []
  if (wantsBody && !wantsBody(received)) await response.body?.cancel()
  else {
    let size = 0
    for await (const piece of response.body ?? []) {
      pieces.push(piece)
      size += piece.length
      if (size <= maxBytes) continue
      if (!truncate) throw new Error(`The body is larger than ${maxBytes} bytes.`)
      break
    }
  }
  return { ...received, body: Buffer.concat(pieces).subarray(0, maxBytes) }
}
