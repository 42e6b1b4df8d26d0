import { hash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { ConfigError } from '../kernel/config.ts'
import { isValidName } from '../kernel/files/paths.ts'

const formatVersion = 1
const fileName = 'manifest.json'

const Manifest = Type.Object({
  format: Type.Literal(formatVersion),
  created_at: Type.String(),
  /** The release that has used the database last. */
  version: Type.String(),
  migrations: Type.Array(Type.String()),
  /** Whether `secret-key` of the backup opens the database. If not, it needs the SECRET_KEY of its service. */
  key_included: Type.Boolean(),
  /** Files that the database names, but that the data folder did not have. */
  missing: Type.Array(Type.String()),
  files: Type.Array(
    Type.Object({
      path: Type.String(),
      size: Type.Integer({ minimum: 0 }),
      sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    }),
  ),
})

export type Manifest = Static<typeof Manifest>

/** In the order in which they are written. */
export const folderFiles = ['parley.db', 'search.db', 'secret-key', 'owner-token'] as const
export const uploads = 'files'

const computeChecksum = (manifest: Manifest): string => hash('sha256', JSON.stringify(manifest))

/** A folder with a manifest is a complete backup, so it is written last. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const text = JSON.stringify({ ...manifest, checksum: computeChecksum(manifest) }, null, 1)
  await writeFile(join(folder, fileName), `${text}\n`, { mode: 0o600, flag: 'wx', flush: true })
}

/** Throws if it is not the manifest that the backup was finished with. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, fileName), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
    throw new ConfigError(
      `${folder} is no backup: it has no ${fileName}. A backup that was interrupted has none either.`,
    )
  })
  const { checksum, ...manifest } = parse(text, folder)
  if (manifest.format !== formatVersion && typeof manifest.format === 'number')
    throw new ConfigError(
      `The backup in ${folder} has the format ${manifest.format}, which this version does not know.`,
    )
  if (!Value.Check(Manifest, manifest) || checksum !== computeChecksum(manifest)) throw damaged(folder)
  const names = new Set<string>()
  for (const { path } of manifest.files) {
    if (!isExpected(path) || names.has(path)) throw damaged(folder)
    names.add(path)
  }
  if (!names.has('parley.db')) throw damaged(folder)
  return manifest
}

function parse(text: string, folder: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {}
  throw damaged(folder)
}

const damaged = (folder: string): ConfigError =>
  new ConfigError(`The ${fileName} of the backup in ${folder} is damaged. Nothing was restored; use another backup.`)

/** Paths are joined to the data folder, so none may lead out of it. */
function isExpected(path: string): boolean {
  const [first, ...rest] = path.split('/')
  return first === uploads
    ? rest.length > 0 && rest.every(isValidName)
    : rest.length === 0 && folderFiles.some((name) => name === first)
}
