import { decodeText, detectCharset, isKnownCharset, likelyCharset } from './charset.ts'
import { DocumentError } from './document.ts'
import { commonHeaders, headerNames, mailStart } from './formats/mail-start.ts'
import { type Format, mediaTypes, textFormatByName } from './media-types.ts'

/** The file name and media type that the sender declares. */
export interface FileHints {
  name: string
  mediaType?: string
}

export interface Detected {
  format: Format
  mediaType: string
}

/** The parts of a file that its type is detected from. */
export interface Sample {
  /** At most `sampleBytes` from the start. */
  head: Buffer
  /** At most `sampleBytes` up to the end. */
  tail: Buffer
  /** The whole file, if it is at hand. */
  whole?: Buffer
}

export const sampleBytes = 256 * 1024

export function takeSample(bytes: Uint8Array): Sample {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return { head: whole.subarray(0, sampleBytes), tail: whole.subarray(-sampleBytes), whole }
}

const supportedFormats =
  'PDF, Word, PowerPoint, Excel, OpenDocument, RTF, CSV, HTML, Markdown, text, JSON, EPUB, mail, notebooks, images and source code can be read.'

const imageSignatures: [format: Format, signature: string, at?: number][] = [
  ['png', '\x89PNG\r\n\x1a\n'],
  ['jpg', '\xff\xd8\xff'],
  ['gif', 'GIF87a'],
  ['gif', 'GIF89a'],
  ['webp', 'WEBP', 8],
  ['tiff', 'II*\0'],
  ['tiff', 'MM\0*'],
]

const unsupportedSignatures: [what: string, signature: string, at?: number][] = [
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
]

const headBytes = 4096

/**
 * Detects the type of a file by its content. The name only decides between text formats. Takes a few milliseconds for any
 * file, so it needs no thread.
 */
export function detectType(sample: Sample, hints: FileHints): Detected {
  const { head } = sample
  if (head.length === 0) throw new DocumentError('empty', 'The file is empty.')
  if (head.subarray(0, 1024).includes('%PDF-')) return found('pdf')
  if (signatureAt(head, 'PK\x03\x04') || signatureAt(head, 'PK\x05\x06')) return found(formatOfZip(sample, hints))
  if (signatureAt(head, '{\\rtf')) return found('rtf')
  if (signatureAt(head, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) {
    if (isOutlookMessage(sample, hints)) return found('msg')
    throw oldOfficeError(sample, hints)
  }
  const image = imageSignatures.find(([, signature, at]) => signatureAt(head, signature, at))?.[0]
  if (image !== undefined) return found(image)
  if (isBitmap(head)) return found('bmp')
  const known = unsupportedSignatures.find(([, signature, at]) => signatureAt(head, signature, at))
  if (known) throw unsupported(`This is ${known[0]}.`)
  const charset = likelyCharset(head)
  if (charset === undefined) throw unsupported('The file is neither text nor a known kind of document.')
  return found(formatOfText(sample, hints, charset))
}

/** Detects the type and, for text formats, the charset of a whole file. It may have to guess the charset, which is slow. */
export async function detectFormat(bytes: Uint8Array, hints: FileHints): Promise<Detected & { charset: string }> {
  const sample = takeSample(bytes)
  const detected = detectType(sample, hints)
  if (!textFormats.has(detected.format)) return { ...detected, charset: '' }
  const charset = await detectCharset(bytes)
  if (charset === undefined) throw unsupported('The file is neither text nor a known kind of document.')
  const isHtml = detected.format === 'html'
  return { ...detected, charset: isHtml ? declaredCharset(startOfText(sample, charset), charset) : charset }
}

const textFormats = new Set<Format>(['html', 'md', 'csv', 'json', 'jsonl', 'ipynb', 'code', 'txt'])

const startOfText = ({ head }: Sample, charset: string): string => decodeText(head.subarray(0, headBytes), charset)

const signatureAt = (head: Buffer, signature: string, at = 0): boolean =>
  head.toString('latin1', at, at + signature.length) === signature

/** Texts may begin with its letters, so its header has to fit, too. */
const isBitmap = (head: Buffer): boolean =>
  signatureAt(head, 'BM') &&
  head.length >= 26 &&
  head.readUInt32LE(6) === 0 &&
  [12, 40, 52, 56, 64, 108, 124].includes(head.readUInt32LE(14))

const found = (format: Format): Detected => ({ format, mediaType: mediaTypes[format] })

const unsupported = (what: string): DocumentError =>
  new DocumentError('unsupported', `Unsupported file type. ${what} ${supportedFormats}`)

/** Office files, books and archives are told apart by the names of their entries. */
function formatOfZip({ head, tail }: Sample, { name }: FileHints): Format {
  if (!tail.includes(endOfZip))
    throw new DocumentError('broken', 'The file is damaged: its zip container cannot be read.')
  const names = [...entryNames(head, 'PK\x03\x04', 26, 30), ...entryNames(tail, 'PK\x01\x02', 28, 46)]
  const hasFolder = (folder: string) => names.some((name) => name.startsWith(folder))
  const mimetype = head.toString('latin1', 30, 200)
  if (mimetype.startsWith(`mimetype${mediaTypes.epub}`) || names.includes('META-INF/container.xml')) return 'epub'
  if (hasFolder('word/')) return 'docx'
  if (hasFolder('ppt/')) return 'pptx'
  if (hasFolder('xl/')) return 'xlsx'
  if (names.includes('mimetype') && names.includes('content.xml')) {
    // The type stands at the start of the file, unless a program has compressed it.
    const isFormat = (format: 'odt' | 'ods') =>
      mimetype.startsWith(`mimetype${mediaTypes[format]}`) || name.toLowerCase().endsWith(`.${format}`)
    if (isFormat('odt')) return 'odt'
    if (isFormat('ods')) return 'ods'
    throw unsupported('This is an OpenDocument file of another kind; save it as .pptx or .pdf.')
  }
  throw unsupported('This is a zip archive; upload the files in it instead.')
}

const endOfZip = Buffer.from('PK\x05\x06', 'latin1')

function entryNames(part: Buffer, signature: string, lengthAt: number, nameAt: number): string[] {
  const names: string[] = []
  for (let at = part.indexOf(signature, 0, 'latin1'); at !== -1; ) {
    const start = at + nameAt
    if (start > part.length) break
    const end = start + part.readUInt16LE(at + lengthAt)
    names.push(part.toString('latin1', start, end))
    at = part.indexOf(signature, end, 'latin1')
  }
  return names
}

/** The directory of the container, which may be anywhere, has this name. */
function isOutlookMessage({ head, tail, whole }: Sample, { name }: FileHints): boolean {
  const marker = Buffer.from('__properties_version1.0', 'utf16le')
  return /\.msg$/i.test(name) || [head, tail, whole].some((part) => part?.includes(marker))
}

/** Office 97-2003 documents and encrypted newer ones share the OLE container. */
function oldOfficeError({ head, tail }: Sample, { name }: FileHints): DocumentError {
  const marker = Buffer.from('EncryptedPackage', 'utf16le')
  if (/\.(?:docx|pptx|xlsx)$/i.test(name) || head.includes(marker) || tail.includes(marker)) {
    return new DocumentError(
      'encrypted',
      'The document is protected by a password; save it without one and upload it again.',
    )
  }
  return unsupported('This is a document in an old binary Office format; save it as .docx, .xlsx, .pptx or .pdf.')
}

function formatOfText(sample: Sample, hints: FileHints, charset: string): Format {
  const head = startOfText(sample, charset)
  const text = head.trimStart()
  const byName = textFormatByName(hints.name, hints.mediaType)
  if (isHtml(text, byName)) return 'html'
  if (isMail(head, byName)) return 'eml'
  if (byName === 'html' || byName === 'eml') return 'txt'
  return byName ?? (isJson(text, sample, charset) ? 'json' : 'txt')
}

function isHtml(text: string, byName: Format | undefined): boolean {
  const page = /^(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:!doctype\s+html|html|head|body)\b/i.test(text)
  return page || (byName === 'html' && /<[a-z][a-z0-9]*[\s/>]/i.test(text))
}

function isMail(head: string, byName: Format | undefined): boolean {
  const start = mailStart(head)
  if (start === -1) return false
  const names = headerNames(head.split(/\r?\n/).slice(start))
  const common = commonHeaders.filter((name) => names.has(name)).length
  if (byName === 'eml') return common >= 1
  return common >= 2 && ['message-id', 'received', 'mime-version', 'return-path'].some((name) => names.has(name))
}

function isJson(text: string, { whole }: Sample, charset: string): boolean {
  if (whole === undefined || !/^[[{]/.test(text)) return false
  try {
    JSON.parse(decodeText(whole, charset))
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
