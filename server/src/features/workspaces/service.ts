import type { Caller, Context } from '../../kernel/context.ts'
import { Problem, reason } from '../../kernel/errors.ts'
import { collection } from '../../kernel/store/collection.ts'
import { type Db, inTransaction } from '../../kernel/store/database.ts'
import { Workspace } from './schema.ts'

const rows = collection({ name: 'workspace', shape: Workspace, prefix: 'wsp', kind: 'workspace', global: true })

const create = (ctx: Context, who: Caller, body: object, db: Db = ctx.db) =>
  inTransaction(db, async (tx) => {
    const workspace = await rows.create(ctx, who, body, tx)
    await ctx.workspaceCreated(tx, workspace.id)
    return workspace
  })

async function remove(ctx: Context, who: Caller, id: string, ifMatch?: string): Promise<void> {
  const home = await ctx.resources.get('tok')?.table.find(ctx.db, id, who.token)
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
