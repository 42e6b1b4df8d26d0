import { day, hour, minute, second } from '../../kernel/time.ts'

/** The delays after each failed attempt, as Standard Webhooks recommends. */
const delays = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const

/** A webhook that has failed for this long without a success is disabled. */
export const maxFailingMs = 5 * day

/** Milliseconds until the next attempt with 10 % jitter, or null after the last one. */
export function retryDelay(failedAttempts: number, random: () => number): number | null {
  const delay = delays[failedAttempts - 1]
  return delay === undefined ? null : Math.round(delay * (0.9 + 0.2 * random()))
}
