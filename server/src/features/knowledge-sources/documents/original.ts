import { Readable } from 'node:stream'
import type { Caller, Context } from '../../../kernel/context.ts'
import { Problem } from '../../../kernel/errors.ts'
import { FileMissing } from '../../../kernel/files/files.ts'
import { uploadPath } from '../files/stored-files.ts'
import { sources } from '../sources.ts'
import type { DocumentRow } from '../store.ts'
import { findText } from '../texts.ts'
import { getDocument } from './service.ts'

interface Original {
  document: DocumentRow
  content: Readable | string
}

/** The original of a document. Web pages and files of folders are not stored. */
export async function openOriginal(ctx: Context, who: Caller, sourceId: string, id: string): Promise<Original> {
  const document = await getDocument(ctx, who, sourceId, id)
  const source = await sources.get(ctx, who, sourceId)
  if (source.type === 'text') {
    const text = await findText(ctx.db, who.workspace, sourceId, document.key)
    if (text) return { document, content: text.content }
  }
  if (source.type === 'file' && document.sha256 !== null && document.parent_id === null) {
    const path = uploadPath(who.workspace, sourceId, id, document.sha256)
    const content = await ctx.files.read(path).catch((error: unknown) => {
      if (!(error instanceof FileMissing)) throw error
    })
    if (content) return { document, content: Readable.from(content) }
  }
  if (document.parent_id !== null)
    throw new Problem(
      'not_found',
      `${document.name} is an attachment and only stored with its mail (${document.parent_id}).`,
    )
  throw new Problem('not_found', `The original of ${document.name} is not stored here. Its text is at \`/content\`.`)
}
