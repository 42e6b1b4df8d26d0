/** What a webhook of the service carries. */
export interface WebhookEvent {
  type: string
  timestamp: string
  data: unknown
}

/** A delivery that must not be trusted. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
}

export interface VerifyOptions {
  /** The body exactly as it came: parsing and writing it again would change it. */
  body: string | Uint8Array
  headers: Headers | Record<string, string | string[] | undefined>
  /** The webhook's secret (`whsec_…`); several while a secret is being replaced. */
  secret: string | string[]
  /** How old, in seconds, a delivery may be; 300 unless told. */
  tolerance?: number
  /** Milliseconds; the present time unless told. */
  now?: number
}

/** Checks that a delivery comes from the service, is unchanged and is fresh (Standard Webhooks), and gives its event. */
export async function verifyWebhook(given: VerifyOptions): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    header(given.headers, name),
  ) as [string, string, string]
  const age = (given.now ?? Date.now()) / 1000 - Number(timestamp)
  if (!/^\d+$/.test(timestamp) || Math.abs(age) > (given.tolerance ?? 300)) {
    throw new WebhookError('The delivery is too old or its time is wrong. Check the clock of this machine.')
  }
  const text = new TextEncoder()
  const body = typeof given.body === 'string' ? text.encode(given.body) : given.body
  const signed = joined(text.encode(`${id}.${timestamp}.`), body)
  for (const secret of [given.secret].flat()) {
    const key = await keyOf(secret)
    for (const signature of signatures.split(' ')) {
      const [version, value = ''] = signature.split(',')
      const bytes = version === 'v1' ? fromBase64(value) : null
      // The comparison is the platform's own, which takes the same time however much is right.
      if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return eventIn(body)
    }
  }
  throw new WebhookError('No signature of the delivery was made with this secret.')
}

function eventIn(body: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent
  } catch {
    throw new WebhookError('The delivery is signed but not JSON.')
  }
}

function header(headers: VerifyOptions['headers'], name: string): string {
  const found =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  const value = Array.isArray(found) ? found[0] : found
  if (!value) throw new WebhookError(`The header ${name} is missing.`)
  return value
}

function keyOf(secret: string): ReturnType<typeof crypto.subtle.importKey> {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''))
  if (!bytes || bytes.length === 0) throw new WebhookError('The secret is not one of a webhook (whsec_…).')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function fromBase64(value: string): Uint8Array<ArrayBuffer> | null {
  try {
    const binary = atob(value.replaceAll('-', '+').replaceAll('_', '/'))
    return Uint8Array.from(binary, (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}
