import { createHash } from 'node:crypto'
import type { ReadDocument } from '@parley/documents'
import { DocumentError, mediaTypes } from '@parley/documents'
import type { Context } from '../../../kernel/context.ts'
import type { TextDocument } from '../schema.ts'
import type { Reader } from './reader.ts'

/** Gives each text a key. Titles may repeat, so repeated ones are numbered. */
export function* withKeys(documents: readonly TextDocument[]): Generator<[key: string, document: TextDocument]> {
  const repeats = new Map<string, number>()
  for (const document of documents) {
    const repeat = (repeats.get(document.title) ?? 0) + 1
    repeats.set(document.title, repeat)
    yield [repeat === 1 ? document.title : `${document.title}\n${repeat}`, document]
  }
}

export const readTexts: Reader = function* ({ ctx, workspace, source }) {
  for (const [key, { title, content, metadata = {} }] of withKeys(source.configuration.documents ?? [])) {
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
