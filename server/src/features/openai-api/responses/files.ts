import { Readable } from 'node:stream'
import type { Caller, Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { maxFileSize, upload } from '../../conversations/files/service.ts'

type Part = Record<string, unknown>

/** A part of the input that brings a file. */
export interface FilePart {
  part: Part
  at: string
}

export const fileParts = ['input_image', 'input_file']

/**
 * Stores the files of the input, and names them in their parts instead of their content. The files of all messages come
 * with the question.
 */
export async function storeFiles(
  ctx: Context,
  who: Caller,
  files: FilePart[],
  signal: AbortSignal,
): Promise<{ file_id: string }[]> {
  const stored: { file_id: string }[] = []
  for (const { part, at } of files) {
    const file_id = part.file_id == null ? await storeContent(ctx, who, part, at, signal) : idIn(part, at)
    for (const field of ['image_url', 'file_data']) delete part[field]
    part.file_id = file_id
    stored.push({ file_id })
  }
  return stored
}

const idIn = ({ file_id: id }: Part, at: string): string =>
  typeof id === 'string' ? id : invalid(`${at}.file_id`, 'must be the id of a file')

async function storeContent(ctx: Context, who: Caller, part: Part, at: string, signal: AbortSignal): Promise<string> {
  const isImage = part.type === 'input_image'
  const field = isImage ? 'image_url' : 'file_data'
  if (part.file_url != null) invalid(`${at}.file_url`, 'is not fetched; send file_data, or the id of an uploaded file')
  const [, declaredType, base64] = dataUrl.exec(String(part[field] ?? '')) ?? []
  if (base64 === undefined)
    return invalid(`${at}.${field}`, 'must be a data URL with base64; web addresses are not fetched')
  const name = typeof part.filename === 'string' && part.filename !== '' ? part.filename : isImage ? 'image' : 'file'
  const received = await ctx.files.receive(Readable.from([Buffer.from(base64, 'base64')]), maxFileSize)
  try {
    return (await upload(ctx, who, { ...received, name, declaredType }, signal)).id
  } finally {
    await ctx.files.discard(received)
  }
}

const dataUrl = /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w=.+-]+)*;base64,([A-Za-z0-9+/]+=*)$/
