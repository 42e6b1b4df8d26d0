import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testConfig } from '../../../test/config.ts'
import { freshEnvironment, onPostgres, startOn } from '../../../test/harness.ts'
import type { Feature } from '../feature.ts'
import type { DatedMigration } from './migrate.ts'
import { openStore } from './open-store.ts'

type Environment = Record<string, string>

/** The schema, the migrations that were applied, and the agents. */
async function readContent(environment: Environment): Promise<unknown[]> {
  const { db, close } = await openStore(testConfig(environment))
  const schema = onPostgres
    ? sql`select table_name, column_name, data_type, is_nullable, column_default, null as definition
        from information_schema.columns where table_schema = 'public'
        union all select tablename, indexname, null, null, null, indexdef from pg_indexes where schemaname = 'public'
        union all select tgrelid::regclass::text, tgname, null, null, null, pg_get_triggerdef(oid) from pg_trigger
        order by 1, 2, 6`
    : sql`select * from sqlite_master order by type, name`
  const queries = [schema, sql`select name from kysely_migration order by name`, sql`select * from agent`]
  const content = []
  for (const query of queries) content.push((await query.execute(db)).rows)
  await close()
  return content
}

const withMigrations = (...migrations: DatedMigration[]): { features: Feature[] } => ({
  features: [{ name: 'scratch', migrations }],
})

const complete: DatedMigration = {
  name: '2999-01-01-complete',
  up: (db) => db.schema.alterTable('agent').addColumn('colour', 'text').execute(),
}

it('a migration that fails half way leaves the database as it was, and the start says which one failed', async () => {
  const environment = { ...(await freshEnvironment()), ADMIN_TOKEN: 't' }
  const service = await startOn(environment)
  const { id } = (await service.post('/agents', { name: 'Ada' })).body.data
  await service.close()
  const before = await readContent(environment)

  const failing: DatedMigration = {
    name: '2999-01-02-failing',
    async up(db) {
      await db.schema.createTable('scratch').addColumn('id', 'text').execute()
      await sql`update agent set name = 'Changed', colour = 'red'`.execute(db)
      await db.schema.dropIndex('agent_list').execute()
      await db.schema.alterTable('agent').dropColumn('temperature').execute()
      throw new Error('no space left')
    },
  }
  await expect(startOn(environment, withMigrations(complete, failing))).rejects.toThrow(
    'The database could not be migrated, and was not changed: 2999-01-02-failing failed (no space left).',
  )
  expect(await readContent(environment)).toEqual(before)

  const again = await startOn(environment)
  expect((await again.get(`/agents/${id}`)).body.data).toMatchObject({ name: 'Ada', temperature: null })
  await again.close()
  const mended = await startOn(environment, withMigrations(complete, { ...failing, up: async () => {} }))
  expect((await mended.get(`/agents/${id}`)).status).toBe(200)
})
