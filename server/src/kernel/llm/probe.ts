import type { Dispatcher } from 'undici'
import { reason } from '../errors.ts'
import { second } from '../time.ts'
import { type ConnectOptions, embeddingModel, languageModel, type ModelAddress, reranker } from './connect.ts'

export interface ProbeResult {
  ok: boolean
  latency_ms: number
  error: string | null
}

const patience = 20 * second

/** Asks a model for the smallest thing it does, to see whether address, key and name are right. */
export async function probe(
  address: ModelAddress,
  dispatcher: Dispatcher,
  options: ConnectOptions = {},
): Promise<ProbeResult> {
  const started = performance.now()
  const result = (error: string | null): ProbeResult => ({
    ok: error === null,
    latency_ms: Math.round(performance.now() - started),
    error,
  })
  try {
    await smallestRequest(address, dispatcher, AbortSignal.timeout(patience), options)
    return result(null)
  } catch (error) {
    return result(reason(error))
  }
}

function smallestRequest(
  address: ModelAddress,
  dispatcher: Dispatcher,
  signal: AbortSignal,
  options: ConnectOptions,
): Promise<unknown> {
  const once = { ...options, retry: { attempts: 1 } }
  switch (address.type) {
    case 'chat':
      return languageModel(address, dispatcher).generate({
        messages: [{ role: 'user', content: 'Say OK.' }],
        tools: [],
        temperature: null,
        maxTokens: 16,
        signal,
        onText() {},
      })
    case 'embedding':
      return embeddingModel(address, dispatcher, once).embed(['OK'], signal, 'query')
    case 'rerank':
      return reranker(address, dispatcher, once).rerank('OK', ['OK'], signal)
  }
}
