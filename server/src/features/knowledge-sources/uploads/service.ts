import { DocumentError } from '@parley/documents'
import type { Caller, Context } from '../../../kernel/context.ts'
import { invalid, notFound, Problem } from '../../../kernel/errors.ts'
import { type Db, inTransaction } from '../../../kernel/store/database.ts'
import { timestamp } from '../../../kernel/time.ts'
import { uploadPath } from '../documents/files.ts'
import { acceptedTypes, accepts, mayAccept } from '../file-types.ts'
import { sources } from '../sources.ts'
import { type DocumentRow, documents, type SourceRow } from '../store.ts'
import { versionOf } from '../syncs/documents.ts'
import { requestSyncAfterChange } from '../syncs/service.ts'
import type { Upload, UploadedFile } from './multipart.ts'

interface CheckedFile extends UploadedFile {
  mediaType: string | null
}

/** Finds the source and checks its type before the files are received. */
export async function uploadTarget(ctx: Context, who: Caller, sourceId: string): Promise<SourceRow> {
  const source = await sources.get(ctx, who, sourceId)
  if (source.type === 'file') return source
  return invalid('id', `is a source of type ${source.type}; only sources of type file accept uploads`)
}

/** Stores all files of an upload as documents, or none. */
export async function storeUpload(
  ctx: Context,
  who: Caller,
  target: SourceRow,
  upload: Upload,
  sync: boolean,
): Promise<DocumentRow[]> {
  if (upload.files.length === 0) invalid('file', 'is required: send at least one file as multipart/form-data')
  const checking = upload.files.map(async (file) => ({ ...file, mediaType: await checkType(ctx, target, file) }))
  const checked: CheckedFile[] = await Promise.all(checking)
  const replaced: string[][] = []
  const created: string[][] = []
  try {
    const stored = await inTransaction(ctx.db, async (tx) => {
      const source = (await sources.table.lock(tx, who.workspace, target.id)) ?? notFound(sources.kind, target.id)
      const rows: DocumentRow[] = []
      for (const file of checked) {
        rows.push(await storeFile(ctx, tx, who.workspace, source, file, upload.metadata, { replaced, created }))
      }
      if (sync && rows.some((row) => row.status === 'pending'))
        await requestSyncAfterChange(ctx, tx, who.workspace, target.id)
      return rows
    })
    for (const path of replaced) await ctx.files.remove(path)
    return stored
  } catch (error) {
    for (const path of created) await ctx.files.remove(path)
    throw error
  }
}

/** Detects the media type by content and checks whether the source accepts it. */
async function checkType(ctx: Context, { configuration }: SourceRow, file: UploadedFile): Promise<string | null> {
  const { name, declaredType, path } = file
  const refuse = (message: string) => new Problem('unsupported_file_type', message)
  try {
    const named = { name, ...(declaredType !== undefined && { mediaType: declaredType }) }
    const { format, mediaType } = await ctx.parser.detectType(path, named)
    if (accepts(configuration, format, name)) return mediaType
    throw refuse(`${name} is of type ${format}; this source accepts ${acceptedTypes(configuration)}.`)
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    if (error.code === 'empty') invalid('file', `${name} is empty`)
    // A damaged or locked file fails in the sync, on its own. It does not fail the other files of the upload.
    if (error.code !== 'unsupported' && mayAccept(configuration, name)) return null
    throw refuse(`${name}: ${error.message}`)
  }
}

async function storeFile(
  ctx: Context,
  tx: Db,
  workspace: string,
  source: SourceRow,
  file: CheckedFile,
  metadata: Upload['metadata'],
  paths: { replaced: string[][]; created: string[][] },
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
    // Metadata from the file stays until it is parsed again. Metadata from the request applies at once.
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
    const path = uploadPath(workspace, source.id, id, sha256)
    paths.created.push(path)
    await ctx.files.keep(file, path)
    if (known?.sha256) paths.replaced.push(uploadPath(workspace, source.id, id, known.sha256))
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
