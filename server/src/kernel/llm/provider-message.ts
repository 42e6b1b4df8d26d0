import { Masks } from '../secrets/masks.ts'
import { second } from '../time.ts'

const longestMessage = 500

/** What a provider says in the body of an error: its own words, cut to a readable length, without our key. */
export function providerMessage(text: string, key: string | null): string {
  let message = text
  try {
    message = wordsIn(JSON.parse(text)) ?? text
  } catch {
    // Not JSON: what came is shown as it is.
  }
  return presentable(message, key)
}

/** The key goes before the cut, so that no part of it stays behind. */
export function presentable(message: string, key: string | null): string {
  const masks = new Masks('***')
  if (key) {
    masks.add(key)
    masks.addBehind(['Bearer '], key)
  }
  return masks.hide(message).slice(0, longestMessage).toWellFormed() || 'no explanation'
}

/** The explanation in an error object: `{error: {message}}`, `{error}`, `{message}` or `{detail}`; Google wraps it in a list. */
export function wordsIn(body: unknown): string | null {
  const [first] = Array.isArray(body) ? body : [body]
  if (typeof first !== 'object' || first === null) return typeof first === 'string' ? first : null
  const { error, message, detail } = first as Record<string, unknown>
  return [wordsInError(error), message, detail].find((each) => typeof each === 'string') ?? null
}

const wordsInError = (error: unknown): unknown =>
  typeof error === 'object' && error !== null ? (error as { message?: unknown }).message : error

/** How long a provider asks to be left alone: seconds, or the date until which. */
export function retryAfter(headers: Record<string, string | string[] | undefined>, now: number): number | null {
  const exact = Number(one(headers['retry-after-ms']))
  if (exact > 0) return exact
  const value = one(headers['retry-after'])
  if (value === '') return null
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * second
  const until = Date.parse(value)
  return Number.isNaN(until) ? null : Math.max(0, until - now)
}

const one = (value: string | string[] | undefined): string => (Array.isArray(value) ? value[0] : value)?.trim() ?? ''
