import type { Threshold } from './threshold-cache.ts'

/** In-memory state of this process: cached thresholds, held reservations and unsent bills. */
export interface UsageState {
  /** The thresholds of each workspace, as they were last read. */
  thresholds: Map<string, { since: number; thresholds: Threshold[] }>
  /** Holders with reservations in this process. */
  holders: Set<string>
  /** Send the bills that could not be stored yet. */
  unsent: Set<() => Promise<void>>
  /** By model: how many times the expected maximum its provider has counted. From then on that much is reserved. */
  strictness: Map<string, { input: number; output: number }>
  heartbeat: NodeJS.Timeout | undefined
}

export const createState = (): UsageState => ({
  thresholds: new Map(),
  holders: new Set(),
  unsent: new Set(),
  strictness: new Map(),
  heartbeat: undefined,
})
