import { constants } from 'node:fs'
import { lstat, open, opendir, realpath } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { FileTooLarge } from '../../../kernel/files/files.ts'
import { findDirectory, isInside } from '../configuration.ts'
import { acceptedTypes, accepts, maxFileSize, mayAcceptInFolder } from '../file-types.ts'
import { readingOptions } from '../reading.ts'
import {
  type Content,
  type Item,
  type KnownDocument,
  type Reader,
  type ReadRequest,
  type ReadResult,
  SyncError,
  Unreadable,
  unchanged,
} from './reader.ts'

/** Reads a folder of the server. Symbolic links and hidden files are skipped. */
export const readDirectory: Reader = async function* (request) {
  const { ctx, source, signal } = request
  const { path = '' } = source.configuration
  const top = await findDirectory(ctx.config.directoryRoots, path)
  if (top === null)
    throw new SyncError(`The folder ${path} does not exist or is not allowed by the operator (DIRECTORY_ROOTS).`)
  const result: ReadResult = { incomplete: false }
  for await (const file of filesBelow(top, result, signal)) {
    if (mayAcceptInFolder(source.configuration, file)) yield await itemFor(request, top, file)
  }
  return result
}

async function* filesBelow(folder: string, result: ReadResult, signal: AbortSignal): AsyncGenerator<string> {
  signal.throwIfAborted()
  const entries = await opendir(folder).catch(() => null)
  if (entries === null) {
    result.incomplete = true
    return
  }
  for await (const entry of entries) {
    if (entry.name.startsWith('.')) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesBelow(path, result, signal)
    else if (entry.isFile()) yield path
  }
}

async function itemFor(request: ReadRequest, top: string, path: string): Promise<Item> {
  const name = relative(top, path).split(sep).join('/').toWellFormed()
  const known = request.known.get(name)
  const stats = await lstat(path, { bigint: true }).catch(() => null)
  const stamp = stats && [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ')
  return {
    key: name,
    name,
    metadata: {},
    stamp,
    open: async () =>
      known && isUnchanged(known, stamp)
        ? unchanged({ sha256: known.sha256 ?? '', size: Number(known.size) })
        : copy(request, top, path, name),
  }
}

const isUnchanged = (known: KnownDocument, stamp: string | null): boolean =>
  stamp !== null && known.stamp === stamp && known.version !== null && known.indexed_version === known.version

/** Copies the file before it is parsed, as it may change or become a symbolic link meanwhile. */
async function copy(
  { ctx, workspace, source }: ReadRequest,
  top: string,
  path: string,
  name: string,
): Promise<Content> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch((error) => {
    throw new Unreadable(`The file could not be opened (${(error as { code?: string }).code}).`)
  })
  const { configuration } = source
  const maxBytes = maxFileSize(configuration)
  try {
    const folder = await realpath(dirname(path)).catch(() => '')
    if (!isInside(folder, top) || !(await handle.stat()).isFile())
      throw new Unreadable('It is not a file in this folder.')
    const stream = handle.createReadStream({ autoClose: false })
    const file = await ctx.files.receive(stream, maxBytes, { temporary: true })
    return {
      sha256: file.sha256,
      size: file.size,
      async read(signal, onProgress, onOcr) {
        const document = await ctx.parser.parseDocument(file.path, {
          name,
          signal,
          onProgress,
          onOcr,
          ...readingOptions(workspace, source),
        })
        if (accepts(configuration, document.format, name)) return document
        throw new Unreadable(
          `The content is of type ${document.format}; the source accepts ${acceptedTypes(configuration)}.`,
        )
      },
      release: () => ctx.files.discard(file),
    }
  } catch (error) {
    if (error instanceof FileTooLarge) throw new Unreadable(`The file is larger than ${maxBytes} bytes.`)
    throw error
  } finally {
    await handle.close()
  }
}
