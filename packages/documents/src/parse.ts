import { collectAttachments } from './attachments.ts'
import { decodeText } from './charset.ts'
import { detectFormat, type FileHints } from './detect.ts'
import {
  type Attachment,
  DocumentError,
  damaged,
  isOutOfMemory,
  type Limits,
  type OnProgress,
  OutOfMemory,
  type ParsedDocument,
  type ReadDocument,
  ScanError,
  type Settings,
} from './document.ts'
import type { Format } from './media-types.ts'
import { tooMuchText } from './text-writer.ts'

/** Reads a file of any supported format. Runs in a worker: it may take long and need much memory. */
export async function parseBytes(
  bytes: Uint8Array,
  hints: FileHints,
  limits: Limits,
  settings: Settings = {},
  onPage?: OnProgress,
): Promise<ReadDocument> {
  const { format, mediaType, charset } = await detectFormat(bytes, hints)
  const { attachments, ...document } = await parseAs(format, bytes, charset, limits, settings, onPage).catch(
    (error: unknown) => {
      throw readableError(error)
    },
  )
  // Databases reject NUL and lone surrogates. Both are replaced one for one, so that offsets stay valid.
  const text = document.text.replaceAll('\0', ' ').toWellFormed()
  if (text.length > limits.textCharacters) throw tooMuchText(limits.textCharacters)
  if (text.trim() === '') throw new DocumentError('no_text', 'No text was found in the file.')
  const read = { ...document, text, format, mediaType }
  return settings.attachments && attachments ? withAttachments(read, attachments, limits) : read
}

async function withAttachments(document: ReadDocument, own: Attachment[], limits: Limits): Promise<ReadDocument> {
  const { attachments, warnings } = await collectAttachments(own, limits, (format, bytes) =>
    parseAs(format, bytes, '', limits, { attachments: true }),
  )
  return { ...document, attachments, warnings: [...document.warnings, ...warnings] }
}

/** Parsers are loaded on first use because some of them are large. */
async function parseAs(
  format: Format,
  bytes: Uint8Array,
  charset: string,
  limits: Limits,
  settings: Settings,
  onPage?: OnProgress,
): Promise<ParsedDocument> {
  switch (format) {
    case 'pdf':
      return (await import('./formats/pdf.ts')).parsePdf(bytes, limits, onPage)
    case 'docx':
      return (await import('./formats/docx.ts')).parseDocx(bytes, limits)
    case 'pptx':
      return (await import('./formats/pptx.ts')).parsePptx(bytes, limits)
    case 'xlsx':
      return (await import('./formats/xlsx.ts')).parseXlsx(bytes, limits, settings)
    case 'ods':
      return (await import('./formats/xlsx.ts')).parseOds(bytes, limits, settings)
    case 'odt':
      return (await import('./formats/odt.ts')).parseOdt(bytes, limits)
    case 'rtf':
      return (await import('./formats/rtf.ts')).parseRtf(bytes, limits)
    case 'msg':
      return (await import('./formats/msg.ts')).parseMsg(bytes, settings)
    case 'epub':
      return (await import('./formats/epub.ts')).parseEpub(bytes, limits)
    case 'eml':
      return (await import('./formats/eml.ts')).parseEml(bytes, settings)
    case 'png':
    case 'jpg':
    case 'webp':
    case 'gif':
    case 'bmp':
    case 'tiff':
      throw new ScanError(0)
    default:
      return parseText(format, decoded(bytes, charset, limits), limits)
  }
}

async function parseText(format: Format, text: string, limits: Limits): Promise<ParsedDocument> {
  switch (format) {
    case 'html':
      return (await import('./formats/html.ts')).parseHtml(text)
    case 'md':
      return (await import('./formats/markdown.ts')).parseMarkdown(text)
    case 'csv':
      return (await import('./formats/csv.ts')).parseCsv(text, limits)
    case 'json':
      return (await import('./formats/json.ts')).parseJson(text, limits)
    case 'jsonl':
      return (await import('./formats/json.ts')).parseJsonLines(text)
    case 'ipynb':
      return (await import('./formats/ipynb.ts')).parseNotebook(text)
    case 'code':
      return (await import('./formats/json.ts')).codeDocument(text)
    default:
      return { text, pages: [], headings: [], metadata: {}, warnings: [] }
  }
}

function decoded(bytes: Uint8Array, charset: string, limits: Limits): string {
  // A character has at most four bytes in any encoding, so this can be refused before decoding.
  if (bytes.length > limits.textCharacters * 4) throw tooMuchText(limits.textCharacters)
  const text = decodeText(bytes, charset)
  if (text.length > limits.textCharacters) throw tooMuchText(limits.textCharacters)
  return text
}

/** Turns errors of parsing libraries into messages for people. */
function readableError(error: unknown): DocumentError {
  if (error instanceof DocumentError) return error
  if (isOutOfMemory(error)) return new OutOfMemory()
  if (error instanceof RangeError && /call stack/i.test(error.message)) {
    return new DocumentError('too_complex', 'The document is nested too deeply to be read.')
  }
  return damaged('document', error)
}
