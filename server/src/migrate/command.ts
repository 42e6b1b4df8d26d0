import { ConfigError, readConfig } from '../kernel/config.ts'

type Environment = Record<string, string | undefined>

interface Migration {
  /** The database of the cluster. */
  to: string | undefined
  /** The data folder. */
  from?: string | undefined
  /** Where the files of the folder are, if not in it. */
  fromFiles?: string | undefined
}

/** `parley migrate` */
export async function migrate(
  { to, from, fromFiles }: Migration,
  given: Environment,
  print: (line: string) => void,
): Promise<void> {
  if (to === undefined) throw new ConfigError('Name the database of the cluster: migrate --to postgres://…')
  const environment = { ...given, DATA_DIR: from ?? given.DATA_DIR, ROLE: 'all' }
  const source = readConfig({ ...environment, DATABASE_URL: undefined, FILES_URL: fromFiles })
  const target = readConfig({ ...environment, DATABASE_URL: to })
  const { migrateData } = await import('./migrate.ts')
  await migrateData({
    dataDir: source.dataDir,
    sourceFiles: source.files,
    sourceKey: given.FROM_SECRET_KEY?.trim() || null,
    databaseUrl: to,
    targetFiles: given.FILES_URL?.trim() ? target.files : source.files,
    targetKey: target.secretKey,
    print,
  })
}
