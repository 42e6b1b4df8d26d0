import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { openColumnCache } from './column-cache.ts'
import type { Dataset } from './dataset.ts'
import { type Query, queryDataset, removeDeletedWorkspaces } from './query.ts'
import type { Source } from './source.ts'

export interface Location {
  dataDir: string
  databaseUrl: string | null
}

interface Request {
  id: number
  /** The URL of the module that exports the `dataset`. */
  dataset: string
  query: Query<unknown>
}

const { dataDir, databaseUrl } = workerData as Location
// Only the driver in use is loaded, because the first request waits for it.
const source: Source =
  databaseUrl === null
    ? (await import('./sqlite-source.ts')).sqliteSource(join(dataDir, 'parley.db'))
    : (await import('./postgres-source.ts')).postgresSource(databaseUrl)
const cache = openColumnCache(join(dataDir, 'figures.db'))
let last: Promise<void> = removeDeletedWorkspaces(source, cache).catch(() => {}) // the next thread tries again

async function respond({ id, dataset: url, query }: Request): Promise<void> {
  try {
    const { dataset } = (await import(url)) as { dataset: Dataset<unknown, unknown> }
    parentPort?.postMessage({ id, answer: await queryDataset(source, cache, dataset, query) })
  } catch (error) {
    parentPort?.postMessage({ id, error: (error as Error).message })
  }
}

async function end(): Promise<void> {
  await source.close()
  cache.close()
  parentPort?.close()
}

parentPort?.on('message', (request: Request | 'end') => {
  last = last.then(() => (request === 'end' ? end() : respond(request)))
})
