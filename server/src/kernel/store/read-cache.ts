import { LRUCache } from 'lru-cache'
import type { Caller } from '../caller.ts'

/** A caller with the revision of its workspace's configuration, if the request has read it. */
type Reader = Pick<Caller, 'workspace' | 'configuration'>

/** Caches configuration that every turn reads: agents, models, thresholds. Cached values are shared: do not change them. */
export interface ReadCache {
  /** A value of the reader's workspace. */
  get<Value extends object>(reader: Reader, key: string, load: () => Promise<Value>): Promise<Value>
  /** A value that may change without a new revision of the configuration, such as a token. */
  getUnrevised<Value extends object>(key: string, load: () => Promise<Value>): Promise<Value>
}

const max = 1000

/** On SQLite one process does all writing. Every write clears the cache except grouped commits, which never change configuration. */
export function createClearedCache(): ReadCache & { clear(): void } {
  const values = new LRUCache<string, object>({ max })
  let generation = 0
  const getUnrevised: ReadCache['getUnrevised'] = async (key, load) => {
    const cached = values.get(key)
    if (cached) return cached as Awaited<ReturnType<typeof load>>
    const before = generation
    const value = await load()
    // A write during the read may have made the value stale.
    if (before === generation) values.set(key, value)
    return value
  }
  return {
    get: ({ workspace }, key, load) => getUnrevised(`${workspace} ${key}`, load),
    getUnrevised,
    clear() {
      generation++
      values.clear()
    },
  }
}

/**
 * On Postgres other nodes write too. A request reads the revision of the configuration with its token, so that it never
 * gets a value that is older than the request; what has read no revision is not cached.
 */
export function createRevisedCache(): ReadCache {
  const values = new LRUCache<string, { revision: number; value: object }>({ max })
  return {
    async get({ workspace, configuration: revision }, key, load) {
      if (revision === undefined) return load()
      const cached = values.get(`${workspace} ${key}`)
      if (cached?.revision === revision) return cached.value as Awaited<ReturnType<typeof load>>
      const value = await load()
      values.set(`${workspace} ${key}`, { revision, value })
      return value
    },
    getUnrevised: (_key, load) => load(),
  }
}
