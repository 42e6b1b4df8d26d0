import type { Reply, Request } from './app.ts'
import { isSameOrigin } from './origin.ts'

const name = 'parley_session'
const secretInCookie = new RegExp(`(?:^|;\\s*)${name}=([\\w-]{43})(?:;|$)`)

/** The secret in the session cookie of a request. */
export const sessionSecretOf = ({ headers: { cookie } }: Request): string | null =>
  (cookie && secretInCookie.exec(cookie)?.[1]) || null

/** Sets the cookie for `maxAge` seconds; `null`: until the browser closes. */
export function setSessionCookie(
  request: Request,
  reply: Reply,
  secret: string,
  maxAge: number | null,
  { isSecure = isOverHttps(request) } = {},
): void {
  reply.header('set-cookie', cookieOf(secret, maxAge, isSecure))
}

export const clearSessionCookie = (request: Request, reply: Reply): void =>
  void reply.header('set-cookie', cookieOf('', 0, isOverHttps(request)))

const cookieOf = (value: string, maxAge: number | null, isSecure: boolean): string =>
  [
    `${name}=${value}`,
    'Path=/api',
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure ? ['Secure'] : []),
    ...(maxAge === null ? [] : [`Max-Age=${maxAge}`]),
  ].join('; ')

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
