import { Agent } from 'undici'
import { describe, expect, it } from 'vitest'
import { modelRequest } from '../../../test/model-request.ts'
import { SdkEmbeddings, SdkLanguageModel } from './ai-sdk.ts'
import { embeddingModel, languageModel, reranker } from './connect.ts'
import { OpenAiModel } from './openai.ts'
import { OpenAiEmbeddings } from './openai-embeddings.ts'
import { WireReranker } from './rerank.ts'

const agent = new Agent()
const address = (provider: string, endpoint: string | null = null) => ({
  provider,
  model_id: 'm',
  type: 'chat' as const,
  endpoint,
  apiKey: 'k',
})

describe('the way to a model', () => {
  it.each(['openai', 'mistral', 'groq', 'deepseek', 'openrouter', 'ollama', 'xai'])(
    'of %s is the OpenAI wire',
    (name) => {
      expect(languageModel(address(name), agent)).toBeInstanceOf(OpenAiModel)
      expect(embeddingModel(address(name), agent)).toBeInstanceOf(OpenAiEmbeddings)
      expect(reranker(address(name), agent)).toBeInstanceOf(WireReranker)
    },
  )

  it('of a provider nobody knows is the OpenAI wire at its endpoint, which it must have', () => {
    expect(languageModel(address('acme', 'https://llm.example/v1'), agent)).toBeInstanceOf(OpenAiModel)
    expect(() => languageModel(address('acme'), agent)).toThrow('give the model an endpoint')
  })

  it('of the others is their own', () => {
    for (const name of ['anthropic', 'google', 'cohere']) {
      expect(languageModel(address(name), agent)).toBeInstanceOf(SdkLanguageModel)
    }
    expect(embeddingModel(address('google'), agent)).toBeInstanceOf(SdkEmbeddings)
    expect(embeddingModel(address('cohere'), agent)).toBeInstanceOf(SdkEmbeddings)
    expect(reranker(address('cohere'), agent)).toBeInstanceOf(WireReranker)
  })

  it('is refused where there is none', () => {
    expect(() => embeddingModel(address('anthropic'), agent)).toThrow('anthropic offers no models of type "embedding"')
    expect(() => reranker(address('google'), agent)).toThrow('google offers no models of type "rerank"')
    for (const connect of [embeddingModel, reranker]) {
      expect(() => connect(address('local'), agent)).toThrow('local offers no models of type')
    }
  })

  it('of the local chat model needs no way at all', async () => {
    const { text } = await languageModel(address('local'), agent).generate(modelRequest())
    expect(text).toContain('built-in extractive model')
  })
})
