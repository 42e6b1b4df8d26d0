import { isIP } from 'node:net'
import type { Config } from '../config.ts'
import { addressKind } from '../egress/addresses.ts'
import { forbidden, invalid } from '../errors.ts'
import type { Request } from './app.ts'

type Settings = Pick<Config, 'publicUrl' | 'corsOrigins' | 'trustProxy'>

/**
 * Whether a page of this service sent the request. Browsers say so in `Sec-Fetch-Site`, but only over https and to
 * localhost; otherwise `Origin` is compared.
 */
export function isSameOrigin({ headers, host }: Pick<Request, 'headers' | 'host'>): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { origin } = headers
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)
}

/** The origin that people open. An identity provider accepts only redirects to one that was registered with it. */
export function publicOrigin({ publicUrl }: Pick<Config, 'publicUrl'>, { protocol, host }: Request): string {
  if (publicUrl !== null) return publicUrl
  const address = `${protocol}://${host}`
  return URL.canParse(address) ? new URL(address).origin : invalid('host', 'is not a valid header')
}

/** The identifier of the MCP server as a protected resource (RFC 8707), at the address that the caller uses. */
export const mcpResource = (settings: Pick<Config, 'publicUrl'>, request: Request): string =>
  `${publicOrigin(settings, request)}${mcpPath}`

const mcpPath = '/api/mcp'

/**
 * The identifier that a token of an identity provider must be for. Null where the name in `Host` proves nothing: whoever
 * holds a token for another service could send it with the name of that service.
 */
export function provenMcpResource({ publicUrl }: Pick<Config, 'publicUrl'>, request: Request): string | null {
  if (publicUrl !== null) return `${publicUrl}${mcpPath}`
  const address = `${request.protocol}://${request.host}`
  const url = URL.canParse(address) ? new URL(address) : null
  const isOwn = url !== null && isLoopbackName(url.hostname) && Number(url.port || 80) === request.socket.localPort
  return isOwn ? `${url.origin}${mcpPath}` : null
}

/**
 * Refuses pages of other origins, unless CORS_ORIGINS allows them. A page can make its own name resolve to an address of
 * this machine or network (DNS rebinding), and is of the same origin then, so names are checked too.
 */
export function requireOwnOrigin(settings: Settings, request: Request): void {
  const { host, origin } = request.headers
  if (!isSameOrigin(request) && !trusts(settings, (each) => each === origin)) {
    forbidden('A page of another origin sent this request. Add its origin to CORS_ORIGINS to allow it.')
  }
  if (!isOwnHost(settings, { host, origin, localAddress: request.socket.localAddress })) {
    forbidden('This service does not have the name in the Host header. Set PUBLIC_URL to the address that people open.')
  }
}

interface Reached {
  host: string | undefined
  origin: string | undefined
  /** The address of this machine at which the connection arrived. */
  localAddress: string | undefined
}

/**
 * Whether this service may be reached by the name in `Host`. On loopback all names are known, unless a proxy passes on
 * names of its own. Elsewhere DNS may have any names for it, so that only those of pages are compared with PUBLIC_URL:
 * browsers send `Origin` with every POST, and rebinding needs a browser.
 */
export function isOwnHost(settings: Settings, { host, origin, localAddress }: Reached): boolean {
  if (host === undefined) return true // HTTP/1.0, which browsers do not speak
  const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : null
  if (name === null) return false
  if (isLoopbackName(name) || trusts(settings, (each) => new URL(each).hostname === name)) return true
  const isDirect = localAddress !== undefined && addressKind(localAddress) === 'loopback' && !settings.trustProxy
  return !isDirect && (isAddress(name) || settings.publicUrl === null || origin === undefined)
}

/** Whether the public URL or an origin of CORS_ORIGINS matches, or all origins are allowed. */
const trusts = ({ publicUrl, corsOrigins }: Settings, matches: (origin: string) => boolean): boolean =>
  corsOrigins.includes('*') || [...(publicUrl === null ? [] : [publicUrl]), ...corsOrigins].some(matches)

const isLoopbackName = (name: string): boolean =>
  name === 'localhost' ||
  name.endsWith('.localhost') ||
  (isAddress(name) && addressKind(withoutBrackets(name)) === 'loopback')

const isAddress = (name: string): boolean => isIP(withoutBrackets(name)) !== 0

const withoutBrackets = (name: string): string => name.replace(/^\[(.*)\]$/, '$1')
