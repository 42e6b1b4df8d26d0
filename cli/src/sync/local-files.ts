import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, matchesGlob } from 'node:path'
import { CliError } from '../failures.ts'

export interface LocalFile {
  /** The name of its document. */
  name: string
  path: string
  size: number
}

/** The files of a folder, without hidden ones, symbolic links and matches of the patterns. */
export async function localFiles(folder: string, ignored: string[]): Promise<LocalFile[]> {
  const found = await stat(folder).catch(() => null)
  if (!found?.isDirectory()) throw new CliError(`There is no folder ${folder}.`)
  const files: LocalFile[] = []
  const visit = async (relative: string): Promise<void> => {
    const entries = await readdir(join(folder, relative), { withFileTypes: true })
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const inner = relative === '' ? entry.name : `${relative}/${entry.name}`
      if (entry.name.startsWith('.') || entry.name === 'node_modules' || isIgnored(inner, ignored)) continue
      if (entry.isDirectory()) await visit(inner)
      else if (entry.isFile()) {
        const path = join(folder, inner)
        files.push({ name: documentName(inner), path, size: (await stat(path)).size })
      }
    }
  }
  await visit('')
  const names = new Map<string, string>()
  for (const { name, path } of files) {
    const other = names.get(name)
    if (other) throw new CliError(`${other} and ${path} would be the same document "${name}".`, 'Rename one of them.')
    names.set(name, path)
  }
  return files
}

/** The service keeps no folders in names, so they become a part of it: `guides/start.md` → `guides - start.md`. */
const documentName = (relative: string): string => relative.replaceAll('/', ' - ')

/** A pattern without a slash matches files and folders of that name anywhere. */
const isIgnored = (relative: string, patterns: string[]): boolean =>
  patterns.some((text) => {
    const pattern = text.replace(/^\.?\/|\/$/g, '')
    if (pattern.includes('/')) return matchesGlob(relative, pattern)
    return matchesGlob(relative.split('/').at(-1) ?? '', pattern)
  })

export async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}
