import type { Kysely } from 'kysely'
import { type Db, isPostgres } from './database.ts'

declare module './database.ts' {
  interface Tables {
    workspace: {
      id: string
      name: string
      description: string | null
      revision: number
      created_at: string
      updated_at: string
    }
  }
}

export async function createWorkspaceTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('workspace')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text')
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('workspace_name').on('workspace').column('name').execute()
}

/** SQL for triggers: whether the workspace of a row has not been deleted. */
export const workspaceExists = (id: string): string => `exists (select 1 from workspace where id = ${id})`

/** Serializes writers of one workspace until the transaction ends. SQLite has one writer at a time anyway. */
export async function lockWorkspace(tx: Db, id: string): Promise<void> {
  if (isPostgres(tx)) await tx.selectFrom('workspace').select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

export async function workspaceName(db: Db, id: string): Promise<string | undefined> {
  const row = await db.selectFrom('workspace').select('name').where('id', '=', id).executeTakeFirst()
  return row?.name
}

export async function workspaceCreatedAt(db: Db, id: string): Promise<string> {
  const query = db.selectFrom('workspace').select('created_at').where('id', '=', id)
  return (await query.executeTakeFirstOrThrow()).created_at
}

export async function workspaceIds(db: Db): Promise<string[]> {
  return (await db.selectFrom('workspace').select('id').execute()).map(({ id }) => id)
}

export async function oldestWorkspace(tx: Db): Promise<string | undefined> {
  const row = await tx.selectFrom('workspace').select('id').orderBy('id').limit(1).executeTakeFirst()
  return row?.id
}

/** Finds a workspace by ID or name. If several have the name, the oldest is returned, so that a new one cannot take it over. */
export async function findWorkspace(db: Db, idOrName: string): Promise<string | null> {
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
