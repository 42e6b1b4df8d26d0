import { decodeText, detectCharset, isKnownCharset } from './charset.ts'
import { DocumentError } from './document.ts'
import { type Format, mediaTypes, textFormatByName } from './media-types.ts'
import { Zip, type ZipLimits } from './zip.ts'

/** What the sender of a file says about it. */
export interface FileHints {
  name: string
  mediaType?: string
}

export interface Detected {
  format: Format
  mediaType: string
  /** Only for text formats. */
  charset?: string
}

const supportedFormats =
  'PDF, Word, PowerPoint, Excel, CSV, HTML, Markdown, text, JSON, EPUB, mail and source code can be read.'

const unsupportedSignatures: [what: string, signature: string, at?: number][] = [
  ['a PNG image', '\x89PNG'],
  ['a JPEG image', '\xff\xd8\xff'],
  ['a GIF image', 'GIF8'],
  ['a WebP image', 'WEBP', 8],
  ['a TIFF image', 'II*\0'],
  ['a TIFF image', 'MM\0*'],
  ['an audio or video file', 'ftyp', 4],
  ['an audio file', 'ID3'],
  ['an audio file', 'OggS'],
  ['an audio file', 'WAVE', 8],
  ['a gzip archive', '\x1f\x8b'],
  ['a 7-Zip archive', "7z\xbc\xaf'\x1c"],
  ['a RAR archive', 'Rar!'],
  ['a program', '\x7fELF'],
  ['a program', 'MZ\x90'],
  ['a database', 'SQLite format 3\0'],
  ['a rich text file; save it as .docx or .pdf', '{\\rtf'],
]

const headBytes = 4096

/** Detects the type of a file by its content. The name only decides between text formats. */
export async function detectFormat(bytes: Uint8Array, hints: FileHints, limits: ZipLimits): Promise<Detected> {
  if (bytes.length === 0) throw new DocumentError('empty', 'The file is empty.')
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, headBytes))
  if (head.subarray(0, 1024).includes('%PDF-')) return found('pdf')
  if (signatureAt(head, 'PK\x03\x04') || signatureAt(head, 'PK\x05\x06'))
    return found(formatOfZip(new Zip(bytes, limits)))
  if (signatureAt(head, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) throw oldOfficeError(bytes)
  const known = unsupportedSignatures.find(([, signature, at]) => signatureAt(head, signature, at))
  if (known) throw unsupported(`This is ${known[0]}.`)
  const charset = await detectCharset(bytes)
  if (charset === undefined) throw unsupported('The file is neither text nor a known kind of document.')
  const text = decodeText(charset.startsWith('utf-32') ? bytes.subarray(0, headBytes) : head, charset)
  const format = formatOfText(text, hints, bytes, charset)
  return found(format, format === 'html' ? declaredCharset(text, charset) : charset)
}

const signatureAt = (head: Buffer, signature: string, at = 0): boolean =>
  head.toString('latin1', at, at + signature.length) === signature

const found = (format: Format, charset?: string): Detected => ({
  format,
  mediaType: mediaTypes[format],
  ...(charset !== undefined && { charset }),
})

const unsupported = (what: string): DocumentError =>
  new DocumentError('unsupported', `Unsupported file type. ${what} ${supportedFormats}`)

function formatOfZip(zip: Zip): Format {
  const kind = zip.entries.get('mimetype')
  const mimetype = kind && kind.bytes < 200 ? (zip.text('mimetype') ?? '').trim() : ''
  if (mimetype === mediaTypes.epub || zip.has('META-INF/container.xml')) return 'epub'
  if (zip.names(/^word\//).length > 0) return 'docx'
  if (zip.names(/^ppt\//).length > 0) return 'pptx'
  if (zip.names(/^xl\//).length > 0) return 'xlsx'
  if (mimetype.includes('opendocument')) {
    throw unsupported('This is an OpenDocument file; save it as .docx, .xlsx, .pptx or .pdf.')
  }
  throw unsupported('This is a zip archive; upload the files in it instead.')
}

/** Office 97-2003 documents and encrypted newer ones share the OLE container. */
function oldOfficeError(bytes: Uint8Array): DocumentError {
  const container = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (container.includes(Buffer.from('EncryptedPackage', 'utf16le'))) {
    return new DocumentError(
      'encrypted',
      'The document is protected by a password; save it without one and upload it again.',
    )
  }
  return unsupported('This is a document in an old binary Office format; save it as .docx, .xlsx, .pptx or .pdf.')
}

function formatOfText(head: string, hints: FileHints, bytes: Uint8Array, charset: string): Format {
  const text = head.trimStart()
  const byName = textFormatByName(hints.name, hints.mediaType)
  if (isHtml(text, byName)) return 'html'
  if (isMail(head, byName)) return 'eml'
  if (byName === 'html' || byName === 'eml') return 'txt'
  return byName ?? (isJson(text, bytes, charset) ? 'json' : 'txt')
}

function isHtml(text: string, byName: Format | undefined): boolean {
  const page = /^(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:!doctype\s+html|html|head|body)\b/i.test(text)
  return page || (byName === 'html' && /<[a-z][a-z0-9]*[\s/>]/i.test(text))
}

function isMail(head: string, byName: Format | undefined): boolean {
  const names = new Set<string>()
  for (const line of head.split(/\r?\n/)) {
    if (/^[ \t]+\S/.test(line) && names.size > 0) continue
    const header = /^([!-9;-~]+):/.exec(line)
    if (!header?.[1]) break
    names.add(header[1].toLowerCase())
  }
  const common = ['from', 'to', 'subject', 'date', 'mime-version', 'content-type'].filter((name) =>
    names.has(name),
  ).length
  if (byName === 'eml') return common >= 1
  return common >= 2 && ['message-id', 'received', 'mime-version', 'return-path'].some((name) => names.has(name))
}

function isJson(text: string, bytes: Uint8Array, charset: string): boolean {
  if (!/^[[{]/.test(text)) return false
  try {
    JSON.parse(decodeText(bytes, charset))
    return true
  } catch {
    return false
  }
}

/** For a page that is not Unicode, the declared charset is more reliable than the detected one. */
function declaredCharset(head: string, detected: string): string {
  const declared = /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]+)|^\s*<\?xml[^>]{0,200}encoding=["']([\w-]+)/i.exec(head)
  const label = (declared?.[1] ?? declared?.[2] ?? '').toLowerCase()
  return detected.startsWith('utf') || label.startsWith('utf') || !isKnownCharset(label) ? detected : label
}
