import { existsSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { startThread } from '@parley/threads'
import { minute } from '../../../server/src/kernel/time.ts'
import type { EngineSettings } from './engine.ts'
import type { Hit, IndexName, SearchIndex, SearchRequest } from './search.ts'
import type { Operation, Reply, Request } from './worker.ts'

export interface SearchSettings {
  dataDir: string
  memory?: number
  idle?: number
}

interface Pending {
  resolve(value: unknown): void
  reject(error: Error): void
}

/** A thread and what it still owes an answer. */
interface Thread {
  worker: Worker
  pending: Map<number, Pending>
}

const gigabyte = 1024 ** 3

/** Searching in a thread of its own, on the file `search.db` of the data folder. */
export function openEmbeddedSearch({ dataDir, memory, idle }: SearchSettings): SearchIndex {
  const settings: EngineSettings = {
    file: join(dataDir, 'search.db'),
    memory: memory ?? Math.min(2 * gigabyte, totalmem() / 4),
    idle: idle ?? 15 * minute,
  }
  let thread: Thread | undefined
  let isClosed = false
  let lastId = 0

  function start(): Thread {
    const worker = startThread(new URL('./worker.ts', import.meta.url), { workerData: settings })
    const pending: Thread['pending'] = new Map()
    const fail = (error: Error) => {
      if (thread?.worker === worker) thread = undefined
      for (const { reject } of pending.values()) reject(error)
      pending.clear()
    }
    worker.on('message', ([id, result, error]: Reply) => {
      const waiting = pending.get(id)
      pending.delete(id)
      if (pending.size === 0 && !isClosed) worker.unref()
      if (error === undefined) waiting?.resolve(result)
      else waiting?.reject(new Error(error))
    })
    worker.on('error', fail)
    worker.on('exit', () => fail(new Error('The search ended unexpectedly; it starts again with the next request.')))
    return { worker, pending }
  }

  function post(id: number, operation: Operation, parameters: unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (isClosed) return reject(new Error('The search is closed.'))
      thread ??= start()
      thread.pending.set(id, { resolve, reject })
      thread.worker.ref()
      thread.worker.postMessage([id, operation, ...parameters] satisfies Request)
    })
  }

  const call = <O extends Operation>(operation: O, ...parameters: Parameters<SearchIndex[O]>) =>
    post(++lastId, operation, parameters) as ReturnType<SearchIndex[O]>

  /** Where nothing was ever indexed, nobody need start the thread to be told so. */
  const isInUse = (): boolean => isClosed || thread !== undefined || existsSync(settings.file)

  /** A promise cannot travel to the thread: the search goes ahead and the vector follows. */
  function search(index: IndexName, request: SearchRequest): Promise<Hit[]> {
    const { fine } = request
    if (!(fine?.vector instanceof Promise)) return call('search', index, request)
    const id = ++lastId
    const follow = (vector?: Float32Array) => {
      if (thread?.pending.has(id)) thread.worker.postMessage([id, 'vector', vector] satisfies Request)
    }
    fine.vector.then(follow, () => follow())
    return post(id, 'search', [index, { ...request, fine: { model: fine.model } }]) as Promise<Hit[]>
  }

  return {
    update: (...given) => call('update', ...given),
    setFineVectors: (...given) => call('setFineVectors', ...given),
    unrefined: (...given) => call('unrefined', ...given),
    search,
    ofDocument: (...given) => call('ofDocument', ...given),
    pageOf: (...given) => call('pageOf', ...given),
    describe: async (...given) => (isInUse() ? call('describe', ...given) : undefined),
    names: async () => (isInUse() ? call('names') : []),
    load: (...given) => call('load', ...given),
    drop: (...given) => call('drop', ...given),
    dropWorkspace: (...given) => call('dropWorkspace', ...given),
    async close() {
      if (isClosed) return
      const worker = thread?.worker
      const exited = worker && new Promise((resolve) => worker.once('exit', resolve))
      const closed = worker && call('close').catch(() => {}) // one that failed needs no closing
      isClosed = true
      await closed
      await exited
    },
  }
}
