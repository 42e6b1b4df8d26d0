import PostalMime, { type Address, type Email } from 'postal-mime'
import { damaged, type ParsedDocument } from '../document.ts'
import { markdownFromHtml } from './html-to-markdown.ts'
import { mailDocument } from './mail.ts'

export async function parseEml(bytes: Uint8Array): Promise<ParsedDocument> {
  const mail = await readMail(bytes)
  return mailDocument({
    subject: mail.subject ?? '',
    headers: headersOf(mail),
    body: mail.text?.trim() || markdownFromHtml(mail.html ?? ''),
    attachments: mail.attachments.map(({ filename }) => filename ?? ''),
  })
}

async function readMail(bytes: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(bytes)
  } catch (error) {
    throw damaged('message', error)
  }
}

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
