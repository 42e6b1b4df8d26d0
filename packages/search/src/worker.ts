import { parentPort, workerData } from 'node:worker_threads'
import { reason } from '../../../server/src/kernel/errors.ts'
import { type EngineSettings, openEngine } from './engine.ts'
import type { IndexName, SearchIndex, SearchRequest } from './search.ts'

export type Operation = keyof SearchIndex
/** A search may come before its query's vector; `vector` then brings it, or undefined where it failed. */
export type Request = [id: number, operation: Operation | 'vector', ...parameters: unknown[]]
export type Reply = [id: number, result: unknown] | [id: number, result: undefined, error: string]

if (parentPort) {
  const port = parentPort
  const engine = openEngine(workerData as EngineSettings)
  const awaited = new Map<number, (vector: Float32Array) => void>()

  const search = async (id: number, index: IndexName, { fine, ...request }: SearchRequest) => {
    try {
      const vector = fine && (fine.vector ?? new Promise<Float32Array>((resolve) => awaited.set(id, resolve)))
      return await engine.search(index, { ...request, ...(fine && vector && { fine: { model: fine.model, vector } }) })
    } finally {
      awaited.delete(id)
    }
  }

  port.on('message', async ([id, operation, ...parameters]: Request) => {
    if (operation === 'vector') {
      awaited.get(id)?.(parameters[0] as Float32Array)
      return
    }
    try {
      const result =
        operation === 'search'
          ? await search(id, ...(parameters as [IndexName, SearchRequest]))
          : await (engine[operation] as (...given: unknown[]) => Promise<unknown>)(...parameters)
      port.postMessage([id, result] satisfies Reply)
    } catch (error) {
      port.postMessage([id, undefined, reason(error)] satisfies Reply)
    }
    if (operation === 'close') port.close()
  })
}
