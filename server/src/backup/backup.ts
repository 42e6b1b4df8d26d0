import { existsSync } from 'node:fs'
import { chmod, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import pMap from 'p-map'
import { ConfigError } from '../kernel/config.ts'
import { timestamp } from '../kernel/time.ts'
import { type Checksum, checksum, concurrency, copyFile, syncFolder } from './copy-file.ts'
import { folderFiles, type Manifest, uploads, writeManifest } from './manifest.ts'
import {
  copyPages,
  keyIsInFolder,
  type NamedFile,
  namedFiles,
  openSnapshot,
  readSchema,
  type Snapshot,
} from './snapshot.ts'

export type Print = (line: string) => void

export interface BackupPaths {
  /** The folder of the backup. */
  folder: string
  dataDir: string
  /** The folder of uploaded files. */
  filesDir: string
  print: Print
  /** Aborts the backup and removes the partial copy. */
  signal?: AbortSignal | undefined
}

const maxSnapshots = 20
const progressInterval = 2000

/** Copies a data folder as it is at one instant, while a service may be using it. */
export async function createBackup(paths: BackupPaths): Promise<Manifest> {
  const { folder, dataDir, filesDir } = paths
  if (!existsSync(join(dataDir, 'parley.db')))
    throw new ConfigError(`There is no data of Parley in ${dataDir}. Name the data folder with --data.`)
  await checkTarget(folder, [dataDir, filesDir])
  const partial = `${folder}.partial-${process.pid}`
  await mkdir(partial, { recursive: true, mode: 0o700 })
  try {
    const manifest = await fill(partial, paths)
    await syncFolder(partial)
    await rename(partial, folder)
    await syncFolder(dirname(folder))
    return manifest
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    throw error
  }
}

async function checkTarget(folder: string, sources: string[]): Promise<void> {
  for (const source of sources) {
    const path = relative(source, folder)
    if (path === '' || !/^\.\.(\/|$)/.test(path))
      throw new ConfigError(`${folder} is inside of ${source}, which is backed up. Name a folder elsewhere.`)
  }
  const existing = await lstat(folder).catch(() => null)
  if (!existing) return
  const isEmpty = existing.isDirectory() && (await readdir(folder)).length === 0
  if (!isEmpty) throw new ConfigError(`${folder} exists already. Name a new folder for each backup.`)
  if (existing.dev !== (await lstat(dirname(resolve(folder)))).dev)
    throw new ConfigError(`${folder} is a mount point. Name a new folder inside of it.`)
}

async function fill(partial: string, { dataDir, filesDir, print, signal }: BackupPaths): Promise<Manifest> {
  const copier = fileCopier(filesDir, join(partial, uploads), print, signal)
  // Most files are copied before the snapshot that counts: while one is open, the WAL grows.
  const early = openSnapshot(dataDir)
  const first = namedFiles(early)
  early.close()
  await copier.copy(first)
  const { snapshot, missing } = await snapshotWithFiles(dataDir, copier)
  try {
    const named = namedFiles(snapshot)
    const sums = await copier.keepOnly(named)
    await copyPages(snapshot.main, join(partial, 'parley.db'), signal)
    if (snapshot.search) await copyPages(snapshot.search, join(partial, 'search.db'), signal)
    for (const name of ['secret-key', 'owner-token'])
      if (existsSync(join(dataDir, name))) await copyFile(join(dataDir, name), join(partial, name))
    const files = []
    for (const name of folderFiles) {
      const path = join(partial, name)
      if (!existsSync(path)) continue
      await chmod(path, 0o600)
      files.push({ path: name, ...(await checksum(path)) })
    }
    for (const path of [...sums.keys()].sort())
      files.push({ path: `${uploads}/${path}`, ...(sums.get(path) as Checksum) })
    const manifest: Manifest = {
      format: 1,
      created_at: timestamp(Date.now()),
      ...readSchema(snapshot),
      key_included: keyIsInFolder(snapshot, dataDir),
      missing: missing.sort(),
      files,
    }
    await writeManifest(partial, manifest)
    warnOfDamage(named, sums, print)
    return manifest
  } finally {
    snapshot.close()
  }
}

/**
 * A file is stored before the row that names it and removed after it. So all files of a snapshot exist when it is taken,
 * but one can be removed before it is copied: then its row is gone in the next snapshot. If the next one still
 * names it, the file was lost before.
 */
async function snapshotWithFiles(
  dataDir: string,
  copier: FileCopier,
): Promise<{ snapshot: Snapshot; missing: string[] }> {
  let before: string[] = []
  for (let attempt = 1; ; attempt++) {
    const snapshot = openSnapshot(dataDir)
    try {
      const missing = await copier.copy(namedFiles(snapshot))
      if (missing.every((path) => before.includes(path))) return { snapshot, missing }
      if (attempt === maxSnapshots)
        throw new Error('Files are deleted faster than they can be copied. Try again when there is less traffic.')
      before = missing
    } catch (error) {
      snapshot.close()
      throw error
    }
    snapshot.close()
  }
}

interface FileCopier {
  /** Copies files that are not copied yet. Returns the paths of missing ones. */
  copy(files: readonly NamedFile[]): Promise<string[]>
  /** Deletes copies of other files. Returns the checksums of the remaining ones. */
  keepOnly(files: readonly NamedFile[]): Promise<Map<string, Checksum>>
}

function fileCopier(source: string, target: string, print: Print, signal?: AbortSignal): FileCopier {
  const copied = new Map<string, Checksum>()
  let printedAt = Date.now()
  return {
    async copy(files) {
      const missing: string[] = []
      const todo = files.filter(({ path }) => !copied.has(path))
      let done = 0
      const copyGroup = async (group: NamedFile[]) => {
        for (const { path, optional } of group) {
          signal?.throwIfAborted()
          const sum = await copyFile(join(source, path), join(target, path)).catch(unlessAbsent)
          if (sum) copied.set(path, sum)
          else if (!optional) missing.push(path)
          done++
        }
        if (Date.now() - printedAt < progressInterval) return
        printedAt = Date.now()
        print(`files: ${done.toLocaleString('en')} of ${todo.length.toLocaleString('en')}`)
      }
      await pMap(byAttachment(todo), copyGroup, { concurrency })
      return missing
    },
    async keepOnly(files) {
      const named = new Set(files.map(({ path }) => path))
      for (const path of copied.keys()) {
        if (named.has(path)) continue
        await rm(join(target, path), { force: true })
        copied.delete(path)
      }
      return copied
    },
  }
}

/** Groups each attachment with its text, which is copied first. */
function* byAttachment(files: readonly NamedFile[]): Generator<NamedFile[]> {
  let group: NamedFile[] = []
  for (const file of files) {
    group.push(file)
    if (file.optional) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}

function unlessAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
  throw error
}

function warnOfDamage(named: readonly NamedFile[], sums: ReadonlyMap<string, Checksum>, print: Print): void {
  for (const { path, sha256 } of named) {
    const sum = sums.get(path)
    if (sum && sha256 !== null && sum.sha256 !== sha256)
      print(
        `Warning: the file ${path} is not what was uploaded: the disk has damaged it. It is in the backup as it is.`,
      )
  }
}
