import { Problem } from '../errors.ts'

/** Why an exchange failed, told apart for those who must explain it to a person. */
export class EgressError extends Error {
  readonly kind: 'dns' | 'refused' | 'tls' | 'timeout' | 'too_large' | 'connection' | 'malformed'

  constructor(kind: EgressError['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}

export const tooLarge = (mostBytes: number): EgressError =>
  new EgressError('too_large', `The answer is larger than ${mostBytes} bytes.`)

/** What went wrong on the way to a place, in words. `timeout` is given when our own patience ended it. */
export function explained(error: unknown, url: URL, timeout: number | null): Error {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at instanceof Problem || at instanceof EgressError) return at
  }
  if (timeout !== null) return new EgressError('timeout', `${url.host} did not finish within ${timeout} ms.`, error)
  const root = rootOf(error)
  const { code = '' } = root as { code?: string }
  const [kind, message] = judge(root.name === 'HTTPParserError' ? `HPE_${code}` : code, root.message, url)
  return new EgressError(kind, message, error)
}

function judge(code: string, message: string, url: URL): [EgressError['kind'], string] {
  const { host, hostname } = url
  if (/^(ENOTFOUND|ENODATA|EAI_|ESERVFAIL)/.test(code)) return ['dns', `The name ${hostname} could not be found.`]
  if (code === 'ECONNREFUSED') return ['refused', `${host} refused the connection.`]
  if (/^(ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH|UND_ERR_ABORTED)$/.test(code))
    return ['connection', `${host} closed the connection before its answer was complete.`]
  if (/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/.test(code))
    return ['connection', `${host} cannot be reached from here.`]
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return ['too_large', `${host} answered with more headers than are read.`]
  if (/TIMEOUT|ETIMEDOUT/.test(code)) return ['timeout', `${host} did not answer in time.`]
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO|EPROTO/.test(code))
    return ['tls', `The secure connection to ${host} failed: ${message}`]
  if (/^HPE_|^UND_ERR_RES/.test(code)) return ['malformed', `${host} answered with something that is not HTTP.`]
  if (/^(Z_|ERR_BROTLI|ERR__ERROR_FORMAT|ERR_PADDING|ZSTD_)/.test(code))
    return ['malformed', `${host} sent a body that is not packed the way it says.`]
  return ['connection', `The connection to ${host} failed: ${message}`]
}

function rootOf(error: unknown): Error {
  let root = error instanceof Error ? error : new Error(String(error))
  while (root.cause instanceof Error) root = root.cause
  return root
}
