import type { CitablePassage } from '../../kernel/agent/agent-tool.ts'
import type { HandedOver } from '../../kernel/agent/loop.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import type { Statement } from '../../kernel/store/commits.ts'
import { day } from '../../kernel/time.ts'
import { withoutHiddenResults } from '../conversations/hidden.ts'
import { findWaiting, insertWaiting } from '../runs/waiting.ts'

/** The passages that a call of one of the agent's tools has found. */
export interface Found {
  id: string
  toolId: string | null
  citations: CitablePassage[]
}

/** A chat that waits for the results of the client's tools: what the agent did meanwhile is not in the client's messages. */
export interface HandedOverChat {
  run: HandedOver
  found: Found[]
}

/** How long a client has time. Later its calls and results are still taken, without what the agent's own tools found. */
const keptFor = 7 * day

/** The id of a call as the client sees it. It names the waiting run, so that the next request finds it. */
export const clientCallId = (runId: string, index: number): string => `call_${runId}_${index}`

/** The waiting run that a call belongs to, undefined if the call is not from here. */
export const runIdIn = (callId: string): string | undefined => /^call_([0-9a-z]{26})_\d+$/.exec(callId)?.[1]

export const newRunId = (ctx: Context): string => ctx.newId('msg').slice('msg_'.length)

export const insertHandedOver = (
  ctx: Context,
  { workspace }: Caller,
  { id, agentId, userId }: { id: string; agentId: string; userId: string | null },
  state: HandedOverChat,
): Statement =>
  insertWaiting(ctx, {
    id,
    workspace_id: workspace,
    kind: 'caller_tools',
    agent_id: agentId,
    conversation_id: null,
    user_id: userId,
    expires_at: ctx.now() + keptFor,
    state,
  })

/** The waiting chats of an agent by their ids, without results that the caller may not see any more. A token of role `user` finds its own. */
export async function findHandedOver(
  ctx: Context,
  who: Caller,
  agentId: string,
  ids: string[],
): Promise<Map<string, HandedOverChat>> {
  const which = { ids, agent_id: agentId, ...(who.role === 'user' && { user_id: who.userId }) }
  const found = await findWaiting<HandedOverChat>(ctx.db, who.workspace, 'caller_tools', which)
  const chats = new Map<string, HandedOverChat>()
  for (const [id, { state }] of found) chats.set(id, { ...state, run: await withoutHiddenResults(ctx, who, state.run) })
  return chats
}
