import type { Caller, Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { hashSecret } from '../../kernel/secrets/secrets.ts'
import type { Db } from '../../kernel/store/database.ts'
import type { ListQuery } from '../../kernel/store/list.ts'
import type { Narrow } from '../../kernel/store/table.ts'
import { hour, timestamp } from '../../kernel/time.ts'
import { flushLastUsed } from './authenticate.ts'
import { type Holder, newSecret, shownPrefix, tokens } from './service.ts'

/** How long the token of a connected client works before the client has to renew it. */
export const clientTokenLifetime = hour

/** Creates the token of a client that a person has connected to the MCP server. It has the rights of the person, but only there. */
export function createClientToken(ctx: Context, tx: Db, person: Holder, client: { name: string; host: string }) {
  const { role, userId, groups, rateLimit, token } = person
  const rights = {
    role,
    user_id: userId,
    groups,
    rate_limit: rateLimit,
    scopes: ['mcp'],
    expires_at: expiry(ctx, person),
  }
  return tokens.create(ctx, person, { ...rights, name: client.name, client: client.host, parent_id: token }, tx)
}

/** Replaces the secret of a client's token. The previous one stops working. */
export async function renewClientToken(ctx: Context, tx: Db, id: string, person: Holder): Promise<string> {
  const secret = newSecret()
  await tx
    .updateTable('token')
    .set({
      hash: hashSecret(secret),
      prefix: shownPrefix(secret),
      groups: JSON.stringify(person.groups),
      expires_at: expiry(ctx, person),
    })
    .where('workspace_id', '=', person.workspace)
    .where('id', '=', id)
    .execute()
  return secret
}

/** It never outlives the token that the person is signed in with. */
function expiry({ now }: Context, { expiresAt }: Holder): string {
  const expires = timestamp(now() + clientTokenLifetime)
  return expiresAt !== null && expiresAt < expires ? expiresAt : expires
}

/** The token of a client with this secret. */
export const findClientToken = (db: Db, secret: string) =>
  db
    .selectFrom('token')
    .select(['id', 'workspace_id', 'parent_id'])
    .where('hash', '=', hashSecret(secret))
    .where('client', 'is not', null)
    .executeTakeFirst()

const kind = 'connected client'

async function list(ctx: Context, who: Caller, query: ListQuery) {
  await flushLastUsed(ctx)
  const own: Narrow = (rows) => rows.where('client', 'is not', null).where('parent_id', '=', who.token)
  return tokens.table.list(ctx.db, who.workspace, { ...query, fields: undefined }, own)
}

async function get(ctx: Context, who: Caller, id: string) {
  await flushLastUsed(ctx)
  const row = await tokens.table.find(ctx.db, who.workspace, id)
  return row && row.client !== null && row.parent_id === who.token ? row : notFound(kind, id)
}

async function remove(ctx: Context, who: Caller, id: string): Promise<void> {
  await get(ctx, who, id)
  await tokens.remove(ctx, who, id)
}

/** The programs that the caller has connected to the MCP server. */
export const ownClients = { kind, list, get, remove }
