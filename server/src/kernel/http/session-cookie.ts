import type { Reply, Request } from './app.ts'
import { isSameOrigin } from './origin.ts'

/** Over https, a name with this prefix keeps other hosts of the domain from setting the cookie. */
export const secureName = '__Host-parley_session'
const plainName = 'parley_session'

const pattern = (name: string) => new RegExp(`(?:^|;\\s*)${name}=([\\w-]{43})(?:;|$)`)
const secureSecret = pattern(secureName)
const plainSecret = pattern(plainName)

/** The secret in the session cookie of a request. */
export const readSessionSecret = (request: Request): string | null =>
  findCookie(request, isSecure(request) ? secureSecret : plainSecret)

const findCookie = ({ headers: { cookie } }: Request, secret: RegExp): string | null =>
  (cookie && secret.exec(cookie)?.[1]) || null

/** Sets the cookie for `maxAge` seconds; `null`: until the browser closes. */
export function setSessionCookie(
  request: Request,
  reply: Reply,
  secret: string,
  maxAge: number | null,
  { secure = isSecure(request) } = {},
): void {
  reply.header('set-cookie', formatCookie(secret, maxAge, secure))
}

export const clearSessionCookie = (request: Request, reply: Reply): void =>
  void reply.header('set-cookie', formatCookie('', 0, isSecure(request)))

const formatCookie = (value: string, maxAge: number | null, secure: boolean): string =>
  [
    secure ? `${secureName}=${value}; Path=/` : `${plainName}=${value}; Path=/api`,
    'HttpOnly',
    'SameSite=Lax',
    ...(secure ? ['Secure'] : []),
    ...(maxAge === null ? [] : [`Max-Age=${maxAge}`]),
  ].join('; ')

/** Browsers send the prefixed cookie over https only. Reads behind a proxy that is not trusted show https in no other way. */
const isSecure = (request: Request): boolean => isOverHttps(request) || findCookie(request, secureSecret) !== null

/** Behind a proxy that is not trusted, only the browser knows that the page was loaded over https. */
const isOverHttps = ({ protocol, headers: { origin } }: Request): boolean =>
  protocol === 'https' || origin?.startsWith('https://') === true

/**
 * Whether a request may use the session cookie. Pages of other origins cannot set `X-Requested-With` without a preflight,
 * which fails. Links and downloads cannot set it at all: for these the browser must say that they come from this origin
 * or from the user.
 */
export function mayUseSession(request: Request): boolean {
  if (!isSameOrigin(request)) return false
  if (request.headers['x-requested-with'] !== undefined) return true
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  return isRead && request.headers['sec-fetch-site'] !== undefined
}
