import { isDeepStrictEqual } from 'node:util'
import type { Grants } from '../../../kernel/agent/agent-tool.ts'
import { toolsVersion } from '../../../kernel/agent/grants.ts'
import { type AgentTool, findTools } from '../../../kernel/agent/tools.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { invalid, Problem } from '../../../kernel/errors.ts'
import { deciders, requireDecider } from '../../conversations/approvals/rights.ts'
import type { Actor } from '../owner.ts'
import type { Schedule } from './schema.ts'

type Granting = Pick<Schedule, 'action' | 'approved_tools'> & Actor & { grants: Grants }

/** Names those who have to approve a call of the tool, if the caller may not. The requester is whoever the runs act as. */
function missingApprover(who: Caller, schedule: Granting, tools: AgentTool[]): string | null {
  for (const { approvers = null, readOnly = false } of tools) {
    const call = {
      approvers,
      read_only: readOnly,
      user_id: schedule.actor_user,
      requested_by: schedule.actor_user ?? schedule.actor_token,
    }
    try {
      requireDecider(who, call)
    } catch {
      return deciders(call)
    }
  }
  return null
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
  for (const [at, id] of ids.entries()) {
    const before = previous?.grants[id]
    if (before !== undefined && isSameAction && !isNamed) grants[id] = before
    else {
      const tools = (await findTools(ctx, who, [id])).filter((tool) => tool.id === id)
      const missing = missingApprover(who, next, tools)
      if (missing === null) grants[id] = toolsVersion(tools)
      else if (before !== undefined && isSameAction) grants[id] = before
      else refuse(`approved_tools[${at}]`, missing)
    }
  }
  return grants
}

function refuse(path: string, missing: string): never {
  const message = `only who may approve its calls can grant the tool or change the action: ${missing}`
  throw new Problem('forbidden', `You may not grant this. ${path}: ${message}.`, { details: [{ path, message }] })
}
