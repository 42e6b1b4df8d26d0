import { resolve } from 'node:path'
import { ConfigError, readConfig } from '../kernel/config.ts'
import type { BackupPaths, Print } from './backup.ts'
import type { Manifest } from './manifest.ts'

type Environment = Record<string, string | undefined>

interface BackupArguments {
  /** The folder of the backup. */
  folder: string
  data?: string | undefined
  signal?: AbortSignal | undefined
  /** Only checks a backup. */
  check?: boolean | undefined
}

/** `parley backup` */
export async function backup(options: BackupArguments, environment: Environment, print: Print): Promise<void> {
  const paths = { ...backupPaths('backup', options, environment, print), signal: options.signal }
  const { createBackup } = await import('./backup.ts')
  const manifest = await createBackup(paths).catch(explain(paths.folder))
  const { folder, dataDir } = paths
  if (manifest.missing.length > 0)
    print(`Warning: the database names files that are missing in the data folder: ${manifest.missing.join(', ')}`)
  print(`Backed up ${dataDir} to ${folder}: ${summary(manifest)}.`)
  print(
    manifest.key_included
      ? 'It contains the key that decrypts its secrets, so keep it as safe as the service itself.'
      : 'The key of its secrets is not in the data folder: keep the SECRET_KEY of the service, without which the backup cannot be used.',
  )
  print(`Restore it with: parley restore ${folder} --data DIR`)
}

/** `parley restore` */
export async function restore(options: BackupArguments, environment: Environment, print: Print): Promise<void> {
  const paths = backupPaths('restore', options, environment, print)
  const { checkBackup, restoreBackup } = await import('./restore.ts')
  if (options.check) {
    const manifest = await checkBackup(paths)
    return print(`The backup of ${manifest.created_at} is complete: ${summary(manifest)}.`)
  }
  const manifest = await restoreBackup(paths).catch(explain(paths.dataDir))
  print(`Restored the backup of ${manifest.created_at} into ${paths.dataDir}: ${summary(manifest)}.`)
  const key = manifest.key_included ? '' : ' and the SECRET_KEY of the service that was backed up'
  print(`Start the service with DATA_DIR=${paths.dataDir}${key}.`)
}

function backupPaths(
  command: string,
  { folder, data }: BackupArguments,
  environment: Environment,
  print: Print,
): BackupPaths {
  const { databaseUrl, files, dataDir } = readConfig({
    ...environment,
    DATA_DIR: data ?? environment.DATA_DIR,
    ROLE: 'all',
  })
  if (databaseUrl !== null)
    throw new ConfigError(
      `DATABASE_URL is set, and "${command}" is for data folders with SQLite. For Postgres use pg_dump and pg_restore, copy the files of FILES_URL after the dump, and keep SECRET_KEY.`,
    )
  if (files.type === 's3')
    throw new ConfigError(
      `FILES_URL is a bucket, and "${command}" copies files from folder to folder. Copy the database with sqlite3 (.backup) and the bucket with the tools of its provider, or turn on its versioning.`,
    )
  return { folder: resolve(folder), dataDir, filesDir: files.folder, print }
}

function summary({ files }: Manifest): string {
  const bytes = files.reduce((total, { size }) => total + size, 0)
  const uploaded = files.filter(({ path }) => path.startsWith('files/')).length
  return `${uploaded.toLocaleString('en')} uploaded files, ${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB in all`
}

const problems: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exceeded',
  SQLITE_FULL: 'the disk is full',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
}

const explain =
  (folder: string) =>
  (error: NodeJS.ErrnoException): never => {
    if (error.name === 'AbortError') throw new ConfigError('Interrupted. Nothing is left of the backup.')
    const problem = problems[error.code ?? '']
    throw problem === undefined
      ? error
      : new ConfigError(`${folder} could not be written: ${problem} (${error.message}).`)
  }
