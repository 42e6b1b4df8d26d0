import { decodeText } from './charset.ts'
import { detectFormat, type Named } from './detect.ts'
import { DocumentError, damaged, type Limits, type ParsedDocument } from './document.ts'
import type { Format } from './media-types.ts'
import { tooMuchText } from './text-writer.ts'

/** A document with what its file turned out to be. */
export interface ReadDocument extends ParsedDocument {
  format: Format
  mediaType: string
  /** The same as it is stored, where that was made in the thread that read it. */
  packed?: Uint8Array
}

/** Reads a file of any known format. Runs in a worker: it may take long and much memory. */
export async function parseBytes(bytes: Uint8Array, named: Named, limits: Limits): Promise<ReadDocument> {
  const { format, mediaType, charset } = await detectFormat(bytes, named, limits)
  const document = await parseAs(format, bytes, charset ?? 'utf-8', limits).catch((error: unknown) => {
    throw readableError(error)
  })
  // Neither database takes a zero character or half a surrogate pair; both are replaced in place, so offsets stay.
  const text = document.text.replaceAll('\0', ' ').toWellFormed()
  if (text.length > limits.textCharacters) throw tooMuchText(limits.textCharacters)
  if (text.trim() === '') throw new DocumentError('no_text', 'No text was found in the file.')
  return { ...document, text, format, mediaType }
}

/** Each parser is loaded when its format first comes, as some of them are large. */
async function parseAs(format: Format, bytes: Uint8Array, charset: string, limits: Limits): Promise<ParsedDocument> {
  switch (format) {
    case 'pdf':
      return (await import('./formats/pdf.ts')).parsePdf(bytes, limits)
    case 'docx':
      return (await import('./formats/docx.ts')).parseDocx(bytes, limits)
    case 'pptx':
      return (await import('./formats/pptx.ts')).parsePptx(bytes, limits)
    case 'xlsx':
      return (await import('./formats/xlsx.ts')).parseXlsx(bytes, limits)
    case 'epub':
      return (await import('./formats/epub.ts')).parseEpub(bytes, limits)
    case 'eml':
      return (await import('./formats/eml.ts')).parseEml(bytes)
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
    case 'code':
      return (await import('./formats/json.ts')).codeDocument(text)
    default:
      return { text, pages: [], headings: [], metadata: {}, warnings: [] }
  }
}

function decoded(bytes: Uint8Array, charset: string, limits: Limits): string {
  // No encoding takes more than four bytes for a character, so this much is too much before it is decoded.
  if (bytes.length > limits.textCharacters * 4) throw tooMuchText(limits.textCharacters)
  const text = decodeText(bytes, charset)
  if (text.length > limits.textCharacters) throw tooMuchText(limits.textCharacters)
  return text
}

/** What a parser throws that was not written for people. */
function readableError(error: unknown): DocumentError {
  if (error instanceof DocumentError) return error
  if (error instanceof RangeError && /call stack/i.test(error.message)) {
    return new DocumentError('too_complex', 'The document is nested too deeply to be read.')
  }
  return damaged('document', error)
}
