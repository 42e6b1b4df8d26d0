import type { Threshold } from './threshold-cache.ts'

/** In-memory state of this process: cached thresholds, held reservations and unsent bills. */
export interface UsageState {
  /** The thresholds of each workspace, as they were last read. */
  thresholds: Map<string, { since: number; thresholds: Threshold[] }>
  /** Holders with reservations in this process. */
  holders: Set<string>
  /** Retries the bills that could not be stored yet. */
  unsent: Set<() => Promise<void>>
  /** By model: the factor by which its provider exceeded the estimated maximum. Later reservations are multiplied by it. */
  strictness: Map<string, { input: number; output: number }>
  /** Stops the heartbeat of reservations and the watch over other nodes. */
  stopBeating(): void
}

export const createState = (): UsageState => ({
  thresholds: new Map(),
  holders: new Set(),
  unsent: new Set(),
  strictness: new Map(),
  stopBeating() {},
})
