import { workerData } from 'node:worker_threads'
import { serve } from '@parley/threads'
import type { Hit, IndexName, SearchRequest } from '../search-index.ts'
import { type EngineSettings, openEngine } from './engine.ts'

export type SearchMethods = ReturnType<typeof openMethods>

function openMethods(settings: EngineSettings) {
  const engine = openEngine(settings)
  const lateVectors = new Map<number, PromiseWithResolvers<Float32Array>>()
  return {
    ...engine,

    /** `provideVector` brings the vector later. */
    async searchWithLateVector(
      searchId: number,
      index: IndexName,
      request: SearchRequest,
      model: string,
    ): Promise<Hit[]> {
      const late = Promise.withResolvers<Float32Array>()
      late.promise.catch(() => {}) // a search by another model does not wait for it
      lateVectors.set(searchId, late)
      try {
        return await engine.search(index, { ...request, embedding: { model, vector: late.promise } })
      } finally {
        lateVectors.delete(searchId)
      }
    },

    /** Null if the query could not be embedded. */
    provideVector(searchId: number, vector: Float32Array | null): void {
      const late = lateVectors.get(searchId)
      if (vector) late?.resolve(vector)
      else late?.reject(new Error('The query could not be embedded.'))
    },
  }
}

const methods = (async () => openMethods(workerData as EngineSettings))()
void serve(methods, { close: async () => (await methods).close() })
