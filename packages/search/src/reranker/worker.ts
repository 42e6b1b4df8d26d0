import { workerData } from 'node:worker_threads'
import { serve } from '@parley/threads'
import type { Pair, RerankerModule } from './reranker-module.ts'

export interface RerankerWorkerData {
  /** The URL of the module. */
  module: string
}

export type RerankerMethods = ReturnType<typeof createMethods>

function createMethods({ name, score }: RerankerModule) {
  return {
    /** The name of the model, once the module is loaded. */
    load: (): string | null => (typeof name === 'string' && name !== '' ? name : null),
    async score(pairs: readonly Pair[]): Promise<Float64Array> {
      const scores = Float64Array.from((await score(pairs)) ?? [])
      if (scores.length !== pairs.length) {
        throw new Error(`The local reranker returned ${scores.length} scores for ${pairs.length} pairs.`)
      }
      if (!scores.every(Number.isFinite)) throw new Error('The local reranker returned a score that is not a number.')
      return scores
    },
  }
}

async function load({ module }: RerankerWorkerData): Promise<RerankerModule> {
  const loaded = (await import(module)) as Partial<RerankerModule>
  if (typeof loaded.score !== 'function') throw new Error(`${module} does not export a function \`score\`.`)
  return loaded as RerankerModule
}

const loading = load(workerData)
void serve(loading.then(createMethods), { close: async () => (await loading).close?.() })
