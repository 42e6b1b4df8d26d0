import { existsSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { collectMigrations, collectSealed } from '../app.ts'
import { keepAuditKey } from '../features/audit/key.ts'
import { features } from '../features/index.ts'
import { type Config, ConfigError } from '../kernel/config.ts'
import { checkKey } from '../kernel/store/key-check.ts'
import { openStore, type Store } from '../kernel/store/open-store.ts'
import { postgresMigrationOptions, postgresTypes } from '../kernel/store/postgres.ts'
import { copyFiles } from './files.ts'
import { copyRows, type Print, verifyRows } from './rows.ts'
import { openSecrets } from './secrets.ts'
import { readTables } from './tables.ts'
import { finishCopy, lockTarget, refuseUnlessEmpty, startCopy } from './target.ts'

export interface Migration {
  dataDir: string
  sourceFiles: Config['files']
  /** The key of the folder, if it is not in it. */
  sourceKey: string | null
  databaseUrl: string
  targetFiles: Config['files']
  /** The key of the cluster; null: that of the folder. */
  targetKey: string | null
  print: Print
}

/** Copies a data folder into an empty cluster. If it fails, it can be run again. */
export async function migrateData(migration: Migration): Promise<void> {
  const { dataDir, databaseUrl } = migration
  if (!existsSync(join(dataDir, 'parley.db')))
    throw new ConfigError(`There is no data of Parley in ${dataDir}. Name the data folder with --from.`)
  const source = await openStore({ databaseUrl: null, dataDir }) // fails while a process uses the folder
  try {
    const target = await openStore({ databaseUrl, dataDir })
    const client = new pg.Client({ ...postgresMigrationOptions(databaseUrl), types: postgresTypes() })
    client.on('error', () => {}) // the running statement fails with it
    try {
      await client.connect()
      await copy(migration, source, target, client)
    } finally {
      await client.end()
      await target.close()
    }
  } finally {
    await source.close()
  }
}

async function copy(migration: Migration, source: Store, target: Store, client: pg.Client): Promise<void> {
  const { dataDir, print } = migration
  await lockTarget(client)
  await refuseUnlessEmpty(client)
  await source.migrate(collectMigrations(features))
  const secrets = await openSecrets(source.db, migration)
  await target.migrate(collectMigrations(features))
  const tables = await readTables(dataDir, client, collectSealed(features))
  await startCopy(client, tables, dataDir)

  const copied = []
  for (const table of tables) copied.push(await copyRows({ dataDir, client, table, secrets, print }))
  await copyFiles(migration, print)
  print('Comparing rows')
  for (const sum of copied) await verifyRows({ client, secrets, ...sum })
  await client.query('analyze')
  await checkKey(target.db, secrets.target)
  await keepAuditKey(target.db, secrets)
  await finishCopy(target.db, tables)

  const rows = copied.reduce((total, { count }) => total + count, 0)
  print(`Copied ${rows.toLocaleString('en')} rows of ${tables.length} tables. All counts and hashes are equal.`)
  for (const line of nextSteps(migration)) print(line)
}

function nextSteps({ dataDir, sourceKey, sourceFiles, targetKey, targetFiles }: Migration): string[] {
  const keyFile = join(dataDir, 'secret-key')
  const key =
    sourceKey === null && existsSync(keyFile) ? `SECRET_KEY=$(cat ${keyFile})` : 'the SECRET_KEY of the folder'
  const files =
    targetFiles.type === 's3'
      ? `FILES_URL=s3://${targetFiles.bucket}/${targetFiles.prefix}`
      : `FILES_URL=file://${targetFiles.folder}`
  return [
    `Start the nodes with DATABASE_URL, ${files} and ${targetKey === null ? key : 'the SECRET_KEY of this command'}.`,
    ...(sourceFiles === targetFiles ? ['The files stay where they are: every node must see that folder.'] : []),
    'Search indexes are built again from the stored texts when the first node starts.',
  ]
}
