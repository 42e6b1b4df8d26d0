import { type Expression, type SqlBool, sql } from 'kysely'
import type { Approvers } from '../../../kernel/agent/tools.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { Problem } from '../../../kernel/errors.ts'
import { allows } from '../../../kernel/http/permissions.ts'
import type { Narrow } from '../../../kernel/store/table.ts'
import { timestamp } from '../../../kernel/time.ts'
import type { StoredApproval } from './schema.ts'

type Of = Pick<StoredApproval, 'approvers' | 'user_id'>

/** Whether the caller may write in a conversation of this user. */
const mayWrite = ({ role, userId }: Caller, owner: string | null): boolean =>
  role === 'user' ? userId !== null && userId === owner : allows('converse', role)

const isNamed = ({ userId, groups }: Caller, approvers: Approvers): boolean =>
  (userId !== null && approvers.users.includes(userId)) || groups.some((group) => approvers.groups.includes(group))

export const maySee = (who: Caller, { approvers, user_id }: Of): boolean =>
  mayWrite(who, user_id) || (approvers !== null && isNamed(who, approvers))

const mayDecide = (who: Caller, { approvers, user_id }: Of): boolean =>
  approvers === null ? mayWrite(who, user_id) : isNamed(who, approvers)

export const isWaitingFor = (ctx: Context, who: Caller, approval: StoredApproval): boolean =>
  approval.status === 'pending' && !hasExpired(ctx, approval) && mayDecide(who, approval)

export const hasExpired = (ctx: Context, { expires_at }: Pick<StoredApproval, 'expires_at'>): boolean =>
  Date.parse(expires_at) <= ctx.now()

export function requireDecider(who: Caller, approval: Of): void {
  if (mayDecide(who, approval)) return
  throw new Problem('forbidden', `You may not decide about this call. ${whoMay(approval.approvers)}`)
}

/** Explains who may decide, for an error message that people read. */
function whoMay(approvers: Approvers | null): string {
  if (approvers === null) return 'Whoever may write in the conversation decides.'
  const { groups, users } = approvers
  const named = [
    ...(groups.length > 0 ? [`members of ${groups.map(quoted).join(', ')}`] : []),
    ...(users.length > 0 ? [`the ${users.length > 1 ? 'users' : 'user'} ${users.map(quoted).join(', ')}`] : []),
  ]
  return `Only ${named.join(' and ')} may.`
}

const quoted = (name: string): string => `"${name}"`

/** The approvals that the caller sees; undefined for all of the workspace. */
export function seenBy(ctx: Context, who: Caller): Narrow | undefined {
  if (who.role !== 'user' && allows('converse', who.role)) return undefined
  return (found) => found.where(sql<boolean>`(${either([...owned(who), named(ctx, who)])})`)
}

/** Narrows a list to approvals that wait for the caller's decision, or to all others. */
export const waitingFor = (ctx: Context, who: Caller, isWaiting: boolean): Narrow => {
  const everyone = who.role === 'user' ? either(owned(who)) : allows('converse', who.role) ? sql`1 = 1` : sql`1 = 0`
  const decides = sql`((approvers = 'null' and ${everyone}) or ${named(ctx, who)})`
  const waits = sql`(status = 'pending' and expires_at > ${timestamp(ctx.now())} and ${decides})`
  return (found) => found.where(isWaiting ? sql<boolean>`${waits}` : sql<boolean>`not ${waits}`)
}

const owned = ({ role, userId }: Caller) => (role === 'user' && userId !== null ? [sql`user_id = ${userId}`] : [])

const either = (conditions: readonly Expression<unknown>[]) =>
  conditions.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`(${sql.join(conditions, sql` or `)})`

/** Whether an approval names the caller. */
function named({ engine }: Context, { userId, groups }: Caller) {
  const includes = (list: 'users' | 'groups', names: readonly string[]) => {
    if (names.length === 0) return []
    const each =
      engine === 'postgres'
        ? sql`jsonb_array_elements_text(approvers::jsonb -> ${sql.lit(list)}) as each_name(value)`
        : sql`json_each(approvers, ${sql.lit(`$.${list}`)}) as each_name`
    return [sql`exists (select 1 from ${each} where each_name.value in (${sql.join(names)}))`]
  }
  return either([...includes('users', userId === null ? [] : [userId]), ...includes('groups', groups)])
}
