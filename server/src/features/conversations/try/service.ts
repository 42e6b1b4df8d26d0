import { Steps } from '../../../kernel/agent/steps.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { timestamp } from '../../../kernel/time.ts'
import { checkResponseFormat } from '../../agents/response-format.ts'
import { agents } from '../../agents/service.ts'
import { costOf, dollars, type Price } from '../../usage/cost.ts'
import type { MessageRow } from '../message-row.ts'
import type { TurnEvent } from '../streaming/event-schema.ts'
import { type EventSource, present } from '../streaming/events.ts'
import { presentStep } from '../trace.ts'
import { historyOf } from '../turn/history.ts'
import { agentRun, blankReply, chooseHistory, factsOf, loadAgent, roomIn } from '../turn/prepare.ts'
import { Turn } from '../turn/turn.ts'
import { explain, faultsIn } from '../turn/turns.ts'
import { runUnstored } from '../turn/unstored-run.ts'
import type { TriedReply, TryBody } from './schema.ts'

/**
 * Runs an agent with changes that are not saved. Resolves when the first model call starts, so that what is wrong with the
 * changes or with the budget is thrown. Nothing is stored but the usage.
 */
export async function tryAgent(
  ctx: Context,
  who: Caller,
  id: string,
  { messages, base_version, stream, ...changes }: TryBody,
  signal: AbortSignal,
): Promise<Turn> {
  const question = messages.at(-1)
  if (question?.role !== 'user') return invalid('messages', 'must end with a message of the user')
  await checkResponseFormat(ctx, who, changes.response_format)
  const draft = await agents.draft(ctx, who, id, changes, base_version)
  const steps = new Steps(ctx.now(), ctx.telemetry.turn({ request: who.traceparent ?? null }))
  steps.observer.describe({ workspace: who.workspace, ...factsOf(draft) })
  const setup = await steps.run('agent', () => loadAgent(ctx, who, id, { pinned: draft }))
  const history = historyOf(messages.slice(0, -1))
  const past = await chooseHistory(
    ctx,
    steps,
    () => history,
    () => roomIn(setup, question.content),
  )
  const version = Object.keys(changes).length > 0 ? null : (base_version ?? draft.version)
  const turn = new Turn({ ...replyOf(ctx, who, id, setup), agent_version: version }, steps)
  const run = agentRun(setup, [...past, { role: 'user', content: question.content }])
  const purpose = { agentId: id, userId: who.userId }
  turn.enter('running')
  await new Promise<void>((resolve, reject) => {
    const outcome = runUnstored(ctx, who, { setup, run, purpose, steps, signal, onReserved: resolve }, turn)
    outcome.catch(reject)
    void finish(ctx, turn, outcome, setup.prices, signal)
  })
  return turn
}

const replyOf = (ctx: Context, who: Caller, agentId: string, setup: Parameters<typeof blankReply>[2]): MessageRow => {
  const now = ctx.now()
  const common = { workspace_id: who.workspace, conversation_id: '', timestamp: timestamp(now), alive_at: now }
  const whose = { agent_id: agentId, user_id: who.userId, evaluation_id: null }
  return blankReply(ctx, { ...common, ...whose, parent_id: '' }, setup)
}

/** Ends the turn as it would be stored. */
async function finish(
  ctx: Context,
  turn: Turn,
  outcome: ReturnType<typeof runUnstored>,
  prices: Map<string, Price | null>,
  signal: AbortSignal,
): Promise<void> {
  const { row } = turn
  try {
    const { modelId: model_id, finishReason: finish_reason, output = null } = await outcome
    Object.assign(row, { status: 'completed', model_id, finish_reason, output })
  } catch (error) {
    const [code, message] = explain(error)
    const isInternal = code === 'internal_error' && !signal.aborted
    if (isInternal) ctx.log.error({ err: error, agent: row.agent_id }, 'trying an agent failed')
    if (signal.aborted) Object.assign(row, { status: 'cancelled', finish_reason: 'cancelled' })
    else
      Object.assign(row, { status: 'failed', finish_reason: 'error', code, error: message, details: faultsIn(error) })
  }
  await turn.keepUsedCitations().catch(() => {})
  turn.enter('storing')
  Object.assign(row, turn.progress(), { latency_ms: turn.elapsed(), usage: usageOf(turn, prices) })
  turn.enter('ended')
}

function usageOf({ modelCalls }: Turn, prices: Map<string, Price | null>): MessageRow['usage'] {
  if (modelCalls.length === 0) return null
  const sum = (of: (call: Turn['modelCalls'][number]) => number) =>
    modelCalls.reduce((total, call) => total + of(call), 0)
  const input_tokens = sum(({ usage }) => usage.input)
  const output_tokens = sum(({ usage }) => usage.output)
  const cost = dollars(sum(({ modelId, usage }) => costOf(usage, prices.get(modelId) ?? null)))
  return { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens, cost }
}

export const triedReply = ({ row, steps }: Turn): TriedReply => ({
  ...present(row),
  steps: steps.list.map(presentStep),
})

/** The events of the turn; the last one carries the steps. */
export const triedEvents = (turn: Turn): EventSource => ({
  get length() {
    return turn.length
  },
  get ended() {
    return turn.ended
  },
  at(sequence): TurnEvent {
    const event = turn.at(sequence)
    return 'message' in event ? { ...event, message: triedReply(turn) } : event
  },
  subscribe: (listener) => turn.subscribe(listener),
})
