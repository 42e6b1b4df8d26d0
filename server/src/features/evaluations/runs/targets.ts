import { isWaiting } from '../../../kernel/agent/needs.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { reason } from '../../../kernel/errors.ts'
import type { Statement } from '../../../kernel/store/commits.ts'
import { inTransaction } from '../../../kernel/store/database.ts'
import type { AgentRow } from '../../agents/service.ts'
import { send } from '../../conversations/send.ts'
import { cancel, conversations, endQuietly, withMessages } from '../../conversations/service.ts'
import type { SearchResult } from '../../indexes/search.ts'
import { type PinnedTool, query, search } from '../../knowledge-tools/service.ts'
import { type ModelRow, models, pinnedModel } from '../../models/service.ts'
import type { MessageRow } from '../../runs/reply.ts'
import { Run } from '../../runs/run.ts'
import type { StoredCase } from '../cases/store.ts'
import { callModel } from '../model-call.ts'
import type { EvaluationType } from '../schema.ts'
import { jsonIn } from '../scorers/json.ts'
import { CaseError, errorMessage, type Observation, type Passage } from '../scorers/scorer.ts'
import { ScoringTab } from '../scorers/tab.ts'
import type { RunRow } from './store.ts'

/** One attempt to run a case. */
export interface Attempt {
  ctx: Context
  who: Caller
  run: RunRow
  testCase: StoredCase
  /** The conversation of an earlier attempt. */
  conversationId: string | null
  signal: AbortSignal
}

/** The answer of a target, and what is stored with it. */
export interface Answer {
  output: string | null
  error: string | null
  seen:
    | (Pick<Observation, 'toolCalls' | 'passages' | 'latencyMs' | 'tokens' | 'costNano'> & { unpriced: number })
    | null
  conversationId: string | null
  /** Inserts its usage records, unless they are already stored. */
  bills: Statement[]
  statements: Statement[]
}

/** Returns null if the service stopped before there was an answer. The case is still pending then. */
type Target = (attempt: Attempt) => Promise<Answer | null>

export const targets: Record<EvaluationType, Target> = {
  agent: runAgentCase,
  model: runModelCase,
  rag_tool: runRagCase,
  retrieval_tool: runRetrievalCase,
}

/** Runs a turn in a new conversation. */
async function runAgentCase(attempt: Attempt): Promise<Answer | null> {
  const { ctx, who, conversationId } = attempt
  const earlier = conversationId === null ? null : await replyIn(ctx, who, conversationId)
  if (conversationId !== null && earlier && isFinal(earlier))
    return fromReply(attempt, earlier, storedPassages(earlier))
  if (conversationId !== null) await deleteConversation(ctx, who, conversationId)
  const { reply, passages } = await converse(attempt, await createConversation(attempt))
  return reply.status === 'interrupted' ? null : fromReply(attempt, reply, passages)
}

interface Reply {
  reply: MessageRow
  /** Everything that its tools found, in this order. */
  passages: Passage[]
}

/** An answer that was billed before a crash is used instead of requesting it again. */
const isFinal = ({ status }: MessageRow): boolean => status === 'completed' || status === 'failed'

async function replyIn(ctx: Context, who: Caller, conversationId: string): Promise<MessageRow | null> {
  const conversation = await withMessages(ctx, who, conversationId).catch(() => null) // it may have been deleted
  return conversation?.messages.findLast(({ role }) => role === 'assistant') ?? null
}

const deleteConversation = (ctx: Context, who: Caller, conversationId: string): Promise<void> =>
  conversations.remove(ctx, who, conversationId).catch(() => undefined)

const createConversation = ({ ctx, who, run, testCase }: Attempt): Promise<string> =>
  inTransaction(ctx.db, async (tx) => {
    const fields = {
      agent_id: run.target_id,
      user_id: null,
      title: `${run.name}, case ${testCase.position + 1}`.slice(0, 300).toWellFormed(),
      metadata: { evaluation_id: run.evaluation_id, run_id: run.id, case: String(testCase.position) },
      evaluation_id: run.evaluation_id,
    }
    const { id } = await conversations.create(ctx, who, fields, tx)
    await tx
      .updateTable('evaluation_result')
      .set({ conversation_id: id })
      .where('workspace_id', '=', run.workspace_id)
      .where('run_id', '=', run.id)
      .where('position', '=', testCase.position)
      .execute()
    return id
  })

async function converse({ ctx, who, run, testCase, signal }: Attempt, conversationId: string): Promise<Reply> {
  const source = await send(ctx, who, conversationId, testCase.input, {
    canPause: false,
    pinned: run.pinned as AgentRow,
  })
  const stop = () => void cancel(ctx, who, conversationId, source.row.id).catch(() => undefined)
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop() // aborted while the turn was starting
  try {
    const reply = await source.finished
    return { reply, passages: source instanceof Run ? source.found.all : storedPassages(reply) }
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** The passages that the tools of a reply returned before a crash. Ids are known only for cited ones. */
function storedPassages({ tool_calls, citations }: MessageRow): Passage[] {
  return tool_calls.flatMap(({ id, result }) => {
    const output = jsonIn(result ?? '')?.value as { results?: unknown } | undefined
    const results = (Array.isArray(output?.results) ? output.results : []) as StoredResult[]
    return results.map(({ index, content, metadata }) => {
      const cited = citations.find((each) => each.tool_call_id === id && each.index === index)
      const { source = '', page = 1 } = metadata ?? {}
      return { content: content ?? '', source, page, document_id: '', chunk_id: '', ...citedIds(cited) }
    })
  })
}

interface StoredResult {
  index?: number
  content?: string
  metadata?: { source?: string; page?: number }
}

const citedIds = (cited: MessageRow['citations'][number] | undefined) =>
  cited && { document_id: cited.document_id, chunk_id: cited.chunk_id }

function fromReply({ ctx, who }: Attempt, reply: MessageRow, passages: Passage[]): Answer {
  const { usage, latency_ms, content, tool_calls, status } = reply
  const conversationId = reply.conversation_id
  return {
    output: content,
    error: status === 'completed' ? null : failureText(reply),
    seen: {
      toolCalls: tool_calls,
      passages,
      latencyMs: latency_ms ?? 0,
      tokens: usage?.total_tokens ?? 0,
      costNano: Math.round((usage?.cost ?? 0) * 1e9),
      unpriced: usage?.unpriced_requests ?? 0,
    },
    conversationId,
    bills: [], // stored by the turn
    statements: [endQuietly(ctx, who, conversationId)],
  }
}

function failureText({ status, error }: MessageRow): string {
  if (isWaiting(status)) return 'The agent waits for a person, and nobody can act in an evaluation.'
  return error ?? `The reply was ${status}.`
}

async function runModelCase({ ctx, who, run, testCase, signal }: Attempt): Promise<Answer> {
  const pinned = (run.pinned as ModelRow | null) ?? (await models.find(ctx.db, who, run.target_id))
  if (!pinned) throw new CaseError('The model was deleted.')
  const model = await pinnedModel(ctx, who, pinned)
  const tab = new ScoringTab(run.evaluation_id)
  const messages = [{ role: 'user' as const, content: testCase.input }]
  const { text, latencyMs, failure } = await callModel(
    ctx,
    { ...who, tab },
    { model, messages, temperature: null, signal },
  )
  return {
    output: text,
    error: failure === null ? null : reason(failure),
    ...withoutConversation(tab, { passages: [], latencyMs }),
  }
}

/** The rest of the answer of a target that keeps no conversation. */
const withoutConversation = (tab: ScoringTab, seen: Pick<Observation, 'passages' | 'latencyMs'>) => ({
  seen: { toolCalls: [], ...seen, tokens: tab.tokens, costNano: tab.costNano, unpriced: tab.unpriced },
  conversationId: null,
  bills: tab.statements,
  statements: [],
})

async function runRagCase(attempt: Attempt): Promise<Answer> {
  const { ctx, run, testCase, signal } = attempt
  return runSearch(attempt, async (who) => {
    const body = { query: testCase.input, answer: true }
    const pinned = run.pinned as PinnedTool | null
    const { answer, results } = await query(ctx, who, run.target_id, body, signal, pinned)
    return { output: answer ?? '', results }
  })
}

/** The answer is the text of the results, best first. */
async function runRetrievalCase(attempt: Attempt): Promise<Answer> {
  const { ctx, run, testCase, signal } = attempt
  return runSearch(attempt, async (who) => {
    const pinned = run.pinned as PinnedTool | null
    const { results } = await search(ctx, who, run.target_id, { query: testCase.input }, signal, pinned)
    return { output: results.map(({ content }) => content).join('\n\n'), results }
  })
}

interface Found {
  output: string
  results: SearchResult[]
}

async function runSearch({ who, run }: Attempt, search: (who: Caller) => Promise<Found>): Promise<Answer> {
  const tab = new ScoringTab(run.evaluation_id)
  const started = performance.now()
  const { output, results, error } = await search({ ...who, tab }).then(
    (answer) => ({ ...answer, error: null }),
    (failure: unknown) => ({ output: null, results: [], error: errorMessage(failure) }),
  )
  return {
    output,
    error,
    ...withoutConversation(tab, {
      passages: results.map(({ content, metadata: { source, document_id, chunk_id, page } }) => ({
        content,
        source,
        document_id,
        chunk_id,
        page,
      })),
      latencyMs: Math.round(performance.now() - started),
    }),
  }
}
