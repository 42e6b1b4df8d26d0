import type { Kysely } from 'kysely'
import { ConfigError } from '../config.ts'
import type { Db } from './database.ts'

/** The copy of a data folder into this database; there is at most one. */
interface DataCopyRow {
  id: 'copy'
  source: string
  started_at: string
  /** Null while the copy is not complete. */
  finished_at: string | null
}

declare module './database.ts' {
  interface Tables {
    data_copy: DataCopyRow
  }
}

export async function createDataCopyTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('data_copy')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('started_at', 'text', (column) => column.notNull())
    .addColumn('finished_at', 'text')
    .execute()
}

/** Fails if the copy of a data folder into this database is not complete. */
export async function checkDataCopy(db: Db): Promise<void> {
  const unfinished = await db
    .selectFrom('data_copy')
    .select('source')
    .where('finished_at', 'is', null)
    .executeTakeFirst()
  if (unfinished) {
    throw new ConfigError(
      `The copy of the data folder ${unfinished.source} into this database is not complete. Run the migration again (npx parley migrate --help).`,
    )
  }
}
