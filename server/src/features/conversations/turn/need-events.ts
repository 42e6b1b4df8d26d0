import type { PendingCall } from '../../../kernel/agent/approval.ts'
import type { Context } from '../../../kernel/context.ts'
import type { DomainEvent } from '../../../kernel/events.ts'
import { minute, timestamp } from '../../../kernel/time.ts'
import { needKind } from '../../runs/waiting-kinds.ts'
import { callersIn } from '../store.ts'
import { defaultTimeoutMinutes } from '../waiting/approvals.ts'
import type { Resumption } from './prepare.ts'

type Event = Omit<DomainEvent, 'workspace'>

/** The events of calls that wait for an account or an answer. Approvals have their own. */
export function neededEvents(
  ctx: Context,
  { conversation, reply, facts }: Resumption,
  pending: readonly PendingCall[],
): Event[] {
  const { id: message_id, conversation_id, agent_id } = reply
  const own = { agent_id, agent_name: facts.agentName ?? null, conversation_id, message_id }
  return pending.flatMap(({ id, toolId, name, needs, timeoutMinutes = defaultTimeoutMinutes }): Event[] => {
    if (!needs) return []
    const data = {
      kind: needs.kind,
      conversation_id,
      message_id,
      tool_call_id: id,
      tool_id: toolId,
      name,
      agent_id,
      agent_path: [...callersIn(conversation), own],
      user_id: conversation.user_id,
      expires_at: timestamp(ctx.now() + timeoutMinutes * minute),
      ...needKind(needs.kind).eventData(needs),
    }
    return [{ type: `${needs.kind}.required`, data }]
  })
}
