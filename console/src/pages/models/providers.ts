export interface Provider {
  value: string
  label: string
  /** Whether an API key is needed. */
  key: 'required' | 'optional' | 'none'
  /** The default endpoint, or null if one has to be entered. */
  endpoint: string | null
  examples: string
}

/** The providers the server knows by name. */
export const providers: Provider[] = [
  {
    value: 'openai',
    label: 'OpenAI',
    key: 'required',
    endpoint: 'https://api.openai.com/v1',
    examples: 'gpt-4o-mini',
  },
  {
    value: 'anthropic',
    label: 'Anthropic',
    key: 'required',
    endpoint: 'https://api.anthropic.com/v1',
    examples: 'claude-…',
  },
  {
    value: 'google',
    label: 'Google',
    key: 'required',
    endpoint: 'https://generativelanguage.googleapis.com/v1beta',
    examples: 'gemini-…',
  },
  {
    value: 'mistral',
    label: 'Mistral',
    key: 'required',
    endpoint: 'https://api.mistral.ai/v1',
    examples: 'mistral-…',
  },
  {
    value: 'cohere',
    label: 'Cohere',
    key: 'required',
    endpoint: 'https://api.cohere.com/v2',
    examples: 'command-…',
  },
  {
    value: 'groq',
    label: 'Groq',
    key: 'required',
    endpoint: 'https://api.groq.com/openai/v1',
    examples: 'llama-…',
  },
  {
    value: 'deepseek',
    label: 'DeepSeek',
    key: 'required',
    endpoint: 'https://api.deepseek.com/v1',
    examples: 'deepseek-…',
  },
  {
    value: 'openrouter',
    label: 'OpenRouter',
    key: 'required',
    endpoint: 'https://openrouter.ai/api/v1',
    examples: 'maker/model',
  },
  {
    value: 'together',
    label: 'Together',
    key: 'required',
    endpoint: 'https://api.together.xyz/v1',
    examples: 'maker/model',
  },
  {
    value: 'fireworks',
    label: 'Fireworks',
    key: 'required',
    endpoint: 'https://api.fireworks.ai/inference/v1',
    examples: 'accounts/…',
  },
  {
    value: 'xai',
    label: 'xAI',
    key: 'required',
    endpoint: 'https://api.x.ai/v1',
    examples: 'grok-…',
  },
  {
    value: 'ollama',
    label: 'Ollama',
    key: 'optional',
    endpoint: 'http://127.0.0.1:11434/v1',
    examples: 'llama3.2',
  },
  {
    value: 'openai-compatible',
    label: 'OpenAI-compatible',
    key: 'optional',
    endpoint: null,
    examples: 'model name',
  },
]

export const providerNamed = (name: string): Provider | undefined => providers.find(({ value }) => value === name)
export const providerLabel = (name: string): string =>
  name === 'local' ? 'Local' : (providerNamed(name)?.label ?? name)
