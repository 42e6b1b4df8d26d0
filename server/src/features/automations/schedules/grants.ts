import { isDeepStrictEqual } from 'node:util'
import { type Grants, toolsVersion } from '../../../kernel/agent/grants.ts'
import { type AgentTool, findTools } from '../../../kernel/agent/tools.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { requireDecider } from '../../conversations/approvals/rights.ts'
import type { Actor } from '../owner.ts'
import type { Schedule } from './schema.ts'

type Granting = Pick<Schedule, 'action' | 'approved_tools'> & Actor & { grants: Grants }

/** Whoever may approve the calls of a tool may grant it. The requester is whoever the runs act as. */
function requireApprover(who: Caller, schedule: Granting, tools: AgentTool[]): void {
  for (const { approvers = null, readOnly = false } of tools)
    requireDecider(who, {
      approvers,
      read_only: readOnly,
      user_id: schedule.actor_user,
      requested_by: schedule.actor_user ?? schedule.actor_token,
    })
}

const mayApprove = (...given: Parameters<typeof requireApprover>): boolean => {
  try {
    requireApprover(...given)
    return true
  } catch {
    return false
  }
}

/**
 * The versions of the granted tools. A changed action needs the right to grant all of them again, because it decides what they
 * are used for. Naming a tool again grants its present version, if the caller may.
 */
export async function newGrants(
  ctx: Context,
  who: Caller,
  next: Granting,
  previous: Granting | undefined,
  isNamed: boolean,
): Promise<Grants> {
  const { approved_tools: ids } = next
  if (ids.length > 0 && next.action.type !== 'message')
    invalid('approved_tools', 'are for schedules that send a message; this one does not')
  const isSameAction = previous !== undefined && isDeepStrictEqual(next.action, previous.action)
  const grants: Record<string, string> = {}
  for (const id of ids) {
    const before = previous?.grants[id]
    if (before !== undefined && isSameAction && !isNamed) grants[id] = before
    else {
      const tools = (await findTools(ctx, who, [id])).filter((tool) => tool.id === id)
      const mayKeep = before !== undefined && isSameAction
      if (mayKeep && !mayApprove(who, next, tools)) grants[id] = before
      else {
        requireApprover(who, next, tools)
        grants[id] = toolsVersion(tools)
      }
    }
  }
  return grants
}
