import { Problem } from '../errors.ts'

/** A request that failed, with the kind of failure. */
export class EgressError extends Error {
  readonly kind: 'dns' | 'refused' | 'tls' | 'timeout' | 'too_large' | 'connection' | 'malformed'

  constructor(kind: EgressError['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}

export const tooLarge = (maxBytes: number): EgressError =>
  new EgressError('too_large', `The response is larger than ${maxBytes} bytes.`)

/** The error to show for a failed request. `timeout` is set if our own time limit ended it. */
export function describeError(error: unknown, url: URL, timeout: number | null): Error {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at instanceof Problem || at instanceof EgressError) return at
  }
  if (timeout !== null) return new EgressError('timeout', `${url.host} did not finish within ${timeout} ms.`, error)
  const root = rootCause(error)
  const { code = '' } = root as { code?: string }
  const [kind, message] = classify(root.name === 'HTTPParserError' ? `HPE_${code}` : code, root.message, url)
  return new EgressError(kind, message, error)
}

function classify(code: string, message: string, url: URL): [EgressError['kind'], string] {
  const { host, hostname } = url
  if (/^(ENOTFOUND|ENODATA|EAI_|ESERVFAIL)/.test(code)) return ['dns', `The name ${hostname} could not be found.`]
  if (code === 'ECONNREFUSED') return ['refused', `${host} refused the connection.`]
  if (/^(ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH|UND_ERR_ABORTED)$/.test(code))
    return ['connection', `${host} closed the connection before its response was complete.`]
  if (/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/.test(code)) return ['connection', `${host} cannot be reached.`]
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return ['too_large', `${host} sent headers that are too large.`]
  if (/TIMEOUT|ETIMEDOUT/.test(code)) return ['timeout', `${host} did not respond in time.`]
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO|EPROTO/.test(code))
    return ['tls', `The secure connection to ${host} failed: ${message}`]
  if (/^HPE_|^UND_ERR_RES/.test(code)) return ['malformed', `${host} sent something that is not HTTP.`]
  if (/^(Z_|ERR_BROTLI|ERR__ERROR_FORMAT|ERR_PADDING|ZSTD_)/.test(code))
    return ['malformed', `${host} sent a body that does not match its content encoding.`]
  return ['connection', `The connection to ${host} failed: ${message}`]
}

function rootCause(error: unknown): Error {
  let root = error instanceof Error ? error : new Error(String(error))
  while (root.cause instanceof Error) root = root.cause
  return root
}
