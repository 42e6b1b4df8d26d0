import { type ExpressionBuilder, sql } from 'kysely'
import type { Approvers } from '../../../kernel/agent/tools.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { Problem } from '../../../kernel/errors.ts'
import { allows } from '../../../kernel/http/permissions.ts'
import type { Engine } from '../../../kernel/store/database.ts'
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

type Is = ExpressionBuilder<Record<string, Record<string, unknown>>, string>

/** The approvals that the caller sees; undefined for all of the workspace. */
export function seenBy(ctx: Context, who: Caller): Narrow | undefined {
  if (who.role !== 'user' && allows('converse', who.role)) return undefined
  return (query) => query.where((is) => is.or([isOwned(is, who), isNamedIn(ctx, is, who)]))
}

/** Narrows a list to approvals that wait for the caller's decision, or to all others. */
export const waitingFor =
  (ctx: Context, who: Caller, isWaiting: boolean): Narrow =>
  (query) =>
    query.where((is) => {
      const mayEveryone = who.role === 'user' ? isOwned(is, who) : is.lit(allows('converse', who.role))
      const waits = is.and([
        is('status', '=', 'pending'),
        is('expires_at', '>', timestamp(ctx.now())),
        is.or([is.and([is('approvers', '=', 'null'), mayEveryone]), isNamedIn(ctx, is, who)]),
      ])
      return isWaiting ? waits : is.not(waits)
    })

const isOwned = (is: Is, { role, userId }: Caller) =>
  role === 'user' && userId !== null ? is('user_id', '=', userId) : is.lit(false)

/** Whether an approval names the caller. */
function isNamedIn({ engine }: Context, is: Is, { userId, groups }: Caller) {
  const includes = (list: 'users' | 'groups', names: readonly string[]) => {
    const each = namesIn(engine, list)
    return names.length === 0 ? [] : [is.exists(is.selectFrom(each).select('value').where('value', 'in', names))]
  }
  return is.or([...includes('users', userId === null ? [] : [userId]), ...includes('groups', groups)])
}

/** The names in a list of `approvers`, as the rows of a table. */
function namesIn(engine: Engine, list: 'users' | 'groups') {
  const rows =
    engine === 'postgres'
      ? sql<{ value: string }>`jsonb_array_elements_text(approvers::jsonb -> ${sql.lit(list)})`
      : sql<{ value: string }>`json_each(approvers, ${sql.lit(`$.${list}`)})`
  return rows.as<'each_name'>(engine === 'postgres' ? sql`each_name(value)` : sql`each_name`)
}
