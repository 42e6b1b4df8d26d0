export interface Provider {
  value: string
  label: string
  /** Whether it takes a key. */
  key: 'needed' | 'optional' | 'none'
  /** Where it is unless told; null where an endpoint has to be given. */
  endpoint: string | null
  examples: string
}

/** The providers that the service knows by name, with what each of them needs. */
export const providers: Provider[] = [
  { value: 'openai', label: 'OpenAI', key: 'needed', endpoint: 'https://api.openai.com/v1', examples: 'gpt-4o-mini' },
  {
    value: 'anthropic',
    label: 'Anthropic',
    key: 'needed',
    endpoint: 'https://api.anthropic.com/v1',
    examples: 'claude-…',
  },
  {
    value: 'google',
    label: 'Google',
    key: 'needed',
    endpoint: 'https://generativelanguage.googleapis.com/v1beta',
    examples: 'gemini-…',
  },
  { value: 'mistral', label: 'Mistral', key: 'needed', endpoint: 'https://api.mistral.ai/v1', examples: 'mistral-…' },
  { value: 'cohere', label: 'Cohere', key: 'needed', endpoint: 'https://api.cohere.com/v2', examples: 'command-…' },
  { value: 'groq', label: 'Groq', key: 'needed', endpoint: 'https://api.groq.com/openai/v1', examples: 'llama-…' },
  {
    value: 'deepseek',
    label: 'DeepSeek',
    key: 'needed',
    endpoint: 'https://api.deepseek.com/v1',
    examples: 'deepseek-…',
  },
  {
    value: 'openrouter',
    label: 'OpenRouter',
    key: 'needed',
    endpoint: 'https://openrouter.ai/api/v1',
    examples: 'maker/model',
  },
  {
    value: 'together',
    label: 'Together',
    key: 'needed',
    endpoint: 'https://api.together.xyz/v1',
    examples: 'maker/model',
  },
  {
    value: 'fireworks',
    label: 'Fireworks',
    key: 'needed',
    endpoint: 'https://api.fireworks.ai/inference/v1',
    examples: 'accounts/…',
  },
  { value: 'xai', label: 'xAI', key: 'needed', endpoint: 'https://api.x.ai/v1', examples: 'grok-…' },
  { value: 'ollama', label: 'Ollama', key: 'optional', endpoint: 'http://127.0.0.1:11434/v1', examples: 'llama3.2' },
  {
    value: 'openai-compatible',
    label: 'OpenAI-compatible (vLLM, LM Studio, …)',
    key: 'optional',
    endpoint: null,
    examples: 'the name it has there',
  },
]

export const providerNamed = (name: string): Provider | undefined => providers.find(({ value }) => value === name)
export const labelOf = (name: string): string => (name === 'local' ? 'Local' : (providerNamed(name)?.label ?? name))
