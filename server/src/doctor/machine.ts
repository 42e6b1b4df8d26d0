import { constants } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, ConfigError, readConfig } from '../kernel/config.ts'
import { reason } from '../kernel/errors.ts'
import { type Check, fail, ok, warn } from './check.ts'
import { inspectDatabase } from './database.ts'
import { inspectRedis } from './redis.ts'

const gigabyte = 1_000_000_000

/** Checks that the machine can run a service with this environment. Changes nothing. */
export async function inspectMachine(environment: Record<string, string | undefined>): Promise<Check[]> {
  const node = ok('Node', process.version)
  let config: Config
  try {
    config = readConfig(environment)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [
      node,
      fail('Settings', error.message, 'Correct the environment variable. docs/operations.md lists all of them.'),
    ]
  }
  const [folder, database, redis, roots] = await Promise.all([
    inspectFolder(config),
    inspectDatabase(config),
    config.redisUrl === null ? [] : inspectRedis(config.redisUrl),
    Promise.all(config.directoryRoots.map(inspectRoot)),
  ])
  return [node, ok('Settings', 'valid'), ...folder, ...database, ...redis, ...inspectEgress(config), ...roots]
}

async function inspectFolder({ dataDir }: Config): Promise<Check[]> {
  const stats = await stat(dataDir).catch(() => null)
  if (stats === null) return [ok('Data folder', `${dataDir} does not exist yet; the first start creates it`)]
  if (!stats.isDirectory()) return [fail('Data folder', `${dataDir} is not a folder`, 'Set DATA_DIR to a folder.')]
  return [await folderAccess(dataDir), ...(await openSecrets(dataDir)), await freeSpace(dataDir)]
}

async function folderAccess(dataDir: string): Promise<Check> {
  try {
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    return ok('Data folder', dataDir)
  } catch (error) {
    const hint = 'Give it to the user that runs the service (chown), or set DATA_DIR to another.'
    return fail('Data folder', `${dataDir} cannot be written (${reason(error)})`, hint)
  }
}

/** Files with keys that other users of the machine may read. */
async function openSecrets(dataDir: string): Promise<Check[]> {
  const names = ['secret-key', 'owner-token', 'parley.db']
  const modes = await Promise.all(names.map((name) => stat(join(dataDir, name)).catch(() => null)))
  const open = names.filter((_, index) => ((modes[index]?.mode ?? 0) & 0o077) !== 0)
  if (open.length === 0) return []
  const files = open.map((name) => join(dataDir, name)).join(' ')
  return [warn('Permissions', `other users of this machine may read ${open.join(', ')}`, `Run: chmod 600 ${files}`)]
}

async function freeSpace(dataDir: string): Promise<Check> {
  const { bavail, bsize } = await statfs(dataDir)
  const bytes = bavail * bsize
  const message = `${(bytes / gigabyte).toFixed(1)} GB free`
  const hint = 'Free space on the disk of the data folder, or move the folder. A full disk stops all writes.'
  if (bytes < gigabyte / 10) return fail('Disk', message, hint)
  return bytes < gigabyte ? warn('Disk', message, hint) : ok('Disk', message)
}

function inspectEgress({ egressAllow }: Config): Check[] {
  const name = 'Egress'
  if (egressAllow.length === 0) return [ok(name, 'tools and sources reach public addresses only')]
  const risky = egressAllow.filter((entry) => /\/0$/.test(entry) || /^169\.254\.|^\[?fe80:/.test(entry))
  const message = `tools and sources also reach ${egressAllow.join(', ')}`
  if (risky.length === 0) return [ok(name, message)]
  const hint = `Remove ${risky.join(', ')} from EGRESS_ALLOW and name single hosts: it opens the metadata service of the cloud.`
  return [warn(name, message, hint)]
}

async function inspectRoot(root: string): Promise<Check> {
  try {
    await access(root, constants.R_OK | constants.X_OK)
    return ok('Directory root', root)
  } catch (error) {
    return warn(
      'Directory root',
      `${root} cannot be read (${reason(error)})`,
      'Correct DIRECTORY_ROOTS, or mount the folder.',
    )
  }
}
