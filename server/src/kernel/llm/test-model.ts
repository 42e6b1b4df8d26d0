import { reason } from '../errors.ts'
import { second } from '../time.ts'
import { embeddingModel, languageModel, type ModelAddress, type ModelOptions, reranker } from './create-model.ts'
import type { ProviderPool } from './http.ts'

export interface ModelTestResult {
  ok: boolean
  latency_ms: number
  error: string | null
}

const timeout = 20 * second

/** Sends the smallest request a model takes, to see whether endpoint, key and name are right. */
export async function testModel(
  address: ModelAddress,
  pool: ProviderPool,
  options: ModelOptions = {},
): Promise<ModelTestResult> {
  const startedAt = performance.now()
  const result = (error: string | null): ModelTestResult => ({
    ok: error === null,
    latency_ms: Math.round(performance.now() - startedAt),
    error,
  })
  try {
    await smallestRequest(address, pool, AbortSignal.timeout(timeout), { ...options, retry: { attempts: 1 } })
    return result(null)
  } catch (error) {
    return result(reason(error))
  }
}

function smallestRequest(
  address: ModelAddress,
  pool: ProviderPool,
  signal: AbortSignal,
  options: ModelOptions,
): Promise<unknown> {
  switch (address.type) {
    case 'chat':
      return languageModel(address, pool).generate({
        messages: [{ role: 'user', content: 'Say OK.' }],
        tools: [],
        temperature: null,
        maxTokens: 16,
        signal,
        onText() {},
      })
    case 'embedding':
      return embeddingModel(address, pool, options).embed(['OK'], signal, 'query')
    case 'rerank':
      return reranker(address, pool, options).rerank('OK', ['OK'], signal)
  }
}
