import { readFileSync } from 'node:fs'
import type { Kysely } from 'kysely'
import type { Db } from './database.ts'

export interface Release {
  version: string
  /** The release before it, whose nodes keep running during an upgrade: the oldest one that can use the schema. */
  previous: string
}

interface SchemaReleaseRow {
  id: number
  version: string
  oldest_version: string
}

declare module './database.ts' {
  interface Tables {
    /** One row: the newest release that has started on this database. */
    schema_release: SchemaReleaseRow
  }
}

const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
export const thisRelease: Release = { version: manifest.version, previous: manifest.previousRelease }

export async function createReleaseTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('schema_release')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('version', 'text', (column) => column.notNull())
    .addColumn('oldest_version', 'text', (column) => column.notNull())
    .execute()
}

/** Stores which releases can use the schema of this one. */
export async function stampRelease(db: Db, { version, previous }: Release): Promise<void> {
  const stamped = await readStamp(db)
  if (stamped?.version === version && stamped.oldest_version === previous) return
  const row = { version, oldest_version: previous }
  await db
    .insertInto('schema_release')
    .values({ id: 1, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}

export const readStamp = (db: Db): Promise<SchemaReleaseRow | undefined> =>
  db.selectFrom('schema_release').selectAll().executeTakeFirst()

export const isOlder = (version: string, than: string): boolean =>
  version.localeCompare(than, 'en', { numeric: true }) < 0
