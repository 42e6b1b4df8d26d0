import { withoutAudit } from '../../kernel/audit.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { attachedFiles } from '../conversations/files/attachments.ts'
import { removeFile } from '../conversations/files/service.ts'
import type { Attachment } from '../runs/schema.ts'
import { type FilePart, storeFiles } from './responses/files.ts'
import type { ChatBody } from './schema.ts'

type ChatMessage = ChatBody['messages'][number]
type Part = Exclude<NonNullable<ChatMessage['content']>, string>[number]

/** Larger than for one message: a client sends the files of the whole history each time. */
const maxFiles = 50

/** The files of a chat, which are stored only while it runs. */
export interface ChatFiles {
  /** By the index of their message. */
  attachments: ReadonlyMap<number, Attachment[]>
  remove(): Promise<void>
}

export async function storeChatFiles(
  ctx: Context,
  who: Caller,
  messages: ChatMessage[],
  signal: AbortSignal,
): Promise<ChatFiles> {
  const sent = messages.flatMap((message, index) => fileParts(message, index))
  if (sent.length > maxFiles) invalid('messages', `have more than ${maxFiles} files`)
  const { attached, remove } = await storeBriefly(ctx, who, sent, signal)
  const attachments = new Map<number, Attachment[]>()
  for (const [at, { index }] of sent.entries())
    attachments.set(index, [...(attachments.get(index) ?? []), attached[at] as Attachment])
  return { attachments, remove }
}

/** Stores files until `remove` is called. Files that were uploaded before stay. */
export async function storeBriefly(ctx: Context, who: Caller, files: readonly FilePart[], signal: AbortSignal) {
  const stored: string[] = []
  const remove = async () => {
    for (const id of stored) await removeFile(ctx, withoutAudit(who), id).catch(() => {}) // unused files are removed later
  }
  const attached: Attachment[] = []
  try {
    for (const file of files) {
      const isUploaded = file.part.file_id != null
      const [{ file_id } = { file_id: '' }] = await storeFiles(ctx, withoutAudit(who), [file], signal)
      if (!isUploaded) stored.push(file_id)
      attached.push(...(await attachedFiles(ctx, who, [{ file_id }])))
    }
    return { attached, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

export const isFilePart = ({ type }: Part): boolean => type === 'image_url' || type === 'file'

/** In the form of the Responses API. */
function fileParts({ role, content }: ChatMessage, index: number) {
  if (role !== 'user' || !Array.isArray(content)) return []
  return content.filter(isFilePart).map((part): FilePart & { index: number } => {
    const at = `messages[${index}].content[${content.indexOf(part)}]`
    if (part.type === 'image_url') {
      const { url } = part.image_url ?? invalid(`${at}.image_url`, 'is required')
      return { index, at, part: { type: 'input_image', image_url: url } }
    }
    const file = part.file ?? invalid(`${at}.file`, 'is required')
    return { index, at: `${at}.file`, part: { type: 'input_file', ...file } }
  })
}
