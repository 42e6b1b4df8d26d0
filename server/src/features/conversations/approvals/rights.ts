import { isDeepStrictEqual } from 'node:util'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Approvers } from '../../../kernel/agent/tools.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { Problem } from '../../../kernel/errors.ts'
import { allows } from '../../../kernel/http/permissions.ts'
import type { Engine } from '../../../kernel/store/database.ts'
import type { Narrow } from '../../../kernel/store/table.ts'
import { timestamp } from '../../../kernel/time.ts'
import type { StoredApproval } from '../waiting/schema.ts'

type Decidable = Pick<StoredApproval, 'approvers' | 'user_id' | 'requested_by' | 'read_only'>

/** Whether the caller may write in a conversation of this user. */
const mayWrite = ({ role, userId }: Caller, owner: string | null): boolean =>
  role === 'user' ? userId !== null && userId === owner : allows('converse', role)

const isEditor = ({ role }: Caller): boolean => allows('write-configuration', role)

const isNamed = ({ userId, groups }: Caller, approvers: Approvers): boolean =>
  (userId !== null && approvers.users.includes(userId)) || groups.some((group) => approvers.groups.includes(group))

/** Nobody is named, so those decide who may by default, except the person who asked. */
const unnamed: Approvers = { groups: [], users: [], exclude_requester: true }

/** Null if those decide who may by default. Other lists can be empty after the erasure of a person: nobody decides then. */
const namedApprovers = (approvers: Approvers | null): Approvers | null =>
  isDeepStrictEqual(approvers, unnamed) ? null : approvers

/** Names of the caller in `requested_by` and `user_id`. */
const identities = ({ token, userId }: Caller): string[] => (userId === null ? [token] : [token, userId])

/** Whether the turn that waits is the caller's: they asked, or somebody asked for them. */
const isRequester = (who: Caller, { requested_by, user_id }: Decidable): boolean =>
  identities(who).some((name) => name === requested_by || name === user_id)

export const maySee = (who: Caller, { approvers, user_id }: Decidable): boolean =>
  mayWrite(who, user_id) || (approvers !== null && isNamed(who, approvers))

const isExcluded = (who: Caller, approval: Decidable): boolean =>
  approval.approvers?.exclude_requester === true && isRequester(who, approval)

function mayDecide(who: Caller, approval: Decidable): boolean {
  const { user_id, read_only } = approval
  const named = namedApprovers(approval.approvers)
  if (isExcluded(who, approval)) return false
  if (named !== null) return isNamed(who, named)
  return read_only ? mayWrite(who, user_id) : isEditor(who)
}

export const isWaitingFor = (ctx: Context, who: Caller, approval: StoredApproval): boolean =>
  approval.status === 'pending' && !hasExpired(ctx, approval) && mayDecide(who, approval)

export const hasExpired = (ctx: Context, { expires_at }: Pick<StoredApproval, 'expires_at'>): boolean =>
  Date.parse(expires_at) <= ctx.now()

export function requireDecider(who: Caller, approval: Decidable): void {
  if (mayDecide(who, approval)) return
  const because = isExcluded(who, approval) ? ', because you asked for it' : ''
  throw new Problem(
    'forbidden',
    `You may not decide about this call${because}. It is decided by ${deciders(approval)}.`,
  )
}

/** Describes in words who may decide. */
export function deciders({ approvers, read_only }: Decidable): string {
  const named = namedApprovers(approvers)
  const people = named === null ? byDefault(read_only) : namedIn(named)
  return `${people}${approvers?.exclude_requester ? ', but not whoever asked' : ''}`
}

const byDefault = (readOnly: boolean): string =>
  readOnly ? 'whoever may write in the conversation' : 'editors, admins and owners'

function namedIn({ groups, users }: Approvers): string {
  const named = [
    ...(groups.length > 0 ? [`members of ${groups.map(quoted).join(', ')}`] : []),
    ...(users.length > 0 ? [`the ${users.length > 1 ? 'users' : 'user'} ${users.map(quoted).join(', ')}`] : []),
  ]
  return named.length > 0 ? named.join(' and ') : 'nobody'
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
      const mayByDefault = is.or([is.lit(isEditor(who)), is.and([is('read_only', '=', true), isOwned(is, who)])])
      const waits = is.and([
        is('status', '=', 'pending'),
        is('expires_at', '>', timestamp(ctx.now())),
        is.or([
          is.and([is('approvers', 'in', ['null', JSON.stringify(unnamed)]), mayByDefault]),
          isNamedIn(ctx, is, who),
        ]),
        is.or([is('approvers', 'not like', excludingPattern), isNotRequester(is, who)]),
      ])
      return isWaiting ? waits : is.not(waits)
    })

/** The stored approvers end like this only if they exclude whoever asked. */
const excludingPattern = '%:true}'

const isNotRequester = (is: Is, who: Caller) =>
  is.and(
    ['requested_by', 'user_id'].map((column) =>
      is(is.fn.coalesce(is.ref(column), is.val('')), 'not in', identities(who)),
    ),
  )

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
