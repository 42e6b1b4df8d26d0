import { parseArgs } from 'node:util'
import { ConfigError, readConfig } from '../kernel/config.ts'

const help = `Copies a data folder into an empty cluster: rows, files, and secrets under the cluster's key.

  npm run parley -- migrate --to postgres://user:password@host/database

  --to URL          the empty database of the cluster
  --from FOLDER     the data folder; default: DATA_DIR, or ./data
  --from-files URL  where its files are, if its process had FILES_URL: file:///… or s3://…
  --help

Set FILES_URL (with AWS_… for s3://) and SECRET_KEY as for the nodes of the cluster. Without FILES_URL the files stay where
they are; without SECRET_KEY the secrets stay under the key of the folder. If the process of the folder had a SECRET_KEY of
its own, set FROM_SECRET_KEY to it.

Stop the process that uses the folder first. The folder stays as it is, but its schema is upgraded to this version. If the
copy fails, run the same command again: it starts over. At the end, rows and files are compared by number and hash.
`

type Environment = Record<string, string | undefined>

function readArguments(args: string[]) {
  const options = {
    to: { type: 'string' },
    from: { type: 'string' },
    'from-files': { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    throw new ConfigError(`${(error as Error).message}\nRun "npm run parley -- migrate --help" for all options.`)
  }
}

/** `parley migrate` */
export async function migrate(args: string[], given: Environment, print: (line: string) => void): Promise<void> {
  const { to, from = given.DATA_DIR, help: isHelp, 'from-files': fromFiles } = readArguments(args)
  if (isHelp) return print(help)
  if (to === undefined) throw new ConfigError('Name the database of the cluster: migrate --to postgres://…')
  const environment = { ...given, DATA_DIR: from, ROLE: 'all' }
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
