import { ProviderError } from './model.ts'

/** The parts of the OpenAI wire that are read. Nothing in it is certain to be there. */
export interface WireChunk {
  choices?: { delta?: WireDelta | null; finish_reason?: string | null }[]
  usage?: WireUsage | null
  error?: WireError | string | null
}

interface WireDelta {
  /** Some servers send a list of parts, where the thoughts are parts of another kind. */
  content?: string | ({ text?: unknown } | null)[] | null
  refusal?: string | null
  tool_calls?: (WireToolCall | null)[] | null
}

export interface WireToolCall {
  index?: number
  id?: unknown
  function?: { name?: unknown; arguments?: unknown } | null
}

export interface WireUsage {
  prompt_tokens?: unknown
  completion_tokens?: unknown
  total_tokens?: unknown
  prompt_tokens_details?: { cached_tokens?: unknown } | null
  completion_tokens_details?: { reasoning_tokens?: unknown } | null
  prompt_cache_hit_tokens?: unknown
}

export interface WireError {
  message?: unknown
  type?: unknown
  code?: unknown
  status?: unknown
}

interface WireReply extends Pick<WireChunk, 'usage' | 'error'> {
  choices?: { message?: WireDelta | null; finish_reason?: string | null }[]
}

/** The reply of a server that did not stream, as if it had come in one chunk. */
export function wholeReply(body: unknown): WireChunk {
  const reply = (body ?? {}) as WireReply
  const choice = reply.choices?.[0]
  if (!choice && !reply.error) throw new ProviderError('malformed', 'The provider sent something that is not a reply.')
  return {
    choices: choice ? [{ delta: choice.message ?? null, finish_reason: choice.finish_reason ?? 'stop' }] : [],
    usage: reply.usage ?? null,
    error: reply.error ?? null,
  }
}
