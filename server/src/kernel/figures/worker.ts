import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import type { Book } from './book.ts'
import { type Asked, consult } from './library.ts'
import type { Origin } from './origin.ts'
import { openShelf } from './shelf.ts'

export interface Place {
  dataDir: string
  databaseUrl: string | null
}

export interface Request {
  id: number
  /** The address of the module whose `book` is asked. */
  book: string
  asked: Asked<unknown>
}

const { dataDir, databaseUrl } = workerData as Place
/** Loads only what this database needs: whoever asked first waits for it. */
const origin: Origin =
  databaseUrl === null
    ? (await import('./sqlite-origin.ts')).sqliteOrigin(join(dataDir, 'parley.db'))
    : (await import('./postgres-origin.ts')).postgresOrigin(databaseUrl)
const shelf = openShelf(join(dataDir, 'figures.db'))
let last: Promise<void> = Promise.resolve()

async function answer({ id, book: address, asked }: Request): Promise<void> {
  try {
    const { book } = (await import(address)) as { book: Book<unknown, unknown> }
    parentPort?.postMessage({ id, answer: await consult(origin, shelf, book, asked) })
  } catch (error) {
    parentPort?.postMessage({ id, error: (error as Error).message })
  }
}

async function end(): Promise<void> {
  await origin.close()
  shelf.close()
  parentPort?.close()
}

parentPort?.on('message', (request: Request | 'end') => {
  last = last.then(() => (request === 'end' ? end() : answer(request)))
})
