import type { Caller, Context } from '../../kernel/context.ts'
import { Problem, reason } from '../../kernel/errors.ts'
import { collection } from '../../kernel/store/collection.ts'
import { type Db, inTransaction, isPostgres } from '../../kernel/store/database.ts'
import { Workspace } from './schema.ts'

const rows = collection({ name: 'workspace', shape: Workspace, prefix: 'wsp', kind: 'workspace', global: true })

const create = (ctx: Context, who: Caller, body: object, db: Db = ctx.db) =>
  inTransaction(db, async (tx) => {
    const workspace = await rows.create(ctx, who, body, tx)
    await ctx.workspaceCreated(tx, workspace.id)
    return workspace
  })

async function remove(ctx: Context, who: Caller, id: string, ifMatch?: string): Promise<void> {
  const home = await ctx.db
    .selectFrom('token')
    .select('id')
    .where('id', '=', who.token)
    .where('workspace_id', '=', id)
    .executeTakeFirst()
  if (home || id === who.workspace) {
    throw new Problem(
      'in_use',
      'This request uses the workspace. Delete it with an owner token of another workspace, without X-Workspace.',
    )
  }
  await rows.remove(ctx, who, id, ifMatch) // foreign keys delete everything in it
  await ctx.search.dropWorkspace(id)
  await ctx.files
    .removeAll([id])
    .catch((error) => ctx.log.warn({ error: reason(error), workspace: id }, 'files are left to the next sweep'))
}

export const workspaces = {
  kind: rows.kind,
  prefix: rows.prefix,
  table: rows.table,
  list: rows.list,
  get: rows.get,
  create,
  remove,
}

/** Serializes writers of one workspace until the transaction ends. SQLite has one writer at a time anyway. */
export async function lockWorkspace(tx: Db, id: string): Promise<void> {
  if (isPostgres(tx)) await tx.selectFrom('workspace').select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

export async function workspaceName(db: Db, id: string): Promise<string | undefined> {
  const row = await db.selectFrom('workspace').select('name').where('id', '=', id).executeTakeFirst()
  return row?.name
}

export async function oldestWorkspace(tx: Db): Promise<string | undefined> {
  const row = await tx.selectFrom('workspace').select('id').orderBy('id').limit(1).executeTakeFirst()
  return row?.id
}

/** Finds a workspace by ID or name. Of several with the name the oldest counts, so that new ones cannot take it over. */
export async function resolve({ db }: Context, idOrName: string): Promise<string | null> {
  const rows = await db
    .selectFrom('workspace')
    .select('id')
    .where((is) => is.or([is('id', '=', idOrName), is('name', '=', idOrName)]))
    .orderBy((is) => is.case().when('id', '=', idOrName).then(0).else(1).end())
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .execute()
  return rows[0]?.id ?? null
}
