import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import pMap from 'p-map'
import { rootFolder } from '../features/conversations/files/store.ts'
import type { Config } from '../kernel/config.ts'
import type { FilePath, Files } from '../kernel/files/files.ts'
import { openFiles } from '../kernel/files/open-files.ts'
import { createLog } from '../kernel/log.ts'
import type { Print } from './rows.ts'

interface FileStores {
  dataDir: string
  sourceFiles: Config['files']
  targetFiles: Config['files']
}

const concurrency = 4
const progressInterval = 2000

/** Copies the files and compares their hashes. Files that an earlier attempt has copied are only compared. */
export async function copyFiles({ dataDir, sourceFiles, targetFiles }: FileStores, print: Print): Promise<void> {
  if (isDeepStrictEqual(sourceFiles, targetFiles)) return
  const { log } = createLog('warn')
  const source = await openFiles({ files: sourceFiles, dataDir }, log, Date.now)
  const target = await openFiles({ files: targetFiles, dataDir }, log, Date.now)
  try {
    const existing = new Set<string>()
    for await (const path of listAll(target)) existing.add(path.join('/'))
    const paths: FilePath[] = []
    for await (const path of listAll(source)) paths.push(path)
    let done = 0
    let printedAt = Date.now()
    const copy = async (path: FilePath) => {
      await copyFile(source, target, path, existing.has(path.join('/')))
      done++
      if (Date.now() - printedAt < progressInterval) return
      printedAt = Date.now()
      print(`files: ${done.toLocaleString('en')} of ${paths.length.toLocaleString('en')}`)
    }
    await pMap(paths, copy, { concurrency })
    print(`files: ${paths.length.toLocaleString('en')}`)
  } finally {
    source.close()
    target.close()
  }
}

/** Documents of knowledge sources and attachments. A folder or bucket may hold files of others. */
async function* listAll(files: Files): AsyncGenerator<FilePath> {
  for (const start of ['wsp_', rootFolder]) for await (const { path } of files.list([], start)) yield path
}

async function copyFile(source: Files, target: Files, path: FilePath, exists: boolean): Promise<void> {
  const file = await target.receive(await source.read(path), Number.POSITIVE_INFINITY)
  try {
    if (exists && (await fileHash(target, path)) === file.sha256) return
    await target.keep(file, path)
  } finally {
    await target.discard(file)
  }
  if ((await fileHash(target, path)) !== file.sha256)
    throw new Error(`The file ${path.join('/')} differs from the one in the data folder after it was copied.`)
}

async function fileHash(files: Files, path: FilePath): Promise<string> {
  const digest = createHash('sha256')
  for await (const part of await files.read(path)) digest.update(part)
  return digest.digest('hex')
}
