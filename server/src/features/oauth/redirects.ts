import { OAuthProblem } from './errors.ts'

const maxLength = 2000
/** Schemes that a browser handles itself. Every other one belongs to an application that is installed. */
const browserSchemes = new Set(
  'javascript: data: vbscript: file: blob: filesystem: about: view-source: ws: wss: ftp: mailto: tel: chrome: intent:'.split(
    ' ',
  ),
)

/** A redirect URI that a client may register: https, an application's own scheme, or http on the person's own machine. */
export function requireRedirectUri(uri: unknown): asserts uri is string {
  const isText = typeof uri === 'string' && uri.length <= maxLength && /^[\x21-\x7e]+$/.test(uri)
  const url = isText && !uri.includes('\\') && URL.canParse(uri) ? new URL(uri) : null
  if (url === null || url.hash !== '' || (uri as string).includes('#') || url.username !== '' || url.password !== '')
    throw new OAuthProblem('invalid_redirect_uri', 'A redirect URI is absolute and has neither fragment nor password.')
  if (browserSchemes.has(url.protocol) || (url.protocol === 'http:' && !isLoopback(url)))
    throw new OAuthProblem(
      'invalid_redirect_uri',
      'A redirect URI uses https, the scheme of an application, or http on a loopback address.',
    )
}

/** Compares exactly. Only on a loopback address may the port differ, which the system assigns to an application (RFC 8252). */
export const isRegistered = (uri: string, registered: readonly string[]): boolean =>
  registered.some((each) => each === uri || (withoutPort(each) !== null && withoutPort(each) === withoutPort(uri)))

function withoutPort(uri: string): string | null {
  const url = URL.canParse(uri) ? new URL(uri) : null
  if (url === null || url.protocol !== 'http:' || !isLoopback(url) || url.hash !== '' || url.username !== '')
    return null
  return `${url.hostname}${url.pathname}${url.search}`
}

const isLoopback = ({ hostname }: URL): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

/** Where the person is sent, for them to read: a host, or the scheme of an application. */
export function redirectHost(uri: string): string {
  const { host, protocol } = new URL(uri)
  return protocol === 'https:' || protocol === 'http:' ? host : protocol.replace(/:$/, '')
}

/** The redirect URI with the parameters of the answer. */
export function redirectTo(uri: string, parameters: Record<string, string | undefined>): string {
  const url = new URL(uri)
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}
