import { DocumentError } from '@parley/documents'
import type { Caller, Context } from '../../kernel/context.ts'
import { invalid, notFound, Problem } from '../../kernel/errors.ts'
import type { ReceivedFile } from '../../kernel/files/files.ts'
import { type Db, inTransaction } from '../../kernel/store/database.ts'
import { timestamp } from '../../kernel/time.ts'
import { acceptedTypes, accepts, mayAccept } from './accepted-types.ts'
import { originalOf } from './originals.ts'
import { sources } from './sources.ts'
import { type DocumentRow, documents, type SourceRow } from './store.ts'
import { versionOf } from './sync-documents.ts'
import { syncSoon } from './syncs.ts'

/** A file that a caller has sent, on the disk but not yet part of anything. */
export interface UploadedFile extends ReceivedFile {
  name: string
  declaredType: string | undefined
}

export interface Upload {
  files: UploadedFile[]
  /** Undefined: what is known of a document that is sent again stays. */
  metadata: Record<string, unknown> | undefined
}

interface Checked extends UploadedFile {
  mediaType: string | null
}

/** The source that files are to be sent to, before the first byte of them is taken. */
export async function uploadTarget(ctx: Context, who: Caller, sourceId: string): Promise<SourceRow> {
  const source = await sources.get(ctx, who, sourceId)
  if (source.type === 'file') return source
  return invalid('id', `is a source of type ${source.type}; files are sent to sources of type file`)
}

/** Makes documents of the files that were sent, all of them or none. */
export async function storeUpload(
  ctx: Context,
  who: Caller,
  target: SourceRow,
  upload: Upload,
  sync: boolean,
): Promise<DocumentRow[]> {
  if (upload.files.length === 0) invalid('file', 'is required: send one or many files as multipart/form-data')
  const checking = upload.files.map(async (file) => ({ ...file, mediaType: await checkType(ctx, target, file) }))
  const checked: Checked[] = await Promise.all(checking)
  const replaced: string[][] = []
  const placed: string[][] = []
  try {
    const stored = await inTransaction(ctx.db, async (tx) => {
      const source = (await sources.table.lock(tx, who.workspace, target.id)) ?? notFound(sources.kind, target.id)
      const rows: DocumentRow[] = []
      for (const file of checked) {
        rows.push(await storeFile(ctx, tx, who.workspace, source, file, upload.metadata, { replaced, placed }))
      }
      if (sync && rows.some((row) => row.status === 'pending')) await syncSoon(ctx, tx, who.workspace, target.id)
      return rows
    })
    for (const place of replaced) await ctx.files.remove(place)
    return stored
  } catch (error) {
    for (const place of placed) await ctx.files.remove(place)
    throw error
  }
}

/** What a file is by its content, if the source takes that. */
async function checkType(ctx: Context, { configuration }: SourceRow, file: UploadedFile): Promise<string | null> {
  const { name, declaredType, path } = file
  const refuse = (why: string) => new Problem('unsupported_file_type', why)
  try {
    const named = { name, ...(declaredType !== undefined && { mediaType: declaredType }) }
    const { format, mediaType } = await ctx.parser.detectType(path, named)
    if (accepts(configuration, format, name)) return mediaType
    throw refuse(`${name} is of type ${format}; this source takes ${acceptedTypes(configuration)}.`)
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    if (error.code === 'empty') invalid('file', `${name} is empty`)
    // Of the right kind, but damaged or locked: it fails by itself when it is read, and others with it do not.
    if (error.code !== 'unsupported' && mayAccept(configuration, name)) return null
    throw refuse(`${name}: ${error.message}`)
  }
}

async function storeFile(
  ctx: Context,
  tx: Db,
  workspace: string,
  source: SourceRow,
  file: Checked,
  metadata: Upload['metadata'],
  places: { replaced: string[][]; placed: string[][] },
): Promise<DocumentRow> {
  const { name, size, sha256, mediaType } = file
  const known = await documentNamed(tx, workspace, source.id, name)
  const before = known ? (JSON.parse(known.given_metadata) as object) : {}
  const given = metadata ?? before
  const version = versionOf(sha256, name, given)
  if (known?.version === version) return known
  const now = timestamp(ctx.now())
  const id = known?.id ?? ctx.newId('doc')
  const row = {
    ...(known ?? { id, knowledge_source_id: source.id, key: name, name, pages: null, stamp: null }),
    media_type: mediaType,
    size,
    sha256,
    status: 'pending',
    error: null,
    // What it says of itself stays until it is read again; what is given with it counts at once.
    metadata: { ...without(known?.metadata ?? {}, Object.keys(before)), ...given },
    given_metadata: JSON.stringify(given),
    version,
    indexed_version: known?.indexed_version ?? null,
    sync_id: null,
    revision: (known?.revision ?? 0) + 1,
    created_at: known?.created_at ?? now,
    updated_at: now,
  } as DocumentRow
  if (known?.sha256 !== sha256) {
    const place = originalOf(workspace, source.id, id, sha256)
    places.placed.push(place)
    await ctx.files.keep(file, place)
    if (known?.sha256) places.replaced.push(originalOf(workspace, source.id, id, known.sha256))
  }
  if (known) await documents.update(tx, workspace, id, row)
  else await documents.insert(tx, workspace, row)
  return row
}

const without = (metadata: object, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(metadata).filter(([name]) => !names.includes(name)))

async function documentNamed(tx: Db, workspace: string, sourceId: string, name: string) {
  const found = await tx
    .selectFrom('knowledge_document')
    .select('id')
    .where('workspace_id', '=', workspace)
    .where('knowledge_source_id', '=', sourceId)
    .where('key', '=', name)
    .executeTakeFirst()
  return found && documents.lock(tx, workspace, found.id)
}
