import { setTimeout as delay } from 'node:timers/promises'
import { second } from '../time.ts'
import { type Completion, type GenerateRequest, type LanguageModel, ProviderError } from './model.ts'

export interface RetryOptions {
  /** How often it is tried in all. */
  attempts?: number
  /** The first wait, in milliseconds; each next one is twice as long. */
  firstWait?: number
  /** A provider that asks for more than this is not waited for. */
  longestWait?: number
  sleep?(milliseconds: number, signal: AbortSignal): Promise<unknown>
  /** From 0 to 1. */
  random?(): number
  /** Told before each wait, for the log. */
  onRetry?(error: ProviderError, wait: number): void
}

/**
 * Tries again after a failure that may pass. `commit` is for the attempt to call when something of it has been shown:
 * from then on it is not tried again, as the reader would see the beginning twice.
 */
export async function withRetries<T>(
  attempt: (commit: () => void) => Promise<T>,
  { signal, ...options }: RetryOptions & { signal: AbortSignal },
): Promise<T> {
  const { attempts = 3, sleep = interruptibleSleep } = options
  let committed = false
  const commit = () => {
    committed = true
  }
  for (let tried = 1; ; tried++) {
    try {
      signal.throwIfAborted()
      return await attempt(commit)
    } catch (error) {
      signal.throwIfAborted()
      if (committed || tried >= attempts || !(error instanceof ProviderError) || !error.retryable) throw error
      const wait = waitAfter(error, tried, options)
      if (wait === null) throw error
      options.onRetry?.(error, wait)
      await sleep(wait, signal)
      signal.throwIfAborted()
    }
  }
}

/** A whole generation, tried again as long as no text has come out of it. */
export const generateWithRetries = (
  model: LanguageModel,
  request: GenerateRequest,
  options: RetryOptions = {},
): Promise<Completion> =>
  withRetries(
    (commit) =>
      model.generate({
        ...request,
        onText(delta) {
          commit()
          request.onText(delta)
        },
      }),
    { ...options, signal: request.signal },
  )

function waitAfter(error: ProviderError, tried: number, options: RetryOptions): number | null {
  const { firstWait = second / 2, longestWait = 60 * second, random = Math.random } = options
  const backoff = Math.min(longestWait, firstWait * 2 ** (tried - 1))
  // Spread out, so that many who failed together do not come back together.
  const spread = backoff * (0.5 + random() / 2)
  if (error.retryAfter === null) return spread
  return error.retryAfter > longestWait ? null : error.retryAfter + spread
}

const interruptibleSleep = (milliseconds: number, signal: AbortSignal): Promise<unknown> =>
  delay(milliseconds, undefined, { signal }).catch(() => undefined)
