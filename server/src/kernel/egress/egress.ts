import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector, Response, fetch as undiciFetch } from 'undici'
import { Problem } from '../errors.ts'
import { second } from '../time.ts'
import { addressIn, kindOf } from './addresses.ts'
import { type Allowed, allowances, bareHost, type Place } from './allowances.ts'
import { EgressError, explained, tooLarge } from './failures.ts'
import { isForeignPort } from './foreign-ports.ts'

export { EgressError } from './failures.ts'

/**
 * The one way out for requests that a caller can steer. Only http and https, only to addresses that are public or that
 * the operator has allowed; what was checked is what is connected to.
 */
export interface Egress {
  /** Refuses what can be refused without asking anyone: the scheme, a user name, an address that is not allowed. */
  check(address: string): URL
  /** One exchange with bounds on time and size. Redirects are answers like any other, unless some may be followed. */
  request(address: string, options?: EgressRequest): Promise<EgressAnswer>
  /** For libraries that bring their own protocol. Redirects are not followed; a body ends at 64 MiB. */
  fetch: typeof globalThis.fetch
  close(): Promise<void>
}

export interface EgressRequest {
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  signal?: AbortSignal
  /** From the first byte sent to the last one received, in milliseconds. */
  timeout?: number
  /** Of the body, after decompression. */
  mostBytes?: number
  /** Keep the first `mostBytes` of a larger body instead of failing. */
  cut?: boolean
  /** Whether the body is worth reading, by what the answer says of itself. Without it every body is read. */
  wants?(answer: Pick<EgressAnswer, 'status' | 'headers'>): boolean
  /** How many redirects are followed, each one checked anew. */
  redirects?: number
  /** Headers that, like `authorization` and `cookie`, are not sent on to another origin. */
  secretHeaders?: readonly string[]
}

export interface EgressAnswer {
  status: number
  headers: Record<string, string>
  body: Buffer
  /** Where the answer came from in the end. */
  url: string
}

/** How names become addresses: the system's way, unless a test has its own. */
export type Resolve = (
  host: string,
  answer: (error: Error | null, addresses: { address: string; family: number }[]) => void,
) => void

const usual = { timeout: 30 * second, mostBytes: 10 * 1024 * 1024, redirects: 0 }
const mostHeaderBytes = 32 * 1024
const mostLibraryBytes = 64 * 1024 * 1024
const redirectCodes = new Set([301, 302, 303, 307, 308])

export function createEgress(allow: readonly string[], resolve: Resolve = bySystem): Egress {
  const allowed = allowances(allow)
  const agent = new Agent({
    connect: checkedConnector(allowed, resolve),
    maxHeaderSize: mostHeaderBytes,
    keepAliveTimeout: 4 * second,
    headersTimeout: 120 * second,
  })

  const check = (address: string): URL => {
    const url = URL.canParse(address) ? new URL(address) : null
    if (url === null) throw blocked(`"${address.slice(0, 200)}" is not an address that can be called.`)
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      throw blocked(`Only http and https addresses are called, not ${url.protocol}`)
    if (url.username !== '' || url.password !== '') throw blocked('An address may not hold a user name or a password.')
    const place = { host: url.hostname, port: portOf(url) }
    if (isForeignPort(place.port)) throw blocked(`Port ${place.port} belongs to another protocol and is not called.`)
    const literal = addressIn(url)
    if (literal !== null && !allowed(place, literal)) throw refusal(place, literal)
    return url
  }

  const once = (url: URL, options: object) => undiciFetch(url, { ...options, redirect: 'manual', dispatcher: agent })

  async function request(address: string, options: EgressRequest = {}): Promise<EgressAnswer> {
    const { timeout, mostBytes, redirects } = { ...usual, ...options }
    const limit = AbortSignal.timeout(timeout)
    const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit
    let url = check(address)
    let { method = 'GET', headers = {}, body } = options
    try {
      for (let left = redirects; ; left--) {
        const answer = await once(url, { method, headers, ...(body !== undefined && { body }), signal })
        const target = answer.headers.get('location')
        if (left <= 0 || target === null || !redirectCodes.has(answer.status)) {
          const { status } = answer
          const said = Object.fromEntries(answer.headers)
          const isWanted = options.wants?.({ status, headers: said }) ?? true
          if (!isWanted) await answer.body?.cancel()
          const bytes = isWanted ? await readBody(answer.body, mostBytes, options.cut ?? false) : Buffer.alloc(0)
          return { status, headers: said, body: bytes, url: url.href }
        }
        await answer.body?.cancel()
        const next = check(resolved(target, url))
        if (next.origin !== url.origin) headers = withoutCredentials(headers, options.secretHeaders)
        if (answer.status === 303 ? method !== 'HEAD' : answer.status < 303 && method === 'POST') {
          method = 'GET'
          body = undefined
          headers = withoutBodyHeaders(headers)
        }
        url = next
      }
    } catch (error) {
      options.signal?.throwIfAborted()
      throw explained(error, url, limit.aborted ? timeout : null)
    }
  }

  async function libraryFetch(input: string | URL | Request, init: RequestInit = {}) {
    const asRequest = input instanceof Request ? input : null
    const url = check(asRequest ? asRequest.url : String(input))
    const signal = init.signal ?? asRequest?.signal
    try {
      return bounded(await once(url, asRequest ? { ...partsOf(asRequest), ...init } : init))
    } catch (error) {
      signal?.throwIfAborted()
      throw explained(error, url, null)
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
const refusal = ({ host }: Place, address: string) =>
  blocked(
    `The address of ${host} is ${kindOf(address)}, and such places are not called. An operator can allow it with EGRESS_ALLOW.`,
  )
const portOf = ({ port, protocol }: { port?: string; protocol: string }): number =>
  port ? Number(port) : protocol === 'https:' ? 443 : 80

function resolved(location: string, from: URL): string {
  if (!URL.canParse(location, from.href))
    throw new EgressError('malformed', `${from.host} redirects to something that is not an address.`)
  return new URL(location, from).href
}

/**
 * Opens connections only to addresses that were checked for exactly this connection. A name is resolved once; every
 * address it has must be allowed. A connection that is kept alive was checked when it was opened.
 */
function checkedConnector(allowed: Allowed, resolve: Resolve): buildConnector.connector {
  const byPort = new Map<number, buildConnector.connector>()
  return (options, callback) => {
    const place = { host: options.hostname, port: portOf(options) }
    const literal = bareHost(place.host)
    if (isIP(literal) !== 0 && !allowed(place, literal)) return callback(refusal(place, literal), null)
    let connector = byPort.get(place.port)
    if (!connector) {
      connector = buildConnector({ lookup: checkedLookup(allowed, place.port, resolve), timeout: 10 * second })
      byPort.set(place.port, connector)
    }
    connector(options, callback)
  }
}

const checkedLookup =
  (allowed: Allowed, port: number, resolve: Resolve): LookupFunction =>
  (host, options, answer) => {
    resolve(host, (error, addresses) => {
      if (error) return answer(error, '', 0)
      const bad = addresses.find(({ address }) => !allowed({ host, port }, address))
      if (bad) return answer(refusal({ host, port }, bad.address), '', 0)
      const [first] = addresses
      if (!first) return answer(Object.assign(new Error(`${host} has no address.`), { code: 'ENOTFOUND' }), '', 0)
      if (options.all) return answer(null, addresses)
      answer(null, first.address, first.family)
    })
  }

const bySystem: Resolve = (host, answer) => systemLookup(host, { all: true }, answer)

async function readBody(body: AsyncIterable<Uint8Array> | null, mostBytes: number, cut: boolean): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let size = 0
  if (body === null) return Buffer.alloc(0)
  for await (const piece of body) {
    size += piece.byteLength
    pieces.push(piece)
    if (size <= mostBytes) continue
    if (cut) break
    throw tooLarge(mostBytes)
  }
  return Buffer.concat(pieces).subarray(0, mostBytes)
}

type Answer = Awaited<ReturnType<typeof undiciFetch>>

function bounded(answer: Answer): Answer {
  if (answer.body === null) return answer
  let size = 0
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      size += piece.byteLength
      if (size > mostLibraryBytes) throw tooLarge(mostLibraryBytes)
      controller.enqueue(piece)
    },
  })
  const { status, statusText, headers, url } = answer
  const copy = new Response(answer.body.pipeThrough(counting), { status, statusText, headers })
  return Object.defineProperty(copy, 'url', { value: url })
}

/** The platform's own requests are strangers to the library that sends them, so they are taken apart. */
const partsOf = ({ method, headers, body, signal }: Request): object => ({
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
