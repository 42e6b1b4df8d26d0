import type { Caller, Context } from '../../../kernel/context.ts'
import type { ModelMessage } from '../../../kernel/llm/model.ts'
import { bindingFrom } from '../../conversations/binding.ts'
import { withoutHidden } from '../../conversations/hidden.ts'
import type { ReplySource } from '../../runs/events.ts'
import { readInStep, toHistory } from '../../runs/history.ts'
import { agentRun, loadAgent, type PreparedRun } from '../../runs/setup.ts'
import { keepNothing } from '../../runs/sink.ts'
import { newSteps, startUnkept } from '../../runs/unkept.ts'
import { hasCallerTools, requestRecord, withRequest } from './parameters.ts'
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
  const { agentId, conversation } = plan
  const binding = conversation ? bindingFrom(conversation) : null
  const setup = await loadAgent(ctx, who, agentId, { variables: conversation?.variables ?? {}, binding })
  const steps = newSteps(ctx, who)
  const said: ModelMessage[] = plan.text === '' ? [] : [{ role: 'user', content: plan.text }]
  const asked = [...plan.continued, ...said]
  const hasTools = setup.tools.length > 0 || hasCallerTools(body)
  const read = () => withoutHidden(ctx, who, toHistory(plan.earlier.slice(0, plan.kept)))
  const { messages: past } = await readInStep(steps, read, hasTools)
  const run = { ...withRequest(agentRun(setup, [...past, ...asked]), body, plan, who.role), ...output }
  const userId = who.userId ?? body.user ?? body.safety_identifier ?? null
  ctx.people.seen(who.workspace, userId)
  const conversationId = ctx.newId('cnv')
  const source = await startUnkept(ctx, who, { setup, run, userId, sink: keepNothing, steps, conversationId }, signal)
  return { source, request: requestRecord(body, plan, run) }
}
