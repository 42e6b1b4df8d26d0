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
  variables: Environment,
  print: (line: string) => void,
): Promise<void> {
  if (to === undefined) throw new ConfigError('Name the database of the cluster: migrate --to postgres://…')
  const environment = { ...variables, DATA_DIR: from ?? variables.DATA_DIR, ROLE: 'all' }
  const source = readConfig({ ...environment, DATABASE_URL: undefined, FILES_URL: fromFiles })
  const target = readConfig({ ...environment, DATABASE_URL: to })
  const { migrateData } = await import('./migrate.ts')
  await migrateData({
    dataDir: source.dataDir,
    sourceFiles: source.files,
    sourceKey: variables.FROM_SECRET_KEY?.trim() || null,
    databaseUrl: to,
    targetFiles: variables.FILES_URL?.trim() ? target.files : source.files,
    targetKey: target.secretKey,
    print,
  })
}
