import PostalMime, { type Address, type Email } from 'postal-mime'
import { damaged, type ParsedDocument } from '../document.ts'
import { markdownFromHtml } from './html-to-markdown.ts'
import { markdownDocument } from './markdown.ts'

/** The headers of a message, its text and the names of its attachments. */
export async function parseEml(bytes: Uint8Array): Promise<ParsedDocument> {
  const mail = await readMail(bytes)
  const subject = mail.subject?.replace(/\s+/g, ' ').trim() || 'Message'
  const body = mail.text?.trim() ? { markdown: mail.text.trim(), warnings: [] } : markdownFromHtml(mail.html ?? '')
  const attached = mail.attachments.flatMap(({ filename }) => filename?.replace(/\s+/g, ' ').trim() || [])
  const text = [
    `# ${subject}`,
    headersOf(mail)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
    body.markdown,
    attached.length > 0 ? `Attachments: ${attached.join(', ')}` : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n')
  const document = mail.text?.trim() ? plainDocument(text, subject) : markdownDocument(text)
  const metadata = Object.fromEntries(headersOf(mail).map(([name, value]) => [name.toLowerCase(), value]))
  return { ...document, metadata: { title: subject, ...metadata }, warnings: body.warnings }
}

async function readMail(bytes: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(bytes)
  } catch (error) {
    throw damaged('message', error)
  }
}

/** Plain text is not parsed as Markdown: a line of dashes is not a heading. */
const plainDocument = (text: string, title: string): ParsedDocument => ({
  text,
  pages: [],
  headings: [{ level: 1, title, start: 0 }],
  metadata: {},
  warnings: [],
})

function headersOf(mail: Email): [name: string, value: string][] {
  const headers: [string, string][] = [
    ['From', addresses(mail.from ? [mail.from] : [])],
    ['To', addresses(mail.to ?? [])],
    ['Cc', addresses(mail.cc ?? [])],
    ['Date', mail.date ?? ''],
  ]
  return headers.filter(([, value]) => value !== '')
}

const addresses = (list: Address[]): string =>
  list
    .flatMap((one) => (one.group ? one.group : [one]))
    .map(({ name, address }) => (name && address ? `${name} <${address}>` : name || address || ''))
    .filter((one) => one !== '')
    .join(', ')
