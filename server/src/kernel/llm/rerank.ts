import type { Place } from './exchange.ts'
import { ProviderError, type Reranker } from './model.ts'
import { postJson } from './post-json.ts'
import { type RetryOptions, withRetries } from './retry.ts'

interface WireResult {
  index?: number
  relevance_score?: unknown
  score?: unknown
}

interface WireReranking {
  results?: WireResult[]
  /** Where some providers put the results. */
  data?: WireResult[]
  usage?: { total_tokens?: unknown } | null
  meta?: { tokens?: { input_tokens?: unknown } | null } | null
}

/** A reranker behind the `/rerank` route as Cohere made it and Jina, vLLM and others speak it. */
export class WireReranker implements Reranker {
  private readonly place: Place
  private readonly model: string
  private readonly options: Record<string, unknown>
  private readonly retry: RetryOptions

  constructor(place: Place, model: string, options: Record<string, unknown> = {}, retry: RetryOptions = {}) {
    this.place = place
    this.model = model
    this.options = options
    this.retry = retry
  }

  async rerank(
    query: string,
    documents: string[],
    signal: AbortSignal,
  ): Promise<{ scores: number[]; tokens: number | null }> {
    if (documents.length === 0) return { scores: [], tokens: 0 }
    const body = { ...this.options, model: this.model, query, documents }
    const reply = await withRetries(() => postJson(this.place, body, signal), { ...this.retry, signal })
    return readReply(reply, documents.length)
  }
}

function readReply(reply: unknown, wanted: number): { scores: number[]; tokens: number | null } {
  const { results, data, usage, meta } = (reply ?? {}) as WireReranking
  const list = results ?? data
  const scores: (number | undefined)[] = Array<undefined>(wanted).fill(undefined)
  for (const { index, relevance_score, score } of Array.isArray(list) ? list : []) {
    const value = relevance_score ?? score
    if (index !== undefined && index in scores && typeof value === 'number') scores[index] = value
  }
  if (!scores.every((score) => score !== undefined)) {
    throw new ProviderError('malformed', `The provider did not send a score for each of the ${wanted} documents.`)
  }
  const tokens = usage?.total_tokens ?? meta?.tokens?.input_tokens
  return { scores, tokens: typeof tokens === 'number' ? tokens : null }
}
