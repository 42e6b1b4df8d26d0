import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { minute, second } from '../../kernel/time.ts'

const prefix = 'whsec_'
const secretBytes = 32

export const newSecret = (): string => `${prefix}${randomBytes(secretBytes).toString('base64')}`

interface SignedDelivery {
  id: string
  /** Seconds since 1970. */
  timestamp: number
  body: string
  /** One signature per secret. During a rotation either is valid. */
  secrets: string[]
}

const signature = (secret: string, id: string, timestamp: string | number, body: string | Buffer): Buffer =>
  createHmac('sha256', Buffer.from(secret.slice(prefix.length), 'base64'))
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest()

/** The headers of Standard Webhooks 1.0. */
export function signedHeaders({ id, timestamp, body, secrets }: SignedDelivery): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets
      .map((secret) => `v1,${signature(secret, id, timestamp, body).toString('base64')}`)
      .join(' '),
  }
}

const tolerance = 5 * minute
const maxIdLength = 255

/** Returns what is wrong with the signature of a webhook that was received, or null. */
export function signatureFault(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: Buffer,
  secrets: readonly string[],
  now: number,
): string | null {
  const { 'webhook-id': id, 'webhook-timestamp': sentAt, 'webhook-signature': signatures } = headers
  if (typeof id !== 'string' || id === '' || id.length > maxIdLength) return 'webhook-id: must be 1 to 255 characters'
  if (typeof sentAt !== 'string' || !/^\d{1,12}$/.test(sentAt))
    return 'webhook-timestamp: must be in seconds since 1970'
  if (typeof signatures !== 'string') return 'webhook-signature: is missing'
  if (Math.abs(now - Number(sentAt) * second) > tolerance)
    return 'webhook-timestamp: must be within five minutes of the current time'
  const expected = secrets.map((secret) => signature(secret, id, sentAt, body))
  const sent = signatures
    .split(' ')
    .flatMap((each) => (each.startsWith('v1,') ? [Buffer.from(each.slice(3), 'base64')] : []))
  const isValid = sent.some((one) => expected.some((each) => each.length === one.length && timingSafeEqual(each, one)))
  return isValid ? null : 'webhook-signature: does not match the body and a valid secret'
}
