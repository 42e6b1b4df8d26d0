import type { Dispatcher } from 'undici'
import { Problem, reason } from '../errors.ts'
import { Masks } from '../secrets/masks.ts'
import { second } from '../time.ts'
import { ProviderError } from './model.ts'

const maxErrorBody = 64 * 1024
const maxMessageLength = 500

/** A response with an error status. */
export async function statusError(
  { statusCode: status, headers, body }: Pick<Dispatcher.ResponseData, 'statusCode' | 'headers' | 'body'>,
  apiKey: string | null,
): Promise<ProviderError> {
  const text = await errorText(body)
  return new ProviderError('status', `The provider answered ${status}: ${providerMessage(text, apiKey)}`, {
    status,
    param: paramIn(text),
    retryAfter: retryAfter(headers, Date.now()),
  })
}

async function errorText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > maxErrorBody) break
    }
  } catch {
    // The status is known; part of the explanation is better than none.
  }
  return Buffer.concat(chunks).toString('utf8', 0, maxErrorBody)
}

/** A connection that failed, before or after part of the reply had arrived. */
export function networkError(error: Error, isReplyStarted: boolean): ProviderError {
  if (error.name === 'HTTPParserError')
    return new ProviderError('malformed', 'The provider sent something that is not HTTP.', { cause: error })
  return isReplyStarted
    ? new ProviderError('cut', `The connection broke in the middle of the reply: ${rootReason(error)}`, {
        cause: error,
      })
    : new ProviderError('connection', `The provider could not be reached: ${rootReason(error)}`, { cause: error })
}

function rootReason(error: Error): string {
  if ((error as { code?: string }).code === 'UND_ERR_CONNECT_TIMEOUT') return 'the connection timed out'
  // A host with several addresses fails with one error for each and no message of its own.
  return error instanceof AggregateError && error.message === '' ? reason(error.errors[0]) : error.message
}

/** The provider's explanation in the body of an error response, shortened and without our key. */
export function providerMessage(text: string, key: string | null): string {
  let message = text
  try {
    message = explanationIn(JSON.parse(text)) ?? text
  } catch {
    // Not JSON: shown as it is.
  }
  return masked(message, key)
}

/** Reads `{error: {param}}` and `{param}`. */
function paramIn(text: string): string | null {
  try {
    const { error, param } = (JSON.parse(text) ?? {}) as { error?: { param?: unknown } | null; param?: unknown }
    const named = error?.param ?? param
    return typeof named === 'string' ? named : null
  } catch {
    return null
  }
}

/** Masks before cutting, so that no part of the key remains. */
export function masked(message: string, key: string | null): string {
  const masks = new Masks('***')
  if (key) {
    masks.add(key)
    masks.addAfter(['Bearer '], key)
  }
  return masks.hide(message).slice(0, maxMessageLength).toWellFormed() || 'no explanation'
}

/** Reads `{error: {message}}`, `{error}`, `{message}` and `{detail}`; Google wraps them in a list. */
export function explanationIn(body: unknown): string | null {
  const [first] = Array.isArray(body) ? body : [body]
  if (typeof first !== 'object' || first === null) return typeof first === 'string' ? first : null
  const { error, message, detail } = first as Record<string, unknown>
  const nested = typeof error === 'object' && error !== null ? (error as { message?: unknown }).message : error
  return [nested, message, detail].find((each) => typeof each === 'string') ?? null
}

/** How long the provider asks to wait, in milliseconds: given in seconds, or as a date. */
export function retryAfter(headers: Record<string, string | string[] | undefined>, now: number): number | null {
  const milliseconds = Number(first(headers['retry-after-ms']))
  if (milliseconds > 0) return milliseconds
  const value = first(headers['retry-after'])
  if (value === '') return null
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * second
  const until = Date.parse(value)
  return Number.isNaN(until) ? null : Math.max(0, until - now)
}

const first = (value: string | string[] | undefined): string => (Array.isArray(value) ? value[0] : value)?.trim() ?? ''

/** A provider's failure as the caller of a route sees it; any other error unchanged. */
export function providerProblem(error: unknown): unknown {
  if (!(error instanceof ProviderError)) return error
  const { kind, status, message, retryAfter: wait } = error
  if (kind === 'timeout') return new Problem('provider_timeout', message)
  if (status !== 429) return new Problem('provider_error', message)
  const seconds = Math.max(1, Math.ceil((wait ?? 0) / second))
  return new Problem('provider_rate_limited', message, { headers: { 'retry-after': String(seconds) } })
}
