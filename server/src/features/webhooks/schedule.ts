import { day, hour, minute, second } from '../../kernel/time.ts'

/** How long to wait after each failed attempt, as Standard Webhooks proposes; after the last one it is given up. */
const waits = [
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

/** A receiver that has failed for this long, without one success, is not called any more. */
export const patience = 5 * day

/** Milliseconds until the next attempt, when so many have failed; null when there is none. */
export function waitAfter(failed: number, chance: () => number = Math.random): number | null {
  const wait = waits[failed - 1]
  return wait === undefined ? null : Math.round(wait * (0.9 + 0.2 * chance()))
}
