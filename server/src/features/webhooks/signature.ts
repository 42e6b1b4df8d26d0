import { createHmac, randomBytes } from 'node:crypto'

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

/** The headers of Standard Webhooks 1.0. */
export function signedHeaders({ id, timestamp, body, secrets }: SignedDelivery): Record<string, string> {
  const signature = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice(prefix.length), 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => `v1,${signature(secret)}`).join(' '),
  }
}
