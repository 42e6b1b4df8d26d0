import { reason } from '../../../server/src/kernel/errors.ts'

/** What a parser makes of a file. Every passage shown to anyone is an exact span of `text`. */
export interface ParsedDocument {
  text: string
  /** Empty where the format has no pages; otherwise in order, from the first character to the last. */
  pages: Page[]
  headings: Heading[]
  /** In order and apart from each other; what lies between two of them is a paragraph. */
  blocks?: Block[]
  metadata: Record<string, string>
  warnings: string[]
}

export interface Page {
  number: number
  start: number
  end: number
}

export interface Heading {
  /** 1 is the highest. */
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

export type FailureCode =
  | 'unsupported'
  | 'empty'
  | 'encrypted'
  | 'broken'
  | 'no_text'
  | 'too_large'
  | 'too_complex'
  | 'timeout'
  | 'memory'
  | 'crashed'

/** Why a document could not be read, in words for the person who uploaded it. */
export class DocumentError extends Error {
  readonly code: FailureCode

  constructor(code: FailureCode, message: string) {
    super(message)
    this.code = code
  }
}

const longestReason = 200

/** A document that its library could not read; what the library says is kept to one short line. */
export function damaged(what: string, error: unknown): DocumentError {
  const why = reason(error).replace(/\s+/g, ' ').trim().slice(0, longestReason)
  return new DocumentError('broken', `The ${what} is damaged and cannot be read (${why}).`)
}

/** A document that holds pictures of pages only; OCR may still read it. */
export class ScanError extends DocumentError {
  readonly pages: number

  constructor(pages: number) {
    super('no_text', 'No text was found; this looks like a scan and needs OCR.')
    this.pages = pages
  }
}

export interface Limits {
  /** Of the file itself. */
  fileBytes: number
  seconds: number
  /** Of the worker that reads it, which is stopped when it outgrows them. */
  memoryMegabytes: number
  /** Of the text that a parser yields. */
  textCharacters: number
  /** Of all entries of a zip-based document together. */
  unzippedBytes: number
  zipEntries: number
  /** Of reading a scanned document with OCR, after its parser found no text. */
  ocrSeconds: number
}

export const defaultLimits: Limits = {
  fileBytes: 512 * 1024 * 1024,
  seconds: 120,
  memoryMegabytes: 1024,
  textCharacters: 50 * 1024 * 1024,
  unzippedBytes: 512 * 1024 * 1024,
  zipEntries: 20_000,
  ocrSeconds: 600,
}
