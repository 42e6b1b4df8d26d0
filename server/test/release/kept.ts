import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Engine } from '../../src/kernel/store/database.ts'

/** The data of a release on one of the databases, and how that release showed it. */
export interface ReleaseData {
  version: string
  /** When it was made, in milliseconds since 1970. */
  madeAt: number
  /** A search, and the document that it must find. */
  search: { path: string; query: string; document: string }
  /** The responses to GET requests, by path. */
  responses: Record<string, unknown>
}

/** The settings that the data was made with. The secret key is that of all tests. */
export const releaseSettings = { ADMIN_TOKEN: 'the-owner-of-this-test', EGRESS_ALLOW: '127.0.0.1' }

/** The API key of the model in the data. */
export const releaseKey = 'sk-of-a-test'

const keptFolder = (engine: Engine): string => fileURLToPath(new URL(`kept/${engine}`, import.meta.url))

/** Locks, the parts of a closed database, and the figures, which are a cache. */
const isLeftOut = (file: string): boolean => /^parley\.lock|^figures\.db|-(wal|shm)$/.test(file)

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))

function write(file: string, content: string | Buffer): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}

/** Replaces what is kept by a data folder, compressed, because most pages of a small database are empty. */
export function keep(engine: Engine, folder: string, data: ReleaseData, dump?: string): void {
  const place = keptFolder(engine)
  rmSync(place, { recursive: true, force: true })
  const pack = (name: string, content: string | Buffer) =>
    write(join(place, `${name}.gz`), gzipSync(content, { level: 9 }))
  for (const file of filesIn(folder)) if (!isLeftOut(file)) pack(join('folder', file), readFileSync(join(folder, file)))
  if (dump !== undefined) pack('dump.sql', dump)
  write(join(place, 'release.json'), `${JSON.stringify(data, null, 1)}\n`)
}

/** Writes the data folder that is kept into an empty folder. `dump` is the SQL of the database on Postgres. */
export function unpack(engine: Engine, folder: string): ReleaseData & { dump: string } {
  const place = keptFolder(engine)
  const read = (name: string) => gunzipSync(readFileSync(join(place, name)))
  const files = filesIn(place)
  for (const file of files)
    if (file.startsWith('folder')) write(join(folder, relative('folder', file).replace(/\.gz$/, '')), read(file))
  const data: ReleaseData = JSON.parse(readFileSync(join(place, 'release.json'), 'utf8'))
  return { ...data, dump: files.includes('dump.sql.gz') ? read('dump.sql.gz').toString() : '' }
}
