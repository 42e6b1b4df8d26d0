import { embeddingModel, languageModel, type ModelAddress, type ModelOptions, reranker } from './create-model.ts'
import { inputUsage } from './estimate-usage.ts'
import type { ProviderPool } from './http.ts'
import type { ModelMessage, TokenUsage } from './model.ts'

/** The smallest request that a model takes. */
export const testRequest = {
  messages: [{ role: 'user', content: 'Say OK.' }] as ModelMessage[],
  tools: [],
  maxTokens: 16,
}

/** Sends the request, to see whether endpoint, key and name are right. Returns the usage if the provider reports it. */
export async function sendTestRequest(
  address: ModelAddress,
  pool: ProviderPool,
  signal: AbortSignal,
  options: ModelOptions,
): Promise<TokenUsage | null> {
  const [{ content }] = testRequest.messages as [ModelMessage]
  const once = { ...options, retry: { attempts: 1 } }
  switch (address.type) {
    case 'chat':
      return (
        await languageModel(address, pool, once).generate({ ...testRequest, temperature: null, signal, onText() {} })
      ).usage
    case 'embedding':
      return reported((await embeddingModel(address, pool, once).embed([content], signal, 'query')).tokens)
    case 'rerank':
      return reported((await reranker(address, pool, once).rerank(content, [content], signal)).tokens)
  }
}

const reported = (tokens: number | null): TokenUsage | null => (tokens === null ? null : inputUsage(tokens))
