import type { Attachment, ParsedDocument } from '../document.ts'
import { markdownDocument } from './markdown.ts'

export interface MailParts {
  subject: string
  headers: [name: string, value: string][]
  /** Plain text, or text converted from HTML. */
  body: string | { markdown: string; warnings: string[] }
  /** Without pictures that are shown in the text, and signatures. */
  attachments: MailAttachment[]
}

export interface MailAttachment extends Omit<Attachment, 'bytes'> {
  /** Undefined if it is stored elsewhere. */
  bytes: Uint8Array | undefined
}

/** The headers of a message, its text and the names of its attachments. */
export function mailDocument({ subject, headers, body, attachments }: MailParts): ParsedDocument {
  const title = oneLine(subject) || 'Message'
  const known = headers.filter(([, value]) => value !== '')
  const names = attachments.map(({ name }) => oneLine(name)).filter((name) => name !== '')
  const text = [
    `# ${title}`,
    known.map(([name, value]) => `${name}: ${value}`).join('\n'),
    typeof body === 'string' ? body : body.markdown,
    names.length > 0 ? `Attachments: ${names.join(', ')}` : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n')
  const document = typeof body === 'string' ? plainDocument(text, title) : markdownDocument(text)
  const metadata = Object.fromEntries(known.map(([name, value]) => [name.toLowerCase(), value]))
  return {
    ...document,
    metadata: { title, ...metadata },
    warnings: typeof body === 'string' ? [] : body.warnings,
    attachments: attachments.flatMap(({ bytes, ...attachment }) => (bytes ? [{ ...attachment, bytes }] : [])),
  }
}

/** Cryptographic signatures are attached to a message, but are no documents. */
export const isSignature = (mediaType: string, name: string): boolean =>
  /^application\/(?:x-)?(?:pkcs7-signature|pgp-signature)$/.test(mediaType) || /\.(?:p7s|asc|sig)$/i.test(name)

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Plain text is not parsed as Markdown: a line of dashes is not a heading. */
const plainDocument = (text: string, title: string): ParsedDocument => ({
  text,
  pages: [],
  headings: [{ level: 1, title, start: 0 }],
  metadata: {},
  warnings: [],
})
