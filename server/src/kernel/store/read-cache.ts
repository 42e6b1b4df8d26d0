import { LRUCache } from 'lru-cache'

/**
 * Caches configuration that every turn reads: tokens, agents, models. Only for SQLite, where one process does all writing.
 * Every write clears it except grouped commits, which never change configuration. Cached values are shared: do not change them.
 */
export class ReadCache {
  readonly #values = new LRUCache<string, object>({ max: 1000 })
  #generation = 0

  clear(): void {
    this.#generation++
    this.#values.clear()
  }

  async get<Value extends object>(key: string, load: () => Promise<Value>): Promise<Value> {
    const cached = this.#values.get(key)
    if (cached) return cached as Value
    const generation = this.#generation
    const value = await load()
    // A write during the read may have made the value stale.
    if (generation === this.#generation) this.#values.set(key, value)
    return value
  }
}

/** On Postgres other nodes write, too, so nothing is cached. */
export const noCache: Pick<ReadCache, 'get'> = { get: (_key, load) => load() }
