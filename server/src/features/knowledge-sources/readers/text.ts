import { createHash } from 'node:crypto'
import type { ReadDocument } from '@parley/documents'
import { DocumentError, mediaTypes } from '@parley/documents'
import type { Context } from '../../../kernel/context.ts'
import type { TextDocument } from '../schema.ts'
import type { Reader } from './reader.ts'

/** Titles may repeat, so the second one of a title is told from the first by its number. */
export function* keyed(documents: readonly TextDocument[]): Generator<[key: string, document: TextDocument]> {
  const times = new Map<string, number>()
  for (const document of documents) {
    const time = (times.get(document.title) ?? 0) + 1
    times.set(document.title, time)
    yield [time === 1 ? document.title : `${document.title}\n${time}`, document]
  }
}

export const readTexts: Reader = function* ({ ctx, source }) {
  for (const [key, { title, content, metadata = {} }] of keyed(source.configuration.documents ?? [])) {
    yield {
      key,
      name: title,
      metadata,
      stamp: null,
      open: async () => ({
        sha256: createHash('sha256').update(content).digest('hex'),
        size: Buffer.byteLength(content),
        read: (signal) => readText(ctx, content, signal),
      }),
    }
  }
  return undefined
}

const shortEnough = 50_000

/** The text itself is the document; Markdown in it only tells where it may be cut. Long texts are looked at elsewhere. */
async function readText(ctx: Context, given: string, signal: AbortSignal): Promise<ReadDocument> {
  const text = given.replaceAll('\0', ' ').toWellFormed()
  if (text.trim() === '') throw new DocumentError('no_text', 'The text is empty.')
  const asMarkdown = { format: 'md', mediaType: mediaTypes.md } as const
  if (text.length <= shortEnough) {
    const { parseMarkdown } = await import('@parley/documents/markdown')
    return { ...parseMarkdown(text), ...asMarkdown }
  }
  const read = await ctx.parser.parseDocument(Buffer.from(text), { name: 'text.md', signal }).catch(() => null)
  signal.throwIfAborted()
  // A text that looks like a file of another kind is still a text.
  if (read?.text === text) return read
  return { text, pages: [], headings: [], metadata: {}, warnings: [], ...asMarkdown }
}
