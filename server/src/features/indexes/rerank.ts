import { textToEmbed } from '@parley/search'
import type { CallPurpose } from '../../kernel/agent/tools.ts'
import type { Context } from '../../kernel/context.ts'
import { inputUsage } from '../../kernel/llm/estimate-usage.ts'
import { chargedCall } from '../models/calls.ts'
import { connectReranker, type ModelRow } from '../models/service.ts'
import type { Payer, Purpose } from '../usage/ledger.ts'

interface Passage {
  content: string
  score: number
  why: { headings: string[] }
}

/** How many passages a rerank model sees, unless more are asked for. */
export const modelCandidates = 50
/** How many passages the local reranker scores. */
export const localCandidates = 30
/** What is not scored by then keeps its order. */
const localBudgetMs = 150

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

interface LocalReranking<P> {
  passages: P[]
  /** Why some passages keep their order. */
  gaps: { code: 'rerank_incomplete' | 'rerank_failed'; message: string }[]
}

/** Orders the first passages by the scores of the local reranker, as far as it gets in its time. */
export async function rerankLocally<P extends Passage>(
  ctx: Context,
  who: Payer,
  { step: parent }: CallPurpose,
  query: string,
  passages: P[],
  signal: AbortSignal,
): Promise<LocalReranking<P>> {
  const { reranker } = ctx
  if (reranker === null) return { passages, gaps: [notInstalled] }
  if (passages.length === 0) return { passages, gaps: [] }
  const step = parent?.part('rerank', { name: reranker.name(), provider: 'local' })
  const since = performance.now()
  const first = passages.slice(0, localCandidates)
  const texts = first.map(({ content, why }) => textToEmbed({ headings: why.headings, text: content }))
  const { scores, error } = await reranker.rerank(query, texts, {
    budgetMs: localBudgetMs,
    key: who.workspace,
    signal,
  })
  signal.throwIfAborted()
  const isComplete = scores.length === first.length
  const outcome = error ? 'failed' : isComplete ? 'completed' : 'incomplete'
  ctx.metrics.rerankedLocally(outcome, (performance.now() - since) / 1000)
  if (error) ctx.log.warn({ err: error }, 'the local reranker failed')
  step?.end({
    results: scores.length,
    ...(!isComplete && { error: error ? 'failed' : 'timeout' }),
    ...(scores.length === 0 && { failure: 'failed' }),
  })
  const scored = byScore(first.slice(0, scores.length), scores)
  // The scores of the others are of another kind. They must not exceed those before them.
  const lowest = scored.at(-1)?.score ?? 1
  const others = passages.slice(scores.length).map((each) => ({ ...each, score: Math.min(each.score, lowest) }))
  return { passages: [...scored, ...others], gaps: isComplete ? [] : [gapOf(error, scores.length, first.length)] }
}

const notInstalled = {
  code: 'rerank_failed' as const,
  message:
    'This service has no local reranker, so the passages keep their order. Its operator can set RERANKER_MODULE.',
}

const gapOf = (error: Error | null, scored: number, all: number): LocalReranking<never>['gaps'][number] =>
  error
    ? { code: 'rerank_failed', message: 'The local reranker failed; passages that it did not score keep their order.' }
    : {
        code: 'rerank_incomplete',
        message: `The local reranker scored ${scored} of ${all} passages within ${localBudgetMs} ms; the others keep their order.`,
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
