import { DocumentError } from '@parley/documents'
import { normalized } from '../../../kernel/access.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { invalid, notFound, Problem, reason } from '../../../kernel/errors.ts'
import { isRefused, type RefusedFile, type Upload, type UploadedFile } from '../../../kernel/http/multipart.ts'
import { type Db, inTransaction } from '../../../kernel/store/database.ts'
import { timestamp } from '../../../kernel/time.ts'
import { applyToAttachments } from '../access/apply.ts'
import { accessIn } from '../access/rules.ts'
import { acceptedTypes, accepts, mayAccept } from '../file-types.ts'
import { uploadPath } from '../files/stored-files.ts'
import { sources } from '../sources.ts'
import { type DocumentRow, documents, newDocument, type SourceRow } from '../store.ts'
import { requestSyncAfterChange } from '../syncs/service.ts'
import { computeVersion } from '../syncs/version.ts'

interface CheckedFile extends UploadedFile {
  mediaType: string | null
}

/** Finds the source and checks its type before the files are received. */
export async function uploadTarget(ctx: Context, who: Caller, sourceId: string): Promise<SourceRow> {
  const source = await sources.get(ctx, who, sourceId)
  if (source.type === 'file') return source
  return invalid('id', `is a source of type ${source.type}; only sources of type file accept uploads`)
}

/** Stores the files of an upload as documents, those that are refused as failed ones. Fails if all are refused. */
export async function storeUpload(
  ctx: Context,
  who: Caller,
  target: SourceRow,
  upload: Upload,
  sync: boolean,
): Promise<DocumentRow[]> {
  if (upload.files.length === 0) invalid('file', 'is required: send at least one file as multipart/form-data')
  const checked = await Promise.all(upload.files.map((file) => checkFile(ctx, target, file)))
  if (checked.every(isRefusal)) throw combineRefusals(checked)
  for (let attempt = 1; ; attempt++) {
    const kept = await keepFiles(ctx, who.workspace, target.id, checked)
    try {
      return await storeDocuments(ctx, who.workspace, target.id, { ...upload, files: checked }, kept, sync)
    } catch (error) {
      if (!(error instanceof DocumentChanged)) throw error
      if (attempt === maxAttempts) throw new Problem('overloaded', `${error.message} Upload the files again.`)
    }
  }
}

const maxAttempts = 5

/** Another request changed the document of this name after the file was kept for it. */
class DocumentChanged extends Error {}

interface KeptFile {
  /** The document that the file is in place for. */
  id: string
  isKnown: boolean
  /** Whether the document did not have this file already. */
  isNew: boolean
}

/** By the name of the file. */
type KeptFiles = ReadonlyMap<string, KeptFile>

/** Keeps the files before the transaction, which must not wait for a store in the network. Files of no document are swept. */
async function keepFiles(
  ctx: Context,
  workspace: string,
  source: string,
  files: readonly (CheckedFile | RefusedFile)[],
): Promise<KeptFiles> {
  const kept = new Map<string, KeptFile>()
  for (const file of files) {
    if (isRefusal(file)) continue
    const known = await documentNamed(ctx.db, workspace, source, file.name)
    const id = known?.id ?? ctx.newId('doc')
    const isNew = known?.sha256 !== file.sha256
    if (isNew) await ctx.files.keep(file, uploadPath(workspace, source, id, file.sha256))
    kept.set(file.name, { id, isKnown: known !== undefined, isNew })
  }
  return kept
}

async function storeDocuments(
  ctx: Context,
  workspace: string,
  sourceId: string,
  upload: Pick<Upload, 'metadata' | 'access'> & { files: (CheckedFile | RefusedFile)[] },
  kept: KeptFiles,
  sync: boolean,
): Promise<DocumentRow[]> {
  const replaced: { id: string; sha256: string }[] = []
  const stored = await inTransaction(ctx.db, async (tx) => {
    const source = (await sources.table.lock(tx, workspace, sourceId)) ?? notFound(sources.kind, sourceId)
    const rows: DocumentRow[] = []
    for (const file of upload.files) {
      rows.push(
        isRefusal(file)
          ? await storeRefused(ctx, tx, workspace, source, file, upload)
          : await storeFile(ctx, tx, workspace, source, file, upload, kept, replaced),
      )
    }
    if (sync && rows.some((row) => row.status === 'pending')) await requestSyncAfterChange(ctx, tx, workspace, sourceId)
    return rows
  })
  await removeReplaced(ctx, workspace, sourceId, replaced).catch((error) =>
    ctx.log.warn({ error: reason(error), source: sourceId }, 'replaced files are left to the next sweep'),
  )
  return stored
}

async function removeReplaced(
  ctx: Context,
  workspace: string,
  source: string,
  files: { id: string; sha256: string }[],
) {
  for (const { id, sha256 } of files) {
    const document = await documents.find(ctx.db, workspace, id)
    // It may have been uploaded again meanwhile.
    if (document?.sha256 !== sha256) await ctx.files.remove(uploadPath(workspace, source, id, sha256))
  }
}

const isRefusal = (file: CheckedFile | RefusedFile): file is RefusedFile => 'refusal' in file

/** The problem of the first file, with those of all files in its details. */
function combineRefusals(files: readonly RefusedFile[]): Problem {
  const details = files.map(({ name, refusal }) => ({ path: name, message: refusal.message }))
  const [first] = files
  if (!first || files.length === 1) return first?.refusal ?? new Problem('invalid_request', 'No file was sent.')
  return new Problem(first.refusal.code, `None of the files can be taken. ${first.refusal.message}`, { details })
}

/** Detects the media type by content and checks whether the source accepts it. */
async function checkFile(
  ctx: Context,
  { configuration }: SourceRow,
  file: UploadedFile | RefusedFile,
): Promise<CheckedFile | RefusedFile> {
  if (isRefused(file)) return file
  const { name, declaredType, path, size } = file
  const refuse = (code: 'invalid_request' | 'unsupported_file_type', message: string): RefusedFile => ({
    name,
    size,
    refusal: new Problem(code, message),
  })
  try {
    const named = { name, ...(declaredType !== undefined && { mediaType: declaredType }) }
    const { format, mediaType } = await ctx.parser.detectType(path, named)
    if (accepts(configuration, format, name)) return { ...file, mediaType }
    const accepted = acceptedTypes(configuration)
    return refuse('unsupported_file_type', `${name} is of type ${format}; this source accepts ${accepted}.`)
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    if (error.code === 'empty') return refuse('invalid_request', `${name} is empty.`)
    // A damaged or locked file is stored and fails in the sync.
    if (error.code !== 'unsupported' && mayAccept(configuration, name)) return { ...file, mediaType: null }
    return refuse('unsupported_file_type', `${name}: ${error.message}`)
  }
}

/** An existing document of the same name stays as it is; then the failure is only in the response. */
async function storeRefused(
  ctx: Context,
  tx: Db,
  workspace: string,
  source: SourceRow,
  { name, size, refusal }: RefusedFile,
  { access }: Pick<Upload, 'access'>,
): Promise<DocumentRow> {
  const known = await documentNamed(tx, workspace, source.id, name)
  const failure = { status: 'failed' as const, error: refusal.message, size }
  if (known && known.sha256 !== null) return { ...known, ...failure, media_type: null, sha256: null }
  if (known) {
    const row = { ...known, ...failure, revision: known.revision + 1, updated_at: timestamp(ctx.now()) }
    await documents.update(tx, workspace, known.id, row)
    return row
  }
  const given_access = JSON.stringify(normalized(access ?? null))
  const row = { ...newDocument(ctx, source.id, name), ...failure, given_access }
  Object.assign(row, accessIn(source, row))
  await documents.insert(tx, workspace, row)
  return row
}

async function storeFile(
  ctx: Context,
  tx: Db,
  workspace: string,
  source: SourceRow,
  file: CheckedFile,
  { metadata, access }: Pick<Upload, 'metadata' | 'access'>,
  kept: KeptFiles,
  replaced: { id: string; sha256: string }[],
): Promise<DocumentRow> {
  const { name, size, sha256, mediaType } = file
  const known = await documentNamed(tx, workspace, source.id, name)
  const place = kept.get(name)
  const isSame = place !== undefined && known?.id === (place.isKnown ? place.id : undefined)
  if (!isSame || (!place.isNew && known?.sha256 !== sha256))
    throw new DocumentChanged(`${name} is being uploaded by another request.`)
  const before = known ? (JSON.parse(known.given_metadata) as object) : {}
  const newMetadata = metadata ?? before
  const version = computeVersion(source, sha256, name, newMetadata)
  const given_access = access === undefined ? (known?.given_access ?? 'null') : JSON.stringify(normalized(access))
  if (known?.version === version) return withAccess(ctx, tx, workspace, source, known, given_access)
  const { id } = place
  const row: DocumentRow = {
    ...(known ?? { ...newDocument(ctx, source.id, name), id }),
    media_type: mediaType,
    size,
    sha256,
    status: 'pending',
    error: null,
    // Metadata from the file stays until it is parsed again. Metadata from the request applies at once.
    metadata: { ...without(known?.metadata ?? {}, Object.keys(before)), ...newMetadata },
    given_metadata: JSON.stringify(newMetadata),
    version,
    sync_id: null,
    given_access,
    revision: (known?.revision ?? 0) + 1,
    updated_at: timestamp(ctx.now()),
  }
  Object.assign(row, accessIn(source, row))
  if (known?.sha256 && known.sha256 !== sha256) replaced.push({ id, sha256: known.sha256 })
  if (known) {
    await documents.update(tx, workspace, id, row)
    await applyToAttachments(tx, workspace, row)
  } else await documents.insert(tx, workspace, row)
  return row
}

/** The same file again, perhaps with another access. */
async function withAccess(
  ctx: Context,
  tx: Db,
  workspace: string,
  source: SourceRow,
  known: DocumentRow,
  given_access: string,
): Promise<DocumentRow> {
  if (known.given_access === given_access) return known
  const row = { ...known, given_access, revision: known.revision + 1, updated_at: timestamp(ctx.now()) }
  Object.assign(row, accessIn(source, row))
  await documents.update(tx, workspace, known.id, row)
  await applyToAttachments(tx, workspace, row)
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
