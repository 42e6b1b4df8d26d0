import { join } from 'node:path'
import { workerData } from 'node:worker_threads'
import { serve } from '@parley/threads'
import { openColumnCache } from './column-cache.ts'
import type { Dataset } from './dataset.ts'
import { emptyResults, type Query, queryDataset, removeDeletedWorkspaces, removeErased } from './query.ts'
import type { Source } from './source.ts'

export interface Location {
  dataDir: string
  databaseUrl: string | null
}

const { dataDir, databaseUrl } = workerData as Location
// Only the driver in use is loaded, because the first request waits for it.
const source: Source =
  databaseUrl === null
    ? (await import('./sqlite-source.ts')).sqliteSource(join(dataDir, 'parley.db'))
    : (await import('./postgres-source.ts')).postgresSource(databaseUrl)
const cache = openColumnCache(join(dataDir, 'figures.db'))
const results = emptyResults()
const tidy = async () => {
  await removeDeletedWorkspaces(source, cache)
  await removeErased(source, cache, results)
}
let last: Promise<unknown> = tidy().catch(() => {}) // the next thread tries again

const methods = {
  /** One query at a time. `url` names the module that exports the `dataset`. */
  query(url: string, query: Query<unknown>): Promise<unknown> {
    const result = last.then(async () => {
      const { dataset } = (await import(url)) as { dataset: Dataset<unknown, object> }
      return queryDataset(source, cache, results, dataset, query)
    })
    last = result.catch(() => {})
    return result
  },
  /** Drops cached data of erased people. */
  removeErased(): Promise<void> {
    const result = last.then(() => removeErased(source, cache, results))
    last = result.catch(() => {})
    return result
  },
}
export type StatisticsMethods = typeof methods

void serve(methods, {
  async close() {
    await source.close()
    cache.close()
  },
})
