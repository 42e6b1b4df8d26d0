import { isIP } from 'node:net'
import { addressKind } from './egress/addresses.ts'
import { Masks } from './secrets/masks.ts'
import type { Reader } from './telemetry/settings.ts'
import { second } from './time.ts'

/** The operator's mail server. */
export interface MailSettings {
  host: string
  port: number
  /** TLS from the first byte. Otherwise the connection changes to TLS when the server offers it. */
  secure: boolean
  auth: { user: string; pass: string } | null
  from: string
}

const example = 'smtps://user:password@mail.example.com or smtp://user:password@mail.example.com:587'

/** Null unless a mail server is configured. The value of SMTP_URL is never printed, because it may contain a password. */
export function mailSettings(read: Reader): MailSettings | null {
  const address = read.url('SMTP_URL', ['smtp:', 'smtps:'])
  const from = read.text('SMTP_FROM')
  if (address === null && from === null) return null
  if (address === null || from === null) read.reject('Set both SMTP_URL and SMTP_FROM, or neither.')
  if (read.text('PUBLIC_URL') === null) {
    read.reject('SMTP_URL requires PUBLIC_URL: the address of the links in the messages.')
  }
  const url = new URL(address)
  const user = decoded(url.username)
  const pass = decoded(url.password)
  const isPlain = url.pathname.replace('/', '') === '' && url.search === '' && url.hash === ''
  if (url.hostname === '' || !isPlain || user === null || pass === null || (user === '') !== (pass === '')) {
    read.reject(
      `SMTP_URL must be ${example}. Encode special characters of user and password, such as "@" as "%40" and "%" as "%25".`,
    )
  }
  if (!/^[^<>\r\n"@]*<[^@\s<>,]+@[^@\s<>,]+>$|^[^@\s<>,]+@[^@\s<>,]+$/.test(from)) {
    read.fail('SMTP_FROM', 'an e-mail address, such as parley@example.com or Parley <parley@example.com>')
  }
  const secure = url.protocol === 'smtps:'
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (secure ? 465 : 587)),
    secure,
    auth: user === '' ? null : { user, pass },
    from,
  }
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** A message that no further attempt can deliver. */
export class Undeliverable extends Error {}

/** Sends a plain text. Throws `Undeliverable` if the server has refused it for good (a reply of 500 and above). */
export async function sendMail(
  { host, port, secure, auth, from }: MailSettings,
  message: { to: string; subject: string; text: string },
): Promise<void> {
  const { createTransport } = await import('nodemailer') // loaded only where a mail server is configured
  const transport = createTransport({
    host,
    port,
    secure,
    ...(auth && { auth }),
    // A password is sent over TLS only, except to this machine.
    requireTLS: auth !== null && !isLoopback(host),
    connectionTimeout: 10 * second,
    greetingTimeout: 10 * second,
    socketTimeout: 30 * second,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    await transport.sendMail({ ...message, from, to: { name: '', address: message.to } })
  } catch (error) {
    const { responseCode = 0, message: said } = error as Error & { responseCode?: number }
    const masks = new Masks()
    masks.add(auth?.pass, auth?.user)
    const reason = `The mail server ${host} did not accept the message: ${masks.hide(said).slice(0, 500)}`
    throw responseCode >= 500 ? new Undeliverable(reason) : new Error(reason)
  } finally {
    transport.close()
  }
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || (isIP(host) !== 0 && addressKind(host) === 'loopback')
