import type { Caller, Context } from '../../../kernel/context.ts'
import { type ModelMessage, textOf } from '../../../kernel/llm/model.ts'
import { auditStatements } from '../../../kernel/store/audit.ts'
import type { ReplySource } from '../../runs/events.ts'
import { chooseHistory, historyOf } from '../../runs/history.ts'
import { agentRun, loadAgent, type PreparedRun, roomIn, withRoomFor } from '../../runs/setup.ts'
import { keepNothing } from '../../runs/sink.ts'
import { newSteps, startUnkept } from '../../runs/unkept.ts'
import { requestExtras, requestRecord, withRequest } from './parameters.ts'
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
  const steps = newSteps(ctx, who)
  const said: ModelMessage[] = plan.text === '' ? [] : [{ role: 'user', content: plan.text }]
  const asked = [...plan.continued, ...said]
  const past = await chooseHistory(
    ctx,
    steps,
    () => historyOf(plan.earlier.slice(0, plan.kept)),
    () => withRoomFor(roomIn(setup, asked.map(textOf).join('\n')), requestExtras(body, plan)),
  )
  const run = { ...withRequest(agentRun(setup, [...past, ...asked]), body, plan, who.role), ...output }
  const userId = who.userId ?? body.user ?? body.safety_identifier ?? null
  ctx.people.seen(who.workspace, userId)
  const sink = keepNothing(auditStatements(ctx, who, { action: 'ask', kind: 'agent', id: plan.agentId }))
  const conversationId = ctx.newId('cnv')
  const source = await startUnkept(ctx, who, { setup, run, userId, sink, steps, conversationId }, signal)
  return { source, request: requestRecord(body, plan, run) }
}
