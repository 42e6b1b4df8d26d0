import { Steps } from '../../../kernel/agent/steps.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { timestamp } from '../../../kernel/time.ts'
import { checkResponseFormat } from '../../agents/response-format.ts'
import { agents } from '../../agents/service.ts'
import type { MessageRow } from '../message-row.ts'
import type { TurnEvent } from '../streaming/event-schema.ts'
import { type EventSource, present } from '../streaming/events.ts'
import { presentStep } from '../trace.ts'
import { agentRun, factsOf, loadAgent, roomIn } from '../turn/agent-setup.ts'
import { historyOf } from '../turn/history.ts'
import { blankReply, chooseHistory } from '../turn/prepare.ts'
import { Turn } from '../turn/turn.ts'
import { endUnstored, runUnstored } from '../turn/unstored-run.ts'
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
    const outcome = runUnstored(
      ctx,
      who,
      { setup, run, purpose, steps, signal, action: 'try', onReserved: resolve },
      turn,
    )
    outcome.catch(reject)
    void endUnstored(ctx, turn, outcome, setup, signal)
  })
  return turn
}

const replyOf = (ctx: Context, who: Caller, agentId: string, setup: Parameters<typeof blankReply>[2]): MessageRow => {
  const now = ctx.now()
  const common = { workspace_id: who.workspace, conversation_id: '', timestamp: timestamp(now), alive_at: now }
  const whose = { agent_id: agentId, user_id: who.userId, evaluation_id: null }
  return blankReply(ctx, { ...common, ...whose, parent_id: '' }, setup)
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
