import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime'
import { decodeText, likelyCharset } from '../charset.ts'
import { damaged, type ParsedDocument, type Settings } from '../document.ts'
import { markdownFromHtml } from './html-to-markdown.ts'
import { isSignature, type MailAttachment, mailDocument } from './mail.ts'
import { mailStart } from './mail-start.ts'

const headBytes = 4096

export async function parseEml(bytes: Uint8Array, settings: Settings = {}): Promise<ParsedDocument> {
  const mail = await readMail(bytes, settings)
  return mailDocument({
    subject: mail.subject ?? '',
    headers: listHeaders(mail),
    body: mail.text?.trim() || markdownFromHtml(mail.html ?? ''),
    attachments: mail.attachments.filter((part) => !isPartOfText(part, mail)).map(toAttachment),
  })
}

/** A message in the message belongs to its text, unless it is read as an attachment. */
async function readMail(bytes: Uint8Array, { attachments = false }: Settings): Promise<Email> {
  try {
    return await PostalMime.parse(withoutOtherLines(inUtf8(bytes)), { forceRfc822Attachments: attachments })
  } catch (error) {
    throw damaged('message', error)
  }
}

/** Mails that were saved as UTF-16. Their parts are in no other charset, unless they are encoded as ASCII. */
function inUtf8(bytes: Uint8Array): Uint8Array {
  const charset = likelyCharset(bytes.subarray(0, headBytes))
  if (!charset?.startsWith('utf-16')) return bytes
  const text = decodeText(bytes, charset)
  const isEncoded = /^content-transfer-encoding:\s*(?:base64|quoted-printable)/im.test(text)
  return Buffer.from(isEncoded ? text : text.replace(/(charset=)"?[\w-]+"?/gi, '$1utf-8'))
}

/** An export may begin with other lines, which are no headers. */
function withoutOtherLines(bytes: Uint8Array): Uint8Array {
  let start = 0
  const head = Buffer.from(bytes.subarray(0, headBytes)).toString('latin1')
  for (let lines = mailStart(head); lines > 0; lines--) start = bytes.indexOf(10, start) + 1
  return bytes.subarray(start)
}

/** Pictures that the HTML shows, and signatures. */
function isPartOfText({ mimeType, filename, related, contentId }: Attachment, { html = '' }: Email): boolean {
  if (isSignature(mimeType, filename ?? '')) return true
  if (!mimeType.startsWith('image/')) return false
  return related === true || (contentId !== undefined && html.includes(`cid:${contentId.replace(/^<|>$/g, '')}`))
}

const toAttachment = ({ filename, mimeType, content }: Attachment): MailAttachment => ({
  name: filename ?? (mimeType === 'message/rfc822' ? 'message.eml' : ''),
  mediaType: mimeType,
  bytes: typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content),
})

function listHeaders(mail: Email): [name: string, value: string][] {
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
