import { existsSync } from 'node:fs'
import { lstat, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import pMap from 'p-map'
import { collectMigrations } from '../app.ts'
import { features } from '../features/index.ts'
import { ConfigError } from '../kernel/config.ts'
import { prepareFolder } from '../kernel/data-folder.ts'
import { lockFolder, unfinishedRestore } from '../kernel/store/open-store.ts'
import { isOlder, thisRelease } from '../kernel/store/release.ts'
import type { BackupPaths } from './backup.ts'
import { checksum, concurrency, copyFile, syncFolder } from './copy-file.ts'
import { type Manifest, readManifest, uploads } from './manifest.ts'

type BackedUpFile = Manifest['files'][number]

/** Throws if a backup is damaged, or of a newer version. */
export async function checkBackup({ folder, print }: Pick<BackupPaths, 'folder' | 'print'>): Promise<Manifest> {
  const manifest = await readManifest(folder)
  checkVersion(manifest)
  print(`Checking ${manifest.files.length.toLocaleString('en')} files`)
  await verify(folder, manifest)
  return manifest
}

/** Copies a backup into an empty data folder. Everything is checked before anything is written. */
export async function restoreBackup({ folder, dataDir, filesDir, print }: BackupPaths): Promise<Manifest> {
  const roots = [dataDir, ...(filesDir.startsWith(dataDir + sep) ? [] : [filesDir])]
  for (const root of roots) await refuseUnlessEmpty(root)
  const manifest = await checkBackup({ folder, print })

  prepareFolder(dataDir)
  const lock = lockFolder(dataDir) // fails while a process uses the folder
  try {
    // A service does not start while this file exists. If the restore is interrupted, it can be run again.
    for (const root of roots) {
      await clear(root)
      await mkdir(root, { recursive: true, mode: 0o700 })
      await writeFile(join(root, unfinishedRestore), '', { mode: 0o600, flush: true })
      await syncFolder(root)
    }
    const folders = new Set(roots)
    const restoreFile = async ({ path, sha256 }: BackedUpFile) => {
      const target = restoredPath(path, dataDir, filesDir)
      const copied = await copyFile(join(folder, path), target)
      if (copied.sha256 !== sha256) throw damagedFile(path, 'it changed while it was copied')
      folders.add(dirname(target))
    }
    await pMap(manifest.files, restoreFile, { concurrency })
    for (const each of folders) await syncFolder(each)
    for (const root of roots.toReversed()) {
      await rm(join(root, unfinishedRestore))
      await syncFolder(root)
    }
  } finally {
    lock.close()
  }
  return manifest
}

const restoredPath = (path: string, dataDir: string, filesDir: string): string =>
  path.startsWith(`${uploads}/`) ? join(filesDir, path.slice(uploads.length + 1)) : join(dataDir, path)

function checkVersion({ version, migrations }: Manifest): void {
  const known = new Set<string>(collectMigrations(features).map(({ name }) => name))
  const unknown = migrations.find((name) => !known.has(name))
  if (!isOlder(thisRelease.version, version) && unknown === undefined) return
  throw new ConfigError(
    `The backup is of Parley ${version}${unknown === undefined ? '' : ` with the migration ${unknown}`}, which is newer than this version, ${thisRelease.version}. Restore it with that version or a newer one.`,
  )
}

/** Names that do not count as content of a folder: the lock of the process, and a folder that file systems create. */
const ignored = new Set(['parley.lock', 'parley.lock-journal', 'lost+found'])

async function refuseUnlessEmpty(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [] as string[]
    throw new ConfigError(`${folder} cannot be read: ${error.message}`)
  })
  if (names.includes('parley.db') && names.includes('parley.lock')) lockFolder(folder).close() // says if it is in use
  if (names.includes(unfinishedRestore) || names.every((name) => ignored.has(name))) return
  throw new ConfigError(
    `The folder ${folder} is not empty. Restore into a new folder (--data), or move this one away first.`,
  )
}

/** Deletes the files of an interrupted restore. The folder was empty before it. */
async function clear(folder: string): Promise<void> {
  if (!existsSync(join(folder, unfinishedRestore))) return
  for (const name of await readdir(folder))
    if (name !== unfinishedRestore && !ignored.has(name)) await rm(join(folder, name), { recursive: true })
}

async function verify(folder: string, { files }: Manifest): Promise<void> {
  const check = async ({ path, size, sha256 }: BackedUpFile) => {
    const file = join(folder, path)
    const stats = await lstat(file).catch(() => null)
    if (!stats?.isFile()) throw damagedFile(path, 'it is missing')
    if (stats.size !== size) throw damagedFile(path, `it has ${stats.size} bytes instead of ${size}`)
    if ((await checksum(file)).sha256 !== sha256) throw damagedFile(path, 'its content has changed')
  }
  await pMap(files, check, { concurrency })
}

const damagedFile = (path: string, problem: string): ConfigError =>
  new ConfigError(`The backup is damaged: ${path}: ${problem}. Use another backup.`)
