import { Readable } from 'node:stream'
import { DocumentError, packDocument } from '@parley/documents'
import { turnKey } from '../../../kernel/caller.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { invalid, notFound, Problem } from '../../../kernel/errors.ts'
import { FileMissing } from '../../../kernel/files/files.ts'
import { mebibyte } from '../../../kernel/http/app.ts'
import { isRefused, type Upload, type UploadedFile } from '../../../kernel/http/multipart.ts'
import { encodeImage } from '../../../kernel/llm/image-body.ts'
import type { ImageData } from '../../../kernel/llm/model.ts'
import { inTransaction } from '../../../kernel/store/database.ts'
import { statement } from '../../../kernel/store/statement.ts'
import { timestamp } from '../../../kernel/time.ts'
import { removeContentLater } from './deletion.ts'
import { claimsToBeImage, readImage, tokensOfImage } from './image.ts'
import { contentPath, conversationsWith, type FileRow, findFiles, textPath } from './store.ts'

export { maxAttachments } from './schema.ts'

export const maxFileSize = 50 * mebibyte
/** Providers reject larger images. */
const maxImageSize = 20 * mebibyte
/** Lower than the limits for sources, because a caller waits for the upload. */
const limits = { textCharacters: 10_000_000, ocrSeconds: 120, wallSeconds: 60, unzippedBytes: 128 * mebibyte }

/** The one file of a form. */
export function onlyFile({ files, metadata }: Upload): UploadedFile {
  const [file, ...others] = files
  if (metadata !== undefined) invalid('metadata', 'is not a known field; send one file as "file"')
  if (file === undefined) return invalid('file', 'is missing; send one file as "file"')
  if (others.length > 0) return invalid('file', 'must be one file; upload each with a request of its own')
  if (isRefused(file)) throw tooLarge(file.name, maxFileSize)
  return file
}

const tooLarge = (name: string, limit: number): Problem =>
  new Problem('file_too_large', `${name} is larger than ${limit / mebibyte} MiB, the limit of uploaded files.`)

/** Stores a file that a message can then use. Documents are parsed during the upload, so that an unreadable one is refused. */
export async function upload(ctx: Context, who: Caller, file: UploadedFile, signal: AbortSignal): Promise<FileRow> {
  const { workspace } = who
  const id = ctx.newId('fil')
  const { mediaType, tokens, packed } = await read(ctx, who, file, signal)
  signal.throwIfAborted()
  await ctx.files.keep(file, contentPath(workspace, id))
  if (packed) {
    const text = await ctx.files.receive(Readable.from([packed]), Number.POSITIVE_INFINITY)
    await ctx.files.keep(text, textPath(workspace, id)).finally(() => ctx.files.discard(text))
  }
  const { name, size, sha256 } = file
  const row: FileRow = {
    id,
    workspace_id: workspace,
    user_id: who.userId,
    name,
    media_type: mediaType,
    size,
    sha256,
    tokens,
    created_at: timestamp(ctx.now()),
  }
  await ctx.commits.commit([statement(ctx.db.insertInto('file').values(row))])
  return row
}

interface ReadFile {
  mediaType: string
  tokens: number
  /** The serialized text of a document; images have none. */
  packed?: Uint8Array
}

async function read(ctx: Context, who: Caller, file: UploadedFile, signal: AbortSignal): Promise<ReadFile> {
  const { name, declaredType, size, path } = file
  if (size === 0) invalid('file', `${name} is empty`)
  const image = await readImage(path)
  if (image) {
    if (size > maxImageSize)
      throw new Problem('file_too_large', `${name} is larger than ${maxImageSize / mebibyte} MiB, the limit of images.`)
    return { mediaType: image.mediaType, tokens: tokensOfImage(image) }
  }
  if (claimsToBeImage(name, declaredType))
    invalid('file', `${name} is not an image, or damaged: its content is no PNG, JPEG, WebP or GIF`)
  try {
    const hints = { name, ...(declaredType !== undefined && { mediaType: declaredType }) }
    const options = { ...hints, limits, signal, key: turnKey(who) }
    const text = await ctx.parser.readText(path, options)
    if (!text) return await ctx.parser.packDocument(path, options)
    const [tokens = 0] = await ctx.tokens.count([text.text])
    return { mediaType: text.mediaType, tokens, packed: packDocument(text) }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    if (error.code === 'unsupported') throw new Problem('unsupported_file_type', unsupported(name, error))
    return invalid('file', `${name} cannot be read. ${error.message}`)
  }
}

const unsupported = (name: string, { message }: DocumentError): string =>
  `${name} cannot be attached. ${message} So can images: PNG, JPEG, WebP and GIF.`

/** The file. The role `user` sees its own, and those in conversations that it can read. */
export async function getFile(ctx: Context, who: Caller, id: string): Promise<FileRow> {
  const row = (await findFiles(ctx.db, who.workspace, [id])).get(id) ?? notFound('file', id)
  if (isOwn(who, row)) return row
  const conversations = await conversationsWith(ctx.db, who.workspace, id)
  const isReadable = conversations.some(({ user_id, shared }) => Boolean(shared) || user_id === who.userId)
  return isReadable ? row : notFound('file', id)
}

/** Whether the caller may attach and delete it. */
export const isOwn = (who: Caller, row: FileRow): boolean => who.role !== 'user' || row.user_id === who.userId

export async function openContent(ctx: Context, row: FileRow): Promise<Readable> {
  const content = await ctx.files.read(contentPath(row.workspace_id, row.id)).catch((error: unknown) => {
    if (error instanceof FileMissing) return notFound('content of the file', row.id)
    throw error
  })
  return Readable.from(content)
}

/** The content of an image for a request to a model. Null if its file is missing. */
export async function imageData(ctx: Context, workspace: string, id: string): Promise<ImageData | null> {
  try {
    return await encodeImage(await ctx.files.read(contentPath(workspace, id)))
  } catch (error) {
    if (error instanceof FileMissing) return null
    throw error
  }
}

export async function removeFile(ctx: Context, who: Caller, id: string): Promise<void> {
  const row = await getFile(ctx, who, id)
  if (!isOwn(who, row)) notFound('file', id)
  const users = await conversationsWith(ctx.db, who.workspace, id)
  if (users.length > 0) throw inUse(row, users)
  await inTransaction(ctx.db, async (tx) => {
    await tx.deleteFrom('file').where('workspace_id', '=', who.workspace).where('id', '=', id).execute()
    await removeContentLater(ctx, tx, who.workspace, [id])
    await ctx.audit.record(tx, who, { action: 'delete', kind: 'file', id })
  }).catch(async (error) => {
    const now = await conversationsWith(ctx.db, who.workspace, id)
    throw now.length > 0 ? inUse(row, now) : error // a message attached it meanwhile
  })
}

const inUse = ({ name }: FileRow, users: { id: string }[]): Problem =>
  new Problem('in_use', `${name} is attached to a message. Delete the conversation to delete it.`, {
    details: users.map(({ id }) => ({ path: `conversations/${id}`, message: `DELETE /api/conversations/${id}` })),
  })
