import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { sortedGroups } from '../../kernel/access.ts'
import { type Caller, type Context, type Role, roles } from '../../kernel/context.ts'
import { forbidden, invalid } from '../../kernel/errors.ts'
import { hashSecret } from '../../kernel/secrets/secrets.ts'
import { collection } from '../../kernel/store/collection.ts'
import { type Db, inTransaction } from '../../kernel/store/database.ts'
import type { ListQuery } from '../../kernel/store/list.ts'
import { workspaceName } from '../../kernel/store/workspaces.ts'
import { timestamp } from '../../kernel/time.ts'
import { flushLastUsed } from './authenticate.ts'
import { Token, type TokenOrigin } from './schema.ts'

const rank = (role: Role): number => roles.indexOf(role)
/** Nobody can grant or revoke a role above their own. */
export const maySetRole = (own: Role, role: Role): boolean => rank(role) <= rank(own)
const prefixLength = 12

const rows = collection<typeof Token, { hash: string; origin: TokenOrigin; parent_id: string | null }>({
  name: 'token',
  shape: Token,
  prefix: 'tok',
  kind: 'token',
  complete({ ctx, who, next, previous }) {
    if (previous) rejectChanges(['user_id', 'scopes'], previous, next)
    if (previous && previous.role !== next.role) requireRoleChange(who, previous)
    next.scopes ??= []
    if (next.scopes.includes('metrics')) next.role ??= 'viewer'
    if (next.role === undefined) invalid('role', 'is required')
    next.groups = sortedGroups(next.groups ?? [])
    if (previous?.client) rejectChanges(['groups', 'expires_at'], previous, next)
    if (rank(next.role) > rank(who.role))
      forbidden(`The role "${who.role}" may not create a token with the role "${next.role}".`)
    if (next.scopes.includes('metrics') && who.role !== 'owner')
      forbidden('Only an owner may create or change a token for metrics, because they are about all workspaces.')
    if (next.role === 'user' && next.user_id === null) invalid('user_id', 'is required for the role user')
    if (next.expires_at === null) return
    const expires = Date.parse(next.expires_at)
    if (next.expires_at !== previous?.expires_at && expires <= ctx.now()) invalid('expires_at', 'must be in the future')
    next.expires_at = timestamp(expires)
  },
  removed({ who, row }) {
    if (rank(row.role) > rank(who.role))
      forbidden(`The role "${who.role}" may not revoke a token with the role "${row.role}".`)
  },
})

async function list(ctx: Context, who: Caller, query: ListQuery) {
  await flushLastUsed(ctx)
  return rows.list(ctx, who, query)
}

async function get(ctx: Context, who: Caller, id: string) {
  await flushLastUsed(ctx)
  return rows.get(ctx, who, id)
}

export const newSecret = (): string => `parley_${randomBytes(32).toString('base64url')}`

/** Creates a token. Its secret is only in this response; the database stores the hash. */
async function create(ctx: Context, who: Caller, body: object, db: Db = ctx.db, fixed?: string) {
  const secret = fixed ?? newSecret()
  const origin = fixed === undefined ? 'made' : 'environment'
  const row = await rows.create(
    ctx,
    who,
    {
      client: null,
      parent_id: null,
      ...body,
      hash: hashSecret(secret),
      prefix: shownPrefix(secret),
      origin,
      last_used_at: null,
    },
    db,
  )
  return { ...row, secret, token: secret }
}

/** Connected clients of the person follow the token. */
const update = (ctx: Context, who: Caller, id: string, body: object, ifMatch?: string) =>
  inTransaction(ctx.db, async (tx) => {
    const row = await rows.update(ctx, who, id, body, ifMatch, tx)
    const clients = tx.updateTable('token').where('parent_id', '=', id)
    await clients.set({ role: row.role, groups: JSON.stringify(row.groups) }).execute()
    const { expires_at } = row
    if (expires_at !== null) await clients.set({ expires_at }).where('expires_at', '>', expires_at).execute()
    return row
  })

/** A client has the role of its person, and nobody takes their own rights away. */
function requireRoleChange(who: Caller, { id, role, client, scopes }: Token): void {
  if (client || scopes.length > 0) invalid('role', 'cannot be changed; create another token')
  if (id === who.token) forbidden('You may not change the role of the token that you use.')
  if (!maySetRole(who.role, role)) forbidden(`The role "${who.role}" may not change a token with the role "${role}".`)
}

type Fixed = 'user_id' | 'scopes' | 'groups' | 'expires_at'

function rejectChanges(names: readonly Fixed[], previous: Token, next: Token): void {
  for (const name of names)
    if (!isDeepStrictEqual(previous[name], next[name])) invalid(name, 'cannot be changed; create another token')
}

async function remove(ctx: Context, who: Caller, id: string, ifMatch?: string): Promise<void> {
  await rows.remove(ctx, who, id, ifMatch)
}

/** The role and user of the token, and the workspace of this request. */
async function me({ db }: Pick<Context, 'db'>, who: Caller) {
  const token = await db.selectFrom('token').select('name').where('id', '=', who.token).executeTakeFirst()
  return {
    role: who.role,
    user_id: who.userId,
    groups: [...who.groups],
    workspace: { id: who.workspace, name: (await workspaceName(db, who.workspace)) ?? '' },
    token: { id: who.token, name: token?.name ?? who.name ?? null },
  }
}

/** Enough to recognize a token. Empty for short custom tokens, of which it would reveal too much. */
export const shownPrefix = (secret: string): string =>
  secret.length >= 3 * prefixLength ? secret.slice(0, prefixLength) : ''

export const tokens = { kind: rows.kind, prefix: rows.prefix, table: rows.table, list, get, create, update, remove, me }

/** The tokens of a person. */
export const tokensOfPerson = (db: Db, workspace: string, userId: string) =>
  db
    .selectFrom('token')
    .select(['id', 'role'])
    .where('workspace_id', '=', workspace)
    .where('user_id', '=', userId)
    .execute()

/** How many tokens these users have. */
export async function countTokensByUser(db: Db, workspace: string, users: string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('token')
    .select(['user_id', (is) => is.fn.countAll<number>().as('count')])
    .where('workspace_id', '=', workspace)
    .where('user_id', 'in', users)
    .groupBy('user_id')
    .execute()
  return new Map(rows.map(({ user_id, count }) => [user_id ?? '', Number(count)]))
}

/** The rights of a token. */
export const findToken = (db: Db, workspace: string, id: string) =>
  db
    .selectFrom('token')
    .select(['role', 'user_id', 'groups', 'name', 'rate_limit', 'expires_at'])
    .where('workspace_id', '=', workspace)
    .where('id', '=', id)
    .executeTakeFirst()

/** The token of a caller if it is valid; after its revocation the one of the same person with the highest role. Owners act in all workspaces. */
export async function findPresentToken({ db, now }: Context, { workspace, token, userId }: Caller) {
  const rows = await db
    .selectFrom('token')
    .select(['id', 'role', 'groups'])
    .where((is) =>
      is.or([
        is.and([is('id', '=', token), is.or([is('workspace_id', '=', workspace), is('role', '=', 'owner')])]),
        ...(userId === null ? [] : [is.and({ workspace_id: workspace, user_id: userId })]),
      ]),
    )
    .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', timestamp(now()))]))
    .execute()
  return rows.find(({ id }) => id === token) ?? rows.toSorted((one, other) => rank(other.role) - rank(one.role))[0]
}

/** The holder of a token, as a caller with the rights that it has now. Null if it was revoked or has expired. Owners act in all workspaces. */
export async function findHolder({ now }: Context, db: Db, workspace: string, id: string): Promise<Holder | null> {
  const row = await db
    .selectFrom('token')
    .select(['workspace_id', 'role', 'user_id', 'groups', 'name', 'rate_limit', 'expires_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row || (row.workspace_id !== workspace && row.role !== 'owner')) return null
  if (row.expires_at !== null && Date.parse(row.expires_at) <= now()) return null
  const { role, user_id: userId, name, rate_limit: rateLimit, expires_at: expiresAt } = row
  return { workspace, role, token: id, userId, groups: JSON.parse(row.groups) as string[], rateLimit, name, expiresAt }
}

export type Holder = Caller & { expiresAt: string | null }
