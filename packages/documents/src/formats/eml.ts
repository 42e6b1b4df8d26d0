import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime'
import { damaged, type ParsedDocument, type Settings } from '../document.ts'
import { markdownFromHtml } from './html-to-markdown.ts'
import { isSignature, type MailAttachment, mailDocument } from './mail.ts'

export async function parseEml(bytes: Uint8Array, settings: Settings = {}): Promise<ParsedDocument> {
  const mail = await readMail(bytes, settings)
  return mailDocument({
    subject: mail.subject ?? '',
    headers: headersOf(mail),
    body: mail.text?.trim() || markdownFromHtml(mail.html ?? ''),
    attachments: mail.attachments.filter((part) => !isPartOfText(part, mail)).map(attachmentOf),
  })
}

/** A message in the message belongs to its text, unless it is read as an attachment. */
async function readMail(bytes: Uint8Array, { attachments = false }: Settings): Promise<Email> {
  try {
    return await PostalMime.parse(bytes, { forceRfc822Attachments: attachments })
  } catch (error) {
    throw damaged('message', error)
  }
}

/** Pictures that the HTML shows, and signatures. */
function isPartOfText({ mimeType, filename, related, contentId }: Attachment, { html = '' }: Email): boolean {
  if (isSignature(mimeType, filename ?? '')) return true
  if (!mimeType.startsWith('image/')) return false
  return related === true || (contentId !== undefined && html.includes(`cid:${contentId.replace(/^<|>$/g, '')}`))
}

const attachmentOf = ({ filename, mimeType, content }: Attachment): MailAttachment => ({
  name: filename ?? (mimeType === 'message/rfc822' ? 'message.eml' : ''),
  mediaType: mimeType,
  bytes: typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content),
})

function headersOf(mail: Email): [name: string, value: string][] {
  return [
    ['From', addresses(mail.from ? [mail.from] : [])],
    ['To', addresses(mail.to ?? [])],
    ['Cc', addresses(mail.cc ?? [])],
    ['Date', mail.date ?? ''],
  ]
}

const addresses = (list: Address[]): string =>
  list
    .flatMap((one) => (one.group ? one.group : [one]))
    .map(({ name, address }) => (name && address ? `${name} <${address}>` : name || address || ''))
    .filter((one) => one !== '')
    .join(', ')
