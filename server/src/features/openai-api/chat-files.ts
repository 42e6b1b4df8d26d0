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
  const stored: string[] = []
  const remove = async () => {
    for (const id of stored) await removeFile(ctx, withoutAudit(who), id).catch(() => {}) // unused files are removed later
  }
  const attachments = new Map<number, Attachment[]>()
  try {
    for (const { index, isUploaded, ...file } of sent) {
      const [{ file_id } = { file_id: '' }] = await storeFiles(ctx, withoutAudit(who), [file], signal)
      if (!isUploaded) stored.push(file_id)
      const attached = await attachedFiles(ctx, who, [{ file_id }])
      attachments.set(index, [...(attachments.get(index) ?? []), ...attached])
    }
    return { attachments, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

export const isFilePart = ({ type }: Part): boolean => type === 'image_url' || type === 'file'

/** In the form of the Responses API. */
function fileParts({ role, content }: ChatMessage, index: number) {
  if (role !== 'user' || !Array.isArray(content)) return []
  return content.filter(isFilePart).map((part): FilePart & { index: number; isUploaded: boolean } => {
    const at = `messages[${index}].content[${content.indexOf(part)}]`
    if (part.type === 'image_url') {
      const { url } = part.image_url ?? invalid(`${at}.image_url`, 'is required')
      return { index, isUploaded: false, at, part: { type: 'input_image', image_url: url } }
    }
    const file = part.file ?? invalid(`${at}.file`, 'is required')
    return { index, isUploaded: file.file_id != null, at: `${at}.file`, part: { type: 'input_file', ...file } }
  })
}
