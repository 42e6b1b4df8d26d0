import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector, Response, fetch as undiciFetch } from 'undici'
import { Problem } from '../errors.ts'
import { second } from '../time.ts'
import { addressIn, addressKind } from './addresses.ts'
import { bareHost, createAllowList, type IsAllowed, type Target } from './allow-list.ts'
import { isBadPort } from './bad-ports.ts'
import { describeError, EgressError, tooLarge } from './errors.ts'

export { EgressError } from './errors.ts'

/**
 * All requests whose URL a caller can choose go through here. Only http and https, only to addresses that are public or
 * that the operator allows; the checked address is the one connected to.
 */
export interface Egress {
  /** The checks without name resolution: the scheme, credentials, the port, an IP address. */
  check(address: string): URL
  /** One request, limited in time and size. Redirects are returned unless `redirects` allows following them. */
  request(address: string, options?: EgressRequest): Promise<EgressResponse>
  /** For libraries that need a `fetch`. Redirects are not followed; a body is limited to 64 MiB. */
  fetch: typeof globalThis.fetch
  close(): Promise<void>
}

export interface EgressRequest {
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  signal?: AbortSignal
  /** For the whole request, in milliseconds. */
  timeout?: number
  /** Counted after decompression. */
  maxBytes?: number
  /** Keep the first `maxBytes` of a larger body instead of failing. */
  truncate?: boolean
  /** Decides from the status and headers whether to read the body. By default it is always read. */
  wantsBody?(response: Pick<EgressResponse, 'status' | 'headers'>): boolean
  /** How many redirects are followed; each is checked again. */
  redirects?: number
  /** Headers that, like `authorization` and `cookie`, are not sent to another origin after a redirect. */
  secretHeaders?: readonly string[]
}

export interface EgressResponse {
  status: number
  headers: Record<string, string>
  body: Buffer
  /** The URL after redirects. */
  url: string
}

/** Resolves a host name. Tests replace the system resolver. */
export type Resolve = (
  host: string,
  callback: (error: Error | null, addresses: { address: string; family: number }[]) => void,
) => void

const defaults = { timeout: 30 * second, maxBytes: 10 * 1024 * 1024, redirects: 0 }
const maxHeaderBytes = 32 * 1024
const maxFetchBytes = 64 * 1024 * 1024
const redirectCodes = new Set([301, 302, 303, 307, 308])

export function createEgress(allow: readonly string[], resolve: Resolve = bySystem): Egress {
  const isAllowed = createAllowList(allow)
  const agent = new Agent({
    connect: checkedConnector(isAllowed, resolve),
    maxHeaderSize: maxHeaderBytes,
    keepAliveTimeout: 4 * second,
    headersTimeout: 120 * second,
  })

  const check = (address: string): URL => {
    const url = URL.canParse(address) ? new URL(address) : null
    if (url === null) throw blocked(`"${address.slice(0, 200)}" is not a valid URL.`)
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      throw blocked(`Only http and https URLs are allowed, not ${url.protocol}`)
    if (url.username !== '' || url.password !== '') throw blocked('The URL must not contain a user name or password.')
    const target = { host: url.hostname, port: readPort(url) }
    if (isBadPort(target.port)) throw blocked(`Port ${target.port} belongs to another protocol.`)
    const literal = addressIn(url)
    if (literal !== null && !isAllowed(target, literal)) throw refusal(target, literal)
    return url
  }

  const send = (url: URL, options: object) => undiciFetch(url, { ...options, redirect: 'manual', dispatcher: agent })

  async function request(address: string, options: EgressRequest = {}): Promise<EgressResponse> {
    const { timeout, maxBytes, redirects } = { ...defaults, ...options }
    const limit = AbortSignal.timeout(timeout)
    const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit
    let url = check(address)
    let { method = 'GET', headers = {}, body } = options
    try {
      for (let left = redirects; ; left--) {
        const response = await send(url, { method, headers, ...(body !== undefined && { body }), signal })
        const target = response.headers.get('location')
        if (left <= 0 || target === null || !redirectCodes.has(response.status)) {
          const { status } = response
          const responseHeaders = Object.fromEntries(response.headers)
          const isWanted = options.wantsBody?.({ status, headers: responseHeaders }) ?? true
          if (!isWanted) await response.body?.cancel()
          const bytes = isWanted ? await readBody(response.body, maxBytes, options.truncate ?? false) : Buffer.alloc(0)
          return { status, headers: responseHeaders, body: bytes, url: url.href }
        }
        await response.body?.cancel()
        const next = check(resolved(target, url))
        if (next.origin !== url.origin) headers = withoutCredentials(headers, options.secretHeaders)
        if (response.status === 303 ? method !== 'HEAD' : response.status < 303 && method === 'POST') {
          method = 'GET'
          body = undefined
          headers = withoutBodyHeaders(headers)
        }
        url = next
      }
    } catch (error) {
      options.signal?.throwIfAborted()
      throw describeError(error, url, limit.aborted ? timeout : null)
    }
  }

  async function libraryFetch(input: string | URL | Request, init: RequestInit = {}) {
    const asRequest = input instanceof Request ? input : null
    const url = check(asRequest ? asRequest.url : String(input))
    const signal = init.signal ?? asRequest?.signal
    try {
      return limited(await send(url, asRequest ? { ...toRequestInit(asRequest), ...init } : init))
    } catch (error) {
      signal?.throwIfAborted()
      throw describeError(error, url, null)
    }
  }

  return {
    check,
    request,
    fetch: libraryFetch as unknown as typeof globalThis.fetch,
    close: () => agent.destroy(),
  }
}

const blocked = (message: string) => new Problem('egress_blocked', message)
const refusal = ({ host }: Target, address: string) =>
  blocked(
    `Requests to ${host} are blocked: its address is ${addressKind(address)}. An operator can allow it with EGRESS_ALLOW.`,
  )
const readPort = ({ port, protocol }: { port?: string; protocol: string }): number =>
  port ? Number(port) : protocol === 'https:' ? 443 : 80

function resolved(location: string, from: URL): string {
  if (!URL.canParse(location, from.href))
    throw new EgressError('malformed', `${from.host} redirects to something that is not a URL.`)
  return new URL(location, from).href
}

/** Resolves each name once per connection; all its addresses must be allowed. Reused connections were checked when opened. */
function checkedConnector(isAllowed: IsAllowed, resolve: Resolve): buildConnector.connector {
  const byPort = new Map<number, buildConnector.connector>()
  return (options, callback) => {
    const target = { host: options.hostname, port: readPort(options) }
    const literal = bareHost(target.host)
    if (isIP(literal) !== 0 && !isAllowed(target, literal)) return callback(refusal(target, literal), null)
    let connector = byPort.get(target.port)
    if (!connector) {
      connector = buildConnector({ lookup: checkedLookup(isAllowed, target.port, resolve), timeout: 10 * second })
      byPort.set(target.port, connector)
    }
    connector(options, callback)
  }
}

const checkedLookup =
  (isAllowed: IsAllowed, port: number, resolve: Resolve): LookupFunction =>
  (host, options, callback) => {
    resolve(host, (error, addresses) => {
      if (error) return callback(error, '', 0)
      const bad = addresses.find(({ address }) => !isAllowed({ host, port }, address))
      if (bad) return callback(refusal({ host, port }, bad.address), '', 0)
      const [first] = addresses
      if (!first) return callback(Object.assign(new Error(`${host} has no address.`), { code: 'ENOTFOUND' }), '', 0)
      if (options.all) return callback(null, addresses)
      callback(null, first.address, first.family)
    })
  }

const bySystem: Resolve = (host, callback) => systemLookup(host, { all: true }, callback)

async function readBody(body: AsyncIterable<Uint8Array> | null, maxBytes: number, truncate: boolean): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let size = 0
  if (body === null) return Buffer.alloc(0)
  for await (const piece of body) {
    size += piece.byteLength
    pieces.push(piece)
    if (size <= maxBytes) continue
    if (truncate) break
    throw tooLarge(maxBytes)
  }
  return Buffer.concat(pieces).subarray(0, maxBytes)
}

type FetchResponse = Awaited<ReturnType<typeof undiciFetch>>

function limited(response: FetchResponse): FetchResponse {
  if (response.body === null) return response
  let size = 0
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      size += piece.byteLength
      if (size > maxFetchBytes) throw tooLarge(maxFetchBytes)
      controller.enqueue(piece)
    },
  })
  const { status, statusText, headers, url } = response
  const copy = new Response(response.body.pipeThrough(counting), { status, statusText, headers })
  return Object.defineProperty(copy, 'url', { value: url })
}

/** undici does not accept Node's own `Request` objects, so they are taken apart. */
const toRequestInit = ({ method, headers, body, signal }: Request): object => ({
  method,
  headers: Object.fromEntries(headers),
  signal,
  ...(body !== null && { body, duplex: 'half' }),
})

const secretHeaders = ['authorization', 'cookie', 'proxy-authorization']
type Headers = Record<string, string>
const without = (headers: Headers, isUnwanted: (name: string) => boolean): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !isUnwanted(name.toLowerCase())))
const withoutBodyHeaders = (headers: Headers) => without(headers, (name) => name.startsWith('content-'))
function withoutCredentials(headers: Headers, more: readonly string[] = []): Headers {
  const secret = new Set([...secretHeaders, ...more.map((name) => name.toLowerCase())])
  return without(headers, (name) => secret.has(name))
}
