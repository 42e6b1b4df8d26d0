/** In-memory state of this process: held reservations and unsent bills. */
export interface UsageState {
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
  holders: new Set(),
  unsent: new Set(),
  strictness: new Map(),
  stopBeating() {},
})
