import { CFB } from '@e965/xlsx'
import { damaged, type ParsedDocument } from '../document.ts'
import { markdownFromHtml } from './html-to-markdown.ts'
import { type MailParts, mailDocument } from './mail.ts'

interface Container {
  FullPaths: string[]
  FileIndex: { content?: Uint8Array | number[]; size: number }[]
}

/** Numbers of the properties of a message, as MAPI has them. */
const properties = {
  subject: '0037',
  sender: '0C1A',
  senderAddress: '5D01',
  to: '0E04',
  cc: '0E03',
  text: '1000',
  html: '1013',
  fileName: '3707',
  shortName: '3704',
}

/** A message that was saved by Outlook. */
export function parseMsg(bytes: Uint8Array): ParsedDocument {
  const container = read(bytes)
  const root = container.FullPaths[0] ?? ''
  const property = (number: string, folder = root): string => textOf(container, `${folder}__substg1.0_${number}`)
  const address = property(properties.senderAddress)
  const sender = property(properties.sender)
  const text = property(properties.text).trim()
  const folders = container.FullPaths.filter((path) => /\/__attach_version1\.0_[^/]+\/$/.test(path))
  const parts: MailParts = {
    subject: property(properties.subject),
    headers: [
      ['From', sender && address ? `${sender} <${address}>` : sender || address],
      ['To', property(properties.to)],
      ['Cc', property(properties.cc)],
    ],
    attachments: folders.map(
      (folder) => property(properties.fileName, folder) || property(properties.shortName, folder),
    ),
    body: text === '' ? markdownFromHtml(property(properties.html)) : text,
  }
  return mailDocument(parts)
}

function read(bytes: Uint8Array): Container {
  try {
    return CFB.read(bytes, { type: 'buffer' })
  } catch (error) {
    throw damaged('message', error)
  }
}

/** The last digits of a name are the type: Unicode, eight-bit text or bytes. */
function textOf({ FullPaths, FileIndex }: Container, path: string): string {
  for (const [type, charset] of [
    ['001F', 'utf-16le'],
    ['001E', 'windows-1252'],
    ['0102', 'utf-8'],
  ] as const) {
    const content = FileIndex[FullPaths.indexOf(`${path}${type}`)]?.content
    if (content) return new TextDecoder(charset).decode(Uint8Array.from(content)).replace(/\0+$/, '')
  }
  return ''
}
