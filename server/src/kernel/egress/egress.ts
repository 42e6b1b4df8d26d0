import { lookup as resolveName } from 'node:dns'
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net'
import { Agent, type Dispatcher, fetch as undiciFetch } from 'undici'
import { Problem } from '../errors.ts'
import { second } from '../time.ts'
import { addressIn, kindOf } from './addresses.ts'

/**
 * The one way out for requests that a caller can steer. Only http and https, only to addresses that are public or that
 * the operator has allowed; what was checked is what is connected to.
 */
export interface Egress {
  /** Refuses what can be refused without asking anyone: the scheme, a user name, an address that is not allowed. */
  check(address: string): URL
  /** One exchange with bounds on time and size. Redirects are answers like any other, unless some may be followed. */
  request(address: string, options?: EgressRequest): Promise<EgressAnswer>
  /** For libraries that bring their own protocol. Redirects are not followed. */
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
}

export interface EgressAnswer {
  status: number
  headers: Record<string, string>
  body: Buffer
  /** Where the answer came from in the end. */
  url: string
}

/** Why an exchange failed, told apart for those who must explain it to a person. */
export class EgressError extends Error {
  readonly kind: 'dns' | 'refused' | 'tls' | 'timeout' | 'too_large' | 'connection' | 'malformed'

  constructor(kind: EgressError['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}

const usual = { timeout: 30 * second, mostBytes: 10 * 1024 * 1024, redirects: 0 }
const mostHeaderBytes = 32 * 1024

export function createEgress(allow: readonly string[]): Egress {
  const allowed = allowances(allow)
  const agent = new Agent({
    connect: { lookup: checkedLookup(allowed), timeout: 10 * second },
    maxHeaderSize: mostHeaderBytes,
    keepAliveTimeout: 4 * second,
  })

  const check = (address: string): URL => {
    const url = URL.canParse(address) ? new URL(address) : null
    if (url === null) throw blocked(`"${address.slice(0, 200)}" is not an address that can be called.`)
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      throw blocked(`Only http and https addresses are called, not ${url.protocol}`)
    if (url.username !== '' || url.password !== '') throw blocked('An address may not hold a user name or a password.')
    const literal = addressIn(url)
    if (literal !== null && !allowed(url.hostname, literal)) throw refusal(url.hostname, literal)
    return url
  }

  const once = (url: URL, options: object) =>
    undiciFetch(url, { ...options, redirect: 'manual', dispatcher: agent as Dispatcher })

  async function request(address: string, options: EgressRequest = {}): Promise<EgressAnswer> {
    const { timeout, mostBytes, redirects } = { ...usual, ...options }
    const limit = AbortSignal.timeout(timeout)
    const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit
    let url = check(address)
    let { method = 'GET', headers = {}, body } = options
    try {
      for (let left = redirects; ; left--) {
        const answer = await once(url, {
          method,
          headers,
          ...(body !== undefined && { body }),
          signal,
        })
        const target = answer.headers.get('location')
        if (left <= 0 || target === null || !redirectCodes.has(answer.status)) {
          const { status } = answer
          const headers = Object.fromEntries(answer.headers)
          const isWanted = options.wants?.({ status, headers }) ?? true
          if (!isWanted) await answer.body?.cancel()
          const bytes = isWanted ? await readBody(answer.body, mostBytes, options.cut ?? false) : Buffer.alloc(0)
          return { status, headers, body: bytes, url: url.href }
        }
        await answer.body?.cancel()
        const next = check(new URL(target, url).href)
        if (next.origin !== url.origin) headers = withoutCredentials(headers)
        if (answer.status === 303 || (answer.status < 303 && method === 'POST')) {
          method = 'GET'
          body = undefined
        }
        url = next
      }
    } catch (error) {
      options.signal?.throwIfAborted()
      throw explained(error, url, limit.aborted ? timeout : null)
    }
  }

  return {
    check,
    request,
    fetch: (async (input: string | URL | Request, init?: RequestInit) => {
      const url = check(input instanceof Request ? input.url : String(input))
      try {
        return await once(url, init ?? {})
      } catch (error) {
        init?.signal?.throwIfAborted()
        throw explained(error, url, null)
      }
    }) as unknown as typeof globalThis.fetch,
    close: () => agent.destroy(),
  }
}

type Allowed = (host: string, address: string) => boolean

const redirectCodes = new Set([301, 302, 303, 307, 308])
const blocked = (message: string) => new Problem('egress_blocked', message)
const refusal = (host: string, address: string) =>
  blocked(
    `The address of ${host} is ${kindOf(address)}, and such places are not called. An operator can allow it with EGRESS_ALLOW.`,
  )

/** Reads the operator's list: names, names with a star in front, addresses and ranges. A port in it is not looked at. */
function allowances(entries: readonly string[]): Allowed {
  const list = new BlockList()
  const names: string[] = []
  for (const entry of entries) {
    const [address, bits] = entry.split('/') as [string, string?]
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (isIP(address) === 0) names.push(entry.replace(/:\d+$/, ''))
    else if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  const named = (host: string) =>
    names.some((name) => (name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name))
  return (host, address) =>
    kindOf(address) === 'public' ||
    list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6') ||
    named(host.toLowerCase().replace(/\.$/, ''))
}

/** Every address of a name must be allowed, and the ones that were checked are the ones that are connected to. */
const checkedLookup =
  (allowed: Allowed): LookupFunction =>
  (host, options, answer) => {
    resolveName(host, { ...options, all: true }, (error, addresses) => {
      if (error) return answer(error, '', 0)
      const bad = addresses.find(({ address }) => !allowed(host, address))
      if (bad) return answer(refusal(host, bad.address), '', 0)
      const [first] = addresses
      if (options.all) return answer(null, addresses)
      answer(null, first?.address ?? '', first?.family ?? 0)
    })
  }

async function readBody(body: AsyncIterable<Uint8Array> | null, mostBytes: number, cut: boolean): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let size = 0
  if (body === null) return Buffer.alloc(0)
  for await (const piece of body) {
    size += piece.byteLength
    pieces.push(piece)
    if (size <= mostBytes) continue
    if (cut) break
    throw new EgressError('too_large', `The answer is larger than ${mostBytes} bytes.`)
  }
  return Buffer.concat(pieces).subarray(0, mostBytes)
}

const secretHeaders = new Set(['authorization', 'cookie', 'proxy-authorization'])
const withoutCredentials = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !secretHeaders.has(name.toLowerCase())))

function explained(error: unknown, url: URL, timeout: number | null): Error {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at instanceof Problem || at instanceof EgressError) return at
  }
  if (timeout !== null) return new EgressError('timeout', `${url.host} did not answer within ${timeout} ms.`, error)
  const root = rootOf(error)
  const code = (root as { code?: string }).code ?? ''
  if (/^(ENOTFOUND|EAI_)/.test(code))
    return new EgressError('dns', `The name ${url.hostname} could not be found.`, error)
  if (code === 'ECONNREFUSED') return new EgressError('refused', `${url.host} refused the connection.`, error)
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/.test(code))
    return new EgressError('tls', `The secure connection to ${url.host} failed: ${root.message}`, error)
  if (/TIMEOUT/.test(code)) return new EgressError('timeout', `${url.host} did not answer in time.`, error)
  if (/^HPE_|HEADERS_OVERFLOW|UND_ERR_(HEADERS_OVERFLOW|RES)/.test(code))
    return new EgressError('malformed', `${url.host} answered with something that is not HTTP.`, error)
  return new EgressError('connection', `The connection to ${url.host} failed: ${root.message}`, error)
}

function rootOf(error: unknown): Error {
  let root = error instanceof Error ? error : new Error(String(error))
  while (root.cause instanceof Error) root = root.cause
  return root
}
