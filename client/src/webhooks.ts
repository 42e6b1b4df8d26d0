/** The body of a webhook delivery. */
export interface WebhookEvent {
  type: string
  timestamp: string
  data: unknown
}

/** The delivery could not be verified. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
}

export interface VerifyOptions {
  /** The raw body. Do not parse and serialize it again. */
  body: string | Uint8Array
  /** The headers of the delivery. */
  headers: Headers | Record<string, string | string[] | undefined>
  /** The webhook secret (`whsec_…`), or several during rotation. */
  secret: string | string[]
  /** Max age of a delivery in seconds. Default: 300. */
  tolerance?: number
  /** The current time in milliseconds. Default: `Date.now()`. */
  now?: number
}

/** Verifies the signature and age of a delivery (Standard Webhooks) and returns its event. */
export async function verifyWebhook(options: VerifyOptions): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    header(options.headers, name),
  ) as [string, string, string]
  const age = (options.now ?? Date.now()) / 1000 - Number(timestamp)
  if (!/^\d+$/.test(timestamp) || Math.abs(age) > (options.tolerance ?? 300)) {
    throw new WebhookError('The webhook timestamp is too old or invalid. Check the system clock.')
  }
  const text = new TextEncoder()
  const body = typeof options.body === 'string' ? text.encode(options.body) : options.body
  const signed = concat(text.encode(`${id}.${timestamp}.`), body)
  for (const secret of [options.secret].flat()) {
    const key = await hmacKey(secret)
    for (const signature of signatures.split(' ')) {
      const [version, value = ''] = signature.split(',')
      const bytes = version === 'v1' ? fromBase64(value) : null
      // `verify` compares in constant time.
      if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return parseEvent(body)
    }
  }
  throw new WebhookError('No signature matches this secret.')
}

function parseEvent(body: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent
  } catch {
    throw new WebhookError('The webhook body is not valid JSON.')
  }
}

function header(headers: VerifyOptions['headers'], name: string): string {
  const found =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  const value = Array.isArray(found) ? found[0] : found
  if (!value) throw new WebhookError(`Missing header: ${name}`)
  return value
}

function hmacKey(secret: string): ReturnType<typeof crypto.subtle.importKey> {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''))
  if (!bytes || bytes.length === 0) throw new WebhookError('Invalid webhook secret. It starts with whsec_.')
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

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}
