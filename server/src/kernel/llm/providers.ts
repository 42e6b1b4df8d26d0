import type { Sampling } from './model.ts'

/** A model provider: its default endpoint and the protocol of its API. */
export interface Provider {
  endpoint: string | null
  protocol: 'openai' | 'anthropic' | 'google' | 'cohere' | 'local'
  needsKey: boolean
}

const openai = (endpoint: string | null, needsKey = true): Provider => ({ endpoint, protocol: 'openai', needsKey })

const known = new Map<string, Provider>(
  Object.entries({
    openai: openai('https://api.openai.com/v1'),
    mistral: openai('https://api.mistral.ai/v1'),
    groq: openai('https://api.groq.com/openai/v1'),
    deepseek: openai('https://api.deepseek.com/v1'),
    openrouter: openai('https://openrouter.ai/api/v1'),
    together: openai('https://api.together.xyz/v1'),
    fireworks: openai('https://api.fireworks.ai/inference/v1'),
    xai: openai('https://api.x.ai/v1'),
    ollama: openai('http://127.0.0.1:11434/v1', false),
    'openai-compatible': openai(null, false),
    anthropic: { endpoint: 'https://api.anthropic.com/v1', protocol: 'anthropic', needsKey: true },
    google: { endpoint: 'https://generativelanguage.googleapis.com/v1beta', protocol: 'google', needsKey: true },
    cohere: { endpoint: 'https://api.cohere.com/v2', protocol: 'cohere', needsKey: true },
    local: { endpoint: null, protocol: 'local', needsKey: false },
  }),
)

/** An unknown provider is assumed to offer the OpenAI API, as most do, at the endpoint of the model. */
export const providerNamed = (name: string): Provider => known.get(name.toLowerCase()) ?? openai(null, false)

export const knownProviders = [...known.keys()]

/** Sampling parameters that the API of a provider does not support. */
export const missingParameters: Record<Provider['protocol'], readonly (keyof Sampling)[]> = {
  openai: [],
  anthropic: ['seed'],
  google: ['parallelToolCalls'],
  cohere: ['parallelToolCalls'],
  local: [],
}
