import type { Context } from '../../kernel/context.ts'
import { inputUsage } from '../../kernel/llm/estimate-usage.ts'
import { chargedCall } from '../models/calls.ts'
import { connectReranker, type ModelRow } from '../models/service.ts'
import type { Payer, Purpose } from '../usage/ledger.ts'

interface Passage {
  content: string
  score: number
}

/** How many passages a rerank model sees, unless more are asked for. */
export const modelCandidates = 50

/** Orders passages by the scores of a provider's model. */
export async function rerankByModel<P extends Passage>(
  ctx: Context,
  who: Payer,
  purpose: Purpose,
  model: ModelRow,
  query: string,
  passages: P[],
  signal: AbortSignal,
): Promise<P[]> {
  if (passages.length === 0) return []
  const texts = passages.map(({ content }) => content)
  const messages = [query, ...texts].map((content) => ({ role: 'user' as const, content }))
  const planned = { kind: 'rerank' as const, messages, tools: [], maxTokens: 0, signal }
  const { result: scores } = await chargedCall(ctx, who, purpose, model, planned, async () => {
    const reranking = await connectReranker(ctx, who.workspace, model).rerank(query, texts, signal)
    return { result: reranking.scores, usage: reranking.tokens === null ? null : inputUsage(reranking.tokens) }
  })
  return byScore(passages, scores)
}

/** Equal scores keep the order. */
function byScore<P extends Passage>(passages: P[], scores: readonly number[]): P[] {
  const areNormalized = scores.every((score) => score >= 0 && score <= 1)
  return passages
    .map((passage, at) => ({ ...passage, score: areNormalized ? (scores[at] ?? 0) : logistic(scores[at] ?? 0) }))
    .sort((one, other) => other.score - one.score)
}

/** Some rerank models return unbounded scores. This maps them to 0–1 and keeps their order. */
const logistic = (value: number): number => 1 / (1 + Math.exp(-value))
