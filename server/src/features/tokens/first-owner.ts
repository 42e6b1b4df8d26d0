import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Caller, Context } from '../../kernel/context.ts'
import { hashSecret } from '../../kernel/secrets/secrets.ts'
import { type Db, isPostgres } from '../../kernel/store/database.ts'
import { oldestWorkspace } from '../../kernel/store/workspaces.ts'
import { workspaces } from '../workspaces/service.ts'
import { tokens } from './service.ts'

const service: Caller = {
  workspace: '',
  role: 'owner',
  token: 'first-start',
  userId: null,
  groups: [],
  rateLimit: null,
}
const startLock = 7_015_921

interface FirstStart {
  /** The secret of the owner's token if it was created now. */
  secret: string | null
  /** The workspace if it was created now. */
  newWorkspace: string | null
}

/**
 * Creates the workspace "default" and an owner token if there are none. Syncs the token from ADMIN_TOKEN: earlier
 * values are revoked.
 */
export async function ensureOwner(ctx: Context): Promise<FirstStart> {
  const start = await ctx.db.transaction().execute(async (tx): Promise<FirstStart> => {
    if (isPostgres(tx)) await sql`select pg_advisory_xact_lock(${startLock})`.execute(tx)
    const existing = await oldestWorkspace(tx)
    const workspace = existing ?? (await workspaces.create(ctx, service, { name: 'default', description: null }, tx)).id
    const secret = await ensureToken(ctx, tx, { ...service, workspace })
    return { secret, newWorkspace: existing ? null : workspace }
  })
  if (start.secret !== null) {
    writeFileSync(join(ctx.config.dataDir, 'owner-token'), `${start.secret}\n`, { mode: 0o600 })
  }
  return start
}

async function ensureToken(ctx: Context, tx: Db, who: Caller): Promise<string | null> {
  const { adminToken } = ctx.config
  if (adminToken !== null) {
    await setFixedToken(ctx, tx, who, adminToken)
    return null
  }
  await tx.deleteFrom('token').where('origin', '=', 'environment').execute()
  const owner = await tx
    .selectFrom('token')
    .select('id')
    .where('role', '=', 'owner')
    .where('scopes', '=', '[]')
    .limit(1)
    .executeTakeFirst()
  if (owner) return null
  const body = { name: 'First owner', role: 'owner', user_id: null, rate_limit: null, expires_at: null }
  return (await tokens.create(ctx, who, body, tx)).secret
}

async function setFixedToken(ctx: Context, tx: Db, who: Caller, secret: string): Promise<void> {
  const hash = hashSecret(secret)
  await tx.deleteFrom('token').where('origin', '=', 'environment').where('hash', '!=', hash).execute()
  const existing = await tx.selectFrom('token').select('id').where('hash', '=', hash).executeTakeFirst()
  if (existing) return
  const body = { name: 'ADMIN_TOKEN', role: 'owner', user_id: null, rate_limit: null, expires_at: null }
  await tokens.create(ctx, who, body, tx, secret)
}
