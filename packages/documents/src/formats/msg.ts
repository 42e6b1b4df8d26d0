import { CFB } from '@e965/xlsx'
import { damaged, type ParsedDocument, type Settings } from '../document.ts'
import { markdownFromHtml } from './html-to-markdown.ts'
import { isSignature, type MailAttachment, mailDocument } from './mail.ts'

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
  displayName: '3001',
  mediaType: '370E',
  contentId: '3712',
  data: '3701',
}

const binary = '0102'
const folder = '000D'

/** A message that was saved by Outlook. */
export function parseMsg(bytes: Uint8Array, settings: Settings = {}): ParsedDocument {
  const container = read(bytes)
  const root = container.FullPaths[0] ?? ''
  const contents = new Map(container.FullPaths.map((path, index) => [path, container.FileIndex[index]?.content]))
  const property = (number: string, path = root): string => textProperty(contents, `${path}__substg1.0_${number}`)
  const address = property(properties.senderAddress)
  const sender = property(properties.sender)
  const text = property(properties.text).trim()
  const attached = container.FullPaths.filter(
    (path) => path.startsWith(root) && /^__attach_version1\.0_[^/]+\/$/.test(path.slice(root.length)),
  )
  return mailDocument({
    subject: property(properties.subject),
    headers: [
      ['From', sender && address ? `${sender} <${address}>` : sender || address],
      ['To', property(properties.to)],
      ['Cc', property(properties.cc)],
    ],
    attachments: attached.flatMap((path) => attachmentIn(path, contents, property, settings) ?? []),
    body: text === '' ? markdownFromHtml(property(properties.html)) : text,
  })
}

function read(bytes: Uint8Array): Container {
  try {
    return CFB.read(bytes, { type: 'buffer' })
  } catch (error) {
    throw damaged('message', error)
  }
}

type Contents = ReadonlyMap<string, Uint8Array | number[] | undefined>

/** Undefined for pictures that the text shows, and signatures. */
function attachmentIn(
  path: string,
  contents: Contents,
  property: (number: string, path: string) => string,
  { attachments = false }: Settings,
): MailAttachment | undefined {
  const name = property(properties.fileName, path) || property(properties.shortName, path)
  const mediaType = property(properties.mediaType, path).toLowerCase()
  const isPicture = mediaType.startsWith('image/') || /\.(?:png|jpe?g|gif|bmp|webp)$/i.test(name)
  if (isSignature(mediaType, name) || (isPicture && property(properties.contentId, path) !== '')) return undefined
  const message = `${path}__substg1.0_${properties.data}${folder}/`
  if (contents.has(message)) {
    const title = property(properties.displayName, path) || 'message'
    return {
      name: /\.msg$/i.test(title) ? title : `${title}.msg`,
      bytes: attachments ? messageIn(message, contents) : undefined,
    }
  }
  const content = contents.get(`${path}__substg1.0_${properties.data}${binary}`)
  return { name, ...(mediaType && { mediaType }), bytes: content && Uint8Array.from(content) }
}

/** An attached message is a folder of the container. This copies it into a new container. */
function messageIn(path: string, contents: Contents): Uint8Array {
  const container = CFB.utils.cfb_new()
  for (const [each, content] of contents)
    if (each.startsWith(path) && !each.endsWith('/') && content)
      CFB.utils.cfb_add(container, `/${each.slice(path.length)}`, content, { unsafe: true })
  CFB.utils.cfb_gc(container)
  return new Uint8Array(CFB.write(container, { type: 'buffer' }))
}

/** The last digits of a name are the type: Unicode, eight-bit text or bytes. */
function textProperty(contents: Contents, path: string): string {
  for (const [type, charset] of [
    ['001F', 'utf-16le'],
    ['001E', 'windows-1252'],
    [binary, 'utf-8'],
  ] as const) {
    const content = contents.get(`${path}${type}`)
    if (content) return new TextDecoder(charset).decode(Uint8Array.from(content)).replace(/\0+$/, '')
  }
  return ''
}
