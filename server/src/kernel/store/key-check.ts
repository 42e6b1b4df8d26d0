import type { Kysely } from 'kysely'
import { type Secrets, wrongKey } from '../secrets/secrets.ts'
import type { Db } from './database.ts'

declare module './database.ts' {
  interface Tables {
    key_check: { id: string; sealed: string }
  }
}

export async function createKeyCheckTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('key_check')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('sealed', 'text', (column) => column.notNull())
    .execute()
}

const context = 'key_check'

/** Fails if the key cannot decrypt this database, before anything is written with it. */
export async function checkKey(db: Db, secrets: Secrets): Promise<void> {
  await db
    .insertInto('key_check')
    .values({ id: context, sealed: secrets.seal(context, context) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  if (!(await opensWith(db, secrets))) wrongKey()
}

/** Whether the key decrypts this database. */
export async function opensWith(db: Db, secrets: Secrets): Promise<boolean> {
  const row = await db.selectFrom('key_check').select('sealed').where('id', '=', context).executeTakeFirst()
  try {
    if (row) secrets.open(row.sealed, context)
    return true
  } catch {
    return false
  }
}
