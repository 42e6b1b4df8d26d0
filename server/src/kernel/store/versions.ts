import type { Kysely } from 'kysely'
import { notFound } from '../errors.ts'
import { containing, type PersonalTable, withoutUser } from '../personal-data.ts'
import type { Db } from './database.ts'
import type { Page } from './list.ts'
import type { DatedMigration } from './migrate.ts'

declare module './database.ts' {
  interface Tables {
    resource_version: {
      workspace_id: string
      resource_id: string
      version: number
      snapshot: string
      created_at: string
      created_by: string
      author_id: string | null
      author_name: string | null
    }
  }
}

export const authorsOfVersions: PersonalTable = {
  table: 'resource_version',
  person: 'created_by',
  identity: true,
  erased: {},
  counted: 'versions',
}

/** The same person where a token of theirs saved the version. It may be revoked since. */
export const namesOfAuthors: PersonalTable = {
  table: 'resource_version',
  person: 'author_id',
  erased: { emptied: ['author_name'] },
}

export interface Version {
  version: number
  created_at: string
  created_by: string
  author_id: string | null
  author_name: string | null
  snapshot: Record<string, unknown>
}

export async function createVersionTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('resource_version')
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('resource_id', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('snapshot', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('resource_version_key', ['workspace_id', 'resource_id', 'version'])
    .execute()
}

/** Tokens are revoked and people leave, so a version keeps the name of its author. */
export const versionAuthors: DatedMigration = {
  name: '2026-11-19-23-version-authors',
  async up(db) {
    for (const column of ['author_id', 'author_name'])
      await db.schema.alterTable('resource_version').addColumn(column, 'text').execute()
  },
}

export async function saveVersion(tx: Db, workspace: string, id: string, version: Version): Promise<void> {
  await tx
    .insertInto('resource_version')
    .values({ workspace_id: workspace, resource_id: id, ...version, snapshot: JSON.stringify(version.snapshot) })
    .execute()
}

const columns = ['version', 'created_at', 'created_by', 'author_id', 'author_name', 'snapshot'] as const

const versionsOfResource = (db: Db, workspace: string, id: string) =>
  db.selectFrom('resource_version').where('workspace_id', '=', workspace).where('resource_id', '=', id)

export async function listVersions(
  db: Db,
  workspace: string,
  id: string,
  { page, limit }: { page: number; limit: number },
): Promise<Page<Version>> {
  const { total } = await versionsOfResource(db, workspace, id)
    .select((is) => is.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const offset = (page - 1) * limit
  if (offset >= Number(total)) return { rows: [], total: Number(total) }
  const rows = await versionsOfResource(db, workspace, id)
    .select(columns)
    .orderBy('version', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { rows: rows.map((row) => ({ ...row, snapshot: JSON.parse(row.snapshot) })), total: Number(total) }
}

export async function getVersion(db: Db, workspace: string, id: string, version: number): Promise<Version> {
  const row = await versionsOfResource(db, workspace, id)
    .select(columns)
    .where('version', '=', version)
    .executeTakeFirst()
  return row ? { ...row, snapshot: JSON.parse(row.snapshot) } : notFound('version', String(version))
}

export async function dropVersions(tx: Db, workspace: string, id: string): Promise<void> {
  await tx.deleteFrom('resource_version').where('workspace_id', '=', workspace).where('resource_id', '=', id).execute()
}

/** Removes a user from the lists of stored versions. Returns the number of changed versions. */
export async function removeFromVersions(db: Db, workspace: string, userId: string): Promise<number> {
  const rows = await db
    .selectFrom('resource_version')
    .select(['resource_id', 'version', 'snapshot'])
    .where('workspace_id', '=', workspace)
    .where(containing('snapshot', userId))
    .execute()
  let changed = 0
  for (const { resource_id, version, snapshot } of rows) {
    const fields = JSON.parse(snapshot) as Record<string, { users?: string[] } | null>
    const lists = ['access', 'approvers'].map((name) => [name, withoutUser(fields[name], userId)] as const)
    const shorter = Object.fromEntries(lists.filter(([, list]) => list !== undefined))
    if (Object.keys(shorter).length === 0) continue
    await db
      .updateTable('resource_version')
      .set({ snapshot: JSON.stringify({ ...fields, ...shorter }) })
      .where('workspace_id', '=', workspace)
      .where('resource_id', '=', resource_id)
      .where('version', '=', version)
      .execute()
    changed++
  }
  return changed
}
