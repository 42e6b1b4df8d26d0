import { type Kysely, sql } from 'kysely'
import { expect, it } from 'vitest'
import { testConfig } from '../../../test/config.ts'
import { freshEnvironment } from '../../../test/harness.ts'
import { openStore } from '../../kernel/store/open-store.ts'
import { tableNamesMigration } from './migrations.ts'

it('tables that had the same name in SQL get names of their own, and no other table can take one', async () => {
  const { db, close } = await openStore(testConfig({ ...(await freshEnvironment()), ADMIN_TOKEN: 't' }))
  const insert = (id: string, workspace: string, name: string) =>
    sql`insert into knowledge_table (id, workspace_id, sql_name) values (${id}, ${workspace}, ${name})`.execute(db)
  for (const table of ['knowledge_table_text', 'knowledge_table']) await db.schema.dropTable(table).execute()
  await sql`create table knowledge_table (id text primary key, workspace_id text, sql_name text)`.execute(db)
  await sql`create index knowledge_table_name on knowledge_table (workspace_id, sql_name)`.execute(db)
  for (const id of ['a', 'b', 'c']) await insert(`tbl_${id}`, 'one', 'sheet1_x')
  await insert('tbl_d', 'two', 'sheet1_x')
  await tableNamesMigration.up(db as unknown as Kysely<unknown>)
  const { rows } = await sql<{ sql_name: string }>`select sql_name from knowledge_table order by id`.execute(db)
  expect(rows.map((row) => row.sql_name)).toEqual(['sheet1_x', 'sheet1_x_b', 'sheet1_x_c', 'sheet1_x'])
  await expect(insert('tbl_e', 'two', 'sheet1_x')).rejects.toThrow(/unique/i)
  await close()
})
