import type { Db } from '../store/database.ts'
import type { DatedMigration } from '../store/migrate.ts'
import { type Secrets, wrongKey } from './secrets.ts'

declare module '../store/database.ts' {
  interface Tables {
    key_check: { id: string; sealed: string }
  }
}

export const keyCheckMigration: DatedMigration = {
  name: '2026-11-15-00-key-check',
  async up(db) {
    await db.schema
      .createTable('key_check')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('sealed', 'text', (column) => column.notNull())
      .execute()
  },
}

const place = 'key_check'

/** Refuses a key that cannot open what this database holds, before anything is written with it. */
export async function checkKey(db: Db, secrets: Secrets): Promise<void> {
  await db
    .insertInto('key_check')
    .values({ id: place, sealed: secrets.seal(place, place) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  const row = await db.selectFrom('key_check').select('sealed').where('id', '=', place).executeTakeFirstOrThrow()
  try {
    secrets.open(row.sealed, place)
  } catch {
    wrongKey()
  }
}
