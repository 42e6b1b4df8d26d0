import { postJson, type Route } from './http.ts'
import { ProviderError, type Reranker } from './model.ts'
import { type RetryOptions, withRetries } from './retry.ts'

interface RerankResult {
  index?: number
  relevance_score?: unknown
  score?: unknown
}

interface RerankResponse {
  results?: RerankResult[]
  /** Some providers put the results here. */
  data?: RerankResult[]
  usage?: { total_tokens?: unknown } | null
  meta?: { tokens?: { input_tokens?: unknown } | null } | null
}

/** A reranker behind the `/rerank` route that Cohere defined and Jina, vLLM and others offer. */
export class RerankModel implements Reranker {
  readonly #route: Route
  readonly #model: string
  readonly #options: Record<string, unknown>
  readonly #retry: RetryOptions

  constructor(route: Route, model: string, options: Record<string, unknown> = {}, retry: RetryOptions = {}) {
    this.#route = route
    this.#model = model
    this.#options = options
    this.#retry = retry
  }

  async rerank(
    query: string,
    documents: string[],
    signal: AbortSignal,
  ): Promise<{ scores: number[]; tokens: number | null }> {
    if (documents.length === 0) return { scores: [], tokens: 0 }
    const body = { ...this.#options, model: this.#model, query, documents }
    const reply = await withRetries(() => postJson(this.#route, body, signal), { ...this.#retry, signal })
    return readReply(reply, documents.length)
  }
}

function readReply(reply: unknown, expected: number): { scores: number[]; tokens: number | null } {
  const { results, data, usage, meta } = (reply ?? {}) as RerankResponse
  const list = results ?? data
  const scores: (number | undefined)[] = Array<undefined>(expected).fill(undefined)
  for (const { index, relevance_score, score } of Array.isArray(list) ? list : []) {
    const value = relevance_score ?? score
    if (index !== undefined && index in scores && typeof value === 'number') scores[index] = value
  }
  if (!scores.every((score) => score !== undefined)) {
    throw new ProviderError('malformed', `The provider did not send a score for each of the ${expected} documents.`)
  }
  const tokens = usage?.total_tokens ?? meta?.tokens?.input_tokens
  return { scores, tokens: typeof tokens === 'number' ? tokens : null }
}
