import type { Caller, Context } from '../../../kernel/context.ts'
import { type ModelMessage, textOf } from '../../../kernel/llm/model.ts'
import { timestamp } from '../../../kernel/time.ts'
import type { ReplySource } from '../../conversations/streaming/events.ts'
import { agentRun, loadAgent, type PreparedRun, roomIn, withRoomFor } from '../../conversations/turn/agent-setup.ts'
import { historyOf } from '../../conversations/turn/history.ts'
import { blankReply, chooseHistory, startSteps } from '../../conversations/turn/prepare.ts'
import { Turn } from '../../conversations/turn/turn.ts'
import { endUnstored, runUnstored } from '../../conversations/turn/unstored-run.ts'
import { besidesOf, requestRecord, withRequest } from './parameters.ts'
import type { Plan } from './plan.ts'
import type { ResponseRequest } from './record.ts'
import type { ResponseBody } from './schema.ts'

/** A response that has started. */
export interface Started {
  source: ReplySource
  request: ResponseRequest
}

/** Answers without storing anything but the usage. */
export async function runUnstoredResponse(
  ctx: Context,
  who: Caller,
  body: ResponseBody,
  plan: Plan,
  { output, signal }: { output: Pick<PreparedRun, 'output'>; signal: AbortSignal },
): Promise<Started> {
  const setup = await loadAgent(ctx, who, plan.agentId, { variables: plan.conversation?.variables ?? {} })
  const now = ctx.now()
  const none = ctx.newId('cnv')
  const steps = startSteps(ctx, who, { id: none, workspace_id: who.workspace })
  const said: ModelMessage[] = plan.text === '' ? [] : [{ role: 'user', content: plan.text }]
  const asked = [...plan.continued, ...said]
  const past = await chooseHistory(
    ctx,
    steps,
    () => historyOf(plan.earlier.slice(0, plan.kept)),
    () => withRoomFor(roomIn(setup, asked.map(textOf).join('\n')), besidesOf(body, plan)),
  )
  const run = { ...withRequest(agentRun(setup, [...past, ...asked]), body, plan, who.role), ...output }
  const userId = who.userId ?? body.user ?? body.safety_identifier ?? null
  ctx.people.seen(who.workspace, userId)
  const common = {
    workspace_id: who.workspace,
    conversation_id: none,
    parent_id: none,
    timestamp: timestamp(now),
    alive_at: now,
    agent_id: plan.agentId,
    user_id: userId,
    evaluation_id: null,
  }
  const turn = new Turn(blankReply(ctx, common, setup), steps)
  turn.enter('running')
  const purpose = { agentId: plan.agentId, userId }
  const request = requestRecord(body, plan, run)
  const outcome = runUnstored(ctx, who, { setup, run, purpose, steps, signal, action: 'ask' }, turn)
  void endUnstored(ctx, turn, outcome, setup, signal)
  return { source: turn, request }
}
