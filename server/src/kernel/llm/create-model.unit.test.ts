import { describe, expect, it } from 'vitest'
import { modelRequest } from '../../../test/model-request.ts'
import { SdkEmbeddings, SdkLanguageModel } from './ai-sdk.ts'
import { embeddingModel, languageModel, reranker } from './create-model.ts'
import { createProviderPool } from './http.ts'
import { OpenAiModel } from './openai.ts'
import { OpenAiEmbeddings } from './openai-embeddings.ts'
import { RerankModel } from './rerank.ts'

const pool = createProviderPool()
const address = (provider: string, endpoint: string | null = null) => ({
  provider,
  model_id: 'm',
  type: 'chat' as const,
  endpoint,
  apiKey: 'k',
})

describe('creating a model', () => {
  it.each(['openai', 'mistral', 'groq', 'deepseek', 'openrouter', 'ollama', 'xai'])(
    'of %s uses the OpenAI API',
    (name) => {
      expect(languageModel(address(name), pool)).toBeInstanceOf(OpenAiModel)
      expect(embeddingModel(address(name), pool)).toBeInstanceOf(OpenAiEmbeddings)
      expect(reranker(address(name), pool)).toBeInstanceOf(RerankModel)
    },
  )

  it('of an unknown provider uses the OpenAI API and requires an endpoint', () => {
    expect(languageModel(address('acme', 'https://llm.example/v1'), pool)).toBeInstanceOf(OpenAiModel)
    expect(() => languageModel(address('acme'), pool)).toThrow('set one on the model')
  })

  it('of the other providers uses their own API', () => {
    for (const name of ['anthropic', 'google', 'cohere']) {
      expect(languageModel(address(name), pool)).toBeInstanceOf(SdkLanguageModel)
    }
    expect(embeddingModel(address('google'), pool)).toBeInstanceOf(SdkEmbeddings)
    expect(embeddingModel(address('cohere'), pool)).toBeInstanceOf(SdkEmbeddings)
    expect(reranker(address('cohere'), pool)).toBeInstanceOf(RerankModel)
  })

  it('fails if the provider has no such model', () => {
    expect(() => embeddingModel(address('anthropic'), pool)).toThrow('anthropic offers no models of type "embedding"')
    expect(() => reranker(address('google'), pool)).toThrow('google offers no models of type "rerank"')
    for (const connect of [embeddingModel, reranker]) {
      expect(() => connect(address('local'), pool)).toThrow('local offers no models of type')
    }
  })

  it('of the local provider needs no endpoint', async () => {
    const { text } = await languageModel(address('local'), pool).generate(modelRequest())
    expect(text).toContain('built-in extractive model')
  })
})
