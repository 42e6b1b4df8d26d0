/** The model providers that are known by name: where they are, and which of the few wire formats they speak. */
export interface Provider {
  endpoint: string | null
  wire: 'openai' | 'anthropic' | 'google' | 'cohere' | 'local'
  needsKey: boolean
}

const openai = (endpoint: string | null, needsKey = true): Provider => ({ endpoint, wire: 'openai', needsKey })

const known: Record<string, Provider> = {
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
  anthropic: { endpoint: 'https://api.anthropic.com/v1', wire: 'anthropic', needsKey: true },
  google: { endpoint: 'https://generativelanguage.googleapis.com/v1beta', wire: 'google', needsKey: true },
  cohere: { endpoint: 'https://api.cohere.com/v2', wire: 'cohere', needsKey: true },
  local: { endpoint: null, wire: 'local', needsKey: false },
}

/** A provider we do not know by name is taken to speak the OpenAI wire, as most do, at the endpoint it comes with. */
export const providerNamed = (name: string): Provider => known[name.toLowerCase()] ?? openai(null, false)

export const knownProviders = Object.keys(known)
