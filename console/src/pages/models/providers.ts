export interface Provider {
  value: string
  label: string
  /** The initials and the hue of its mark. */
  mark: string
  hue: number
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
    mark: 'AI',
    hue: 160,
    label: 'OpenAI',
    key: 'required',
    endpoint: 'https://api.openai.com/v1',
    examples: 'gpt-4o-mini',
  },
  {
    value: 'anthropic',
    mark: 'A',
    hue: 18,
    label: 'Anthropic',
    key: 'required',
    endpoint: 'https://api.anthropic.com/v1',
    examples: 'claude-…',
  },
  {
    value: 'google',
    mark: 'G',
    hue: 217,
    label: 'Google',
    key: 'required',
    endpoint: 'https://generativelanguage.googleapis.com/v1beta',
    examples: 'gemini-…',
  },
  {
    value: 'mistral',
    mark: 'M',
    hue: 28,
    label: 'Mistral',
    key: 'required',
    endpoint: 'https://api.mistral.ai/v1',
    examples: 'mistral-…',
  },
  {
    value: 'cohere',
    mark: 'Co',
    hue: 345,
    label: 'Cohere',
    key: 'required',
    endpoint: 'https://api.cohere.com/v2',
    examples: 'command-…',
  },
  {
    value: 'groq',
    mark: 'gq',
    hue: 8,
    label: 'Groq',
    key: 'required',
    endpoint: 'https://api.groq.com/openai/v1',
    examples: 'llama-…',
  },
  {
    value: 'deepseek',
    mark: 'DS',
    hue: 230,
    label: 'DeepSeek',
    key: 'required',
    endpoint: 'https://api.deepseek.com/v1',
    examples: 'deepseek-…',
  },
  {
    value: 'openrouter',
    mark: 'OR',
    hue: 262,
    label: 'OpenRouter',
    key: 'required',
    endpoint: 'https://openrouter.ai/api/v1',
    examples: 'maker/model',
  },
  {
    value: 'together',
    mark: 'To',
    hue: 205,
    label: 'Together',
    key: 'required',
    endpoint: 'https://api.together.xyz/v1',
    examples: 'maker/model',
  },
  {
    value: 'fireworks',
    mark: 'F',
    hue: 285,
    label: 'Fireworks',
    key: 'required',
    endpoint: 'https://api.fireworks.ai/inference/v1',
    examples: 'accounts/…',
  },
  {
    value: 'xai',
    mark: 'x',
    hue: 0,
    label: 'xAI',
    key: 'required',
    endpoint: 'https://api.x.ai/v1',
    examples: 'grok-…',
  },
  {
    value: 'ollama',
    mark: 'Ol',
    hue: 190,
    label: 'Ollama',
    key: 'optional',
    endpoint: 'http://127.0.0.1:11434/v1',
    examples: 'llama3.2',
  },
  {
    value: 'openai-compatible',
    mark: '{}',
    hue: 140,
    label: 'OpenAI-compatible',
    key: 'optional',
    endpoint: null,
    examples: 'model name',
  },
]

export const providerNamed = (name: string): Provider | undefined => providers.find(({ value }) => value === name)
export const providerLabel = (name: string): string =>
  name === 'local' ? 'Local' : (providerNamed(name)?.label ?? name)
