import { createHash } from 'node:crypto'
import type { Attachment, ReadDocument } from '@parley/documents'
import type { Context } from '../../../kernel/context.ts'
import { acceptedTypes, accepts } from '../file-types.ts'
import { type Item, Unreadable } from '../readers/reader.ts'
import { readingOptions } from '../reading.ts'
import type { SourceRow } from '../store.ts'

/** A mail whose attachments are synced. */
export interface Mail {
  id: string
  name: string
  item: Item
  version: string
  /** From the mail itself and from the caller. */
  metadata: Record<string, unknown>
}

/** The attachments of a mail as documents of their own. */
export const attachmentItems = (
  ctx: Context,
  workspace: string,
  source: SourceRow,
  { item: mail, version }: Mail,
  attachments: readonly Attachment[],
): Item[] =>
  attachments.map(({ name, mediaType, bytes }) => ({
    key: `${mail.key}\n${name}`,
    name: `${mail.name}/${name}`,
    metadata: { ...mail.metadata, attachment_of: `${mail.name}/${name}`.slice(0, -baseName(name).length - 1) },
    stamp: version,
    open: async () => ({
      sha256: createHash('sha256').update(bytes).digest('hex'),
      size: bytes.length,
      async read(signal, onProgress, onOcr) {
        const hints = { name, ...(mediaType !== undefined && { mediaType }) }
        const document = await ctx.parser.parseDocument(bytes, {
          ...hints,
          ...readingOptions(workspace, source),
          signal,
          onProgress,
          onOcr,
        })
        if (accepts(source.configuration, document.format, name)) return document
        throw new Unreadable(`The source accepts ${acceptedTypes(source.configuration)}.`)
      },
    }),
  }))

const baseName = (name: string): string => name.split('/').at(-1) ?? name

export function withWarnings(document: ReadDocument, warnings: string[]): ReadDocument {
  if (warnings.length === 0) return document
  const { packed: _, ...read } = document
  return { ...read, warnings: [...read.warnings, ...warnings] }
}
