import type { Format } from './media-types.ts'

/** The text of a file with its structure. All positions are offsets into `text`. */
export interface ParsedDocument {
  text: string
  /** Empty for formats without pages. Otherwise in order and covering the whole text. */
  pages: Page[]
  headings: Heading[]
  /** In order, without overlaps. Text between two blocks is a paragraph. */
  blocks?: Block[]
  metadata: Record<string, string>
  warnings: string[]
  /** Pages of a PDF on which no text was found: scans, or empty ones. */
  blankPages?: number[]
  /** Files in it, if `attachments` was asked for. */
  attachments?: Attachment[]
}

/** A file in a document, such as an attachment of a mail. */
export interface Attachment {
  /** In a message that is attached itself, the name of that comes first: `forwarded.eml/report.pdf`. */
  name: string
  mediaType?: string
  bytes: Uint8Array
}

/** Optional parts to read, and how. */
export interface Settings {
  /** Attachments of mails. By default only their names are read. */
  attachments?: boolean
  /** Hidden sheets of workbooks. By default they are left out. */
  hiddenSheets?: boolean
  /** Languages of scans and images, as tesseract names them: `deu`. By default those that are installed. */
  ocrLanguages?: string[]
}

/** A parsed document with its detected type. */
export interface ReadDocument extends ParsedDocument {
  format: Format
  mediaType: string
  /** The output of `packDocument`, if the parser's thread has already made it. */
  packed?: Uint8Array
}

/** The parts of a document that chunking needs. */
export type ChunkSource = Pick<ParsedDocument, 'text' | 'pages' | 'headings' | 'blocks'>

/** The path of a file, or its content. */
export type Source = string | Uint8Array

export interface Page {
  number: number
  start: number
  end: number
}

export interface Heading {
  /** 1 is the top level. */
  level: number
  title: string
  start: number
}

export type BlockKind = 'heading' | 'paragraph' | 'table' | 'code' | 'list'

export interface Block {
  kind: BlockKind
  start: number
  end: number
}

export const failureCodes = [
  'unsupported',
  'empty',
  'encrypted',
  'broken',
  'no_text',
  'too_large',
  'too_complex',
  'timeout',
  'memory',
  'crashed',
] as const

export type FailureCode = (typeof failureCodes)[number]

/** Why a document could not be read. The message is for the person who uploaded it. */
export class DocumentError extends Error {
  readonly code: FailureCode

  constructor(code: FailureCode, message: string) {
    super(message)
    this.code = code
  }
}

const maxReasonLength = 200

export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** For errors of parsing libraries, whose messages may be long. */
export function damaged(what: string, error: unknown): DocumentError {
  const why = errorMessage(error).replace(/\s+/g, ' ').trim().slice(0, maxReasonLength)
  return new DocumentError('broken', `The ${what} is damaged and cannot be read (${why}).`)
}

/** An allocation failed because the memory of the process is limited. */
export class OutOfMemory extends DocumentError {
  constructor() {
    super('memory', 'Reading the document took too much memory and was stopped.')
  }
}

/** Whether a library failed because it got no memory. Libraries may wrap the error, so its message decides. */
export const isOutOfMemory = (error: unknown): boolean =>
  /allocation failed|failed to allocate|out of memory/i.test(errorMessage(error))

/** The document is an image, or has pages but no text. OCR may still read it. */
export class ScanError extends DocumentError {
  /** 0 for an image. */
  readonly pages: number

  constructor(pages: number) {
    super(
      'no_text',
      pages === 0
        ? 'This is an image. Its text can only be read with OCR.'
        : 'No text was found; this looks like a scan and needs OCR.',
    )
    this.pages = pages
  }
}

/** How many pages, or passages, of how many are done. */
export type OnProgress = (done: number, total: number) => void

export interface Limits {
  /** Size of the file. */
  fileBytes: number
  /** Processor time for a small document. */
  minSeconds: number
  /** Processor time beyond that, by the size of the document. */
  secondsPerMegabyte: number
  /** Processor time for any document. */
  maxSeconds: number
  /** Time by the clock for any document, of one call. */
  wallSeconds: number
  /** Memory of the process that reads it. */
  memoryMegabytes: number
  /** Length of the extracted text. */
  textCharacters: number
  /** Size of all entries of a zip-based document together. */
  unzippedBytes: number
  zipEntries: number
  /** Pages of a PDF. */
  pages: number
  /** Time for OCR of one document. */
  ocrSeconds: number
  /** Number of attachments of a mail, with those of the messages attached to it. */
  attachments: number
  /** Size of them together. */
  attachmentBytes: number
  /** How many messages may be attached to each other. */
  attachmentDepth: number
}

export const defaultLimits: Limits = {
  fileBytes: 512 * 1024 * 1024,
  minSeconds: 5,
  secondsPerMegabyte: 10,
  maxSeconds: 120,
  wallSeconds: 600,
  memoryMegabytes: 1024,
  textCharacters: 50 * 1024 * 1024,
  unzippedBytes: 512 * 1024 * 1024,
  zipEntries: 20_000,
  pages: 20_000,
  ocrSeconds: 600,
  attachments: 100,
  attachmentBytes: 256 * 1024 * 1024,
  attachmentDepth: 3,
}

/** How much processor time a document of a size may take. */
export const secondsFor = (bytes: number, { minSeconds, secondsPerMegabyte, maxSeconds }: Limits): number =>
  Math.min(maxSeconds, Math.ceil(minSeconds + (bytes / 1024 ** 2) * secondsPerMegabyte))
