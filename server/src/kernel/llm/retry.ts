import { setTimeout as delay } from 'node:timers/promises'
import { second } from '../time.ts'
import { type Completion, type GenerateRequest, type LanguageModel, ProviderError } from './model.ts'

export interface RetryOptions {
  /** The maximum number of attempts, including the first. */
  attempts?: number
  /** The first wait in milliseconds. Each later one is twice as long. */
  firstWait?: number
  /** Fails instead if the provider asks for a longer wait. */
  maxWait?: number
  /** The same if the provider limits requests (429); 0 fails at once. Default: `maxWait`. */
  maxRateLimitWait?: number
  sleep?(milliseconds: number, signal: AbortSignal): Promise<unknown>
  /** From 0 to 1, for jitter. Without it, each wait is as long as it can be. */
  random?(): number
  /** Called before each attempt. */
  onAttempt?(): void
  /** Called before each wait, for the log. */
  onRetry?(error: ProviderError, wait: number): void
}

/** For a caller that waits: after two waits, a provider that limits requests is passed on within 12 s. */
export const whileCallerWaits: RetryOptions = { maxRateLimitWait: 5 * second }

/** For official clients, which retry by themselves: retries of both would multiply the requests. */
export const forRetryingClients: RetryOptions = { maxRateLimitWait: 0 }

/**
 * Retries after a failure that may pass. An attempt calls `commit` once it has shown something: from then on it is not
 * retried, because the reader would see the start twice.
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
  for (let failures = 1; ; failures++) {
    try {
      signal.throwIfAborted()
      options.onAttempt?.()
      return await attempt(commit)
    } catch (error) {
      signal.throwIfAborted()
      if (committed || failures >= attempts || !(error instanceof ProviderError) || !error.retryable) throw error
      const wait = waitAfter(error, failures, options)
      if (wait === null) throw error
      options.onRetry?.(error, wait)
      await sleep(wait, signal)
      signal.throwIfAborted()
    }
  }
}

/** Generates, and retries as long as no text has arrived. */
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

function waitAfter(error: ProviderError, failures: number, options: RetryOptions): number | null {
  const { firstWait = second / 2, maxWait = 60 * second, maxRateLimitWait = maxWait, random = () => 1 } = options
  const limit = error.status === 429 ? maxRateLimitWait : maxWait
  if (limit === 0 || (error.retryAfter ?? 0) > limit) return null
  const backoff = Math.min(maxWait, firstWait * 2 ** (failures - 1))
  // Jitter, so that requests that failed together are not retried together.
  const jittered = backoff * (0.5 + random() / 2)
  return (error.retryAfter ?? 0) + jittered
}

const interruptibleSleep = (milliseconds: number, signal: AbortSignal): Promise<unknown> =>
  delay(milliseconds, undefined, { signal }).catch(() => undefined)
