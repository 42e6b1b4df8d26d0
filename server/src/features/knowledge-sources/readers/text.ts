import { createHash } from 'node:crypto'
import type { ReadDocument } from '@parley/documents'
import { DocumentError, mediaTypes } from '@parley/documents'
import type { Context } from '../../../kernel/context.ts'
import { findTexts } from '../texts.ts'
import type { Reader } from './reader.ts'

export const readTexts: Reader = async function* ({ ctx, workspace, source }) {
  for (const { key, text } of await findTexts(ctx.db, workspace, source.id)) {
    const { title, content, metadata = {} } = text
    yield {
      key,
      name: title,
      metadata,
      stamp: null,
      open: async () => ({
        sha256: createHash('sha256').update(content).digest('hex'),
        size: Buffer.byteLength(content),
        read: (signal) => readText(ctx, workspace, content, signal),
      }),
    }
  }
  return undefined
}

const maxInlineLength = 50_000

/** The text is kept as it is; Markdown only shows where it may be split. Long texts are parsed in a thread. */
async function readText(ctx: Context, workspace: string, content: string, signal: AbortSignal): Promise<ReadDocument> {
  const text = content.replaceAll('\0', ' ').toWellFormed()
  if (text.trim() === '') throw new DocumentError('no_text', 'The text is empty.')
  const asMarkdown = { format: 'md', mediaType: mediaTypes.md } as const
  if (text.length <= maxInlineLength) {
    const { parseMarkdown } = await import('@parley/documents/markdown')
    return { ...parseMarkdown(text), ...asMarkdown }
  }
  const read = await ctx.parser
    .parseDocument(Buffer.from(text), { name: 'text.md', signal, key: workspace })
    .catch(() => null)
  signal.throwIfAborted()
  // The parser may take a text for a file of another format. Then it is kept as plain text.
  if (read?.text === text) return read
  return { text, pages: [], headings: [], metadata: {}, warnings: [], ...asMarkdown }
}
