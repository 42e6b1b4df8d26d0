import { type Block, DocumentError, type Limits, type OnProgress, type Page, type ReadDocument } from '../document.ts'
import { mediaTypes } from '../media-types.ts'
import { TextWriter } from '../text-writer.ts'

/** Recognizes the text in the pictures of one document. Results are undefined if the time was not enough. */
export interface Recognizer {
  /** In the notation of tesseract: `eng+deu`. */
  languages: string
  image(seconds: number): Promise<string | undefined>
  page(number: number, seconds: number): Promise<string | undefined>
}

const pageSeconds = 60

export const ocrHint =
  'To read scans and images, install tesseract and pdftoppm, or the npm packages tesseract.js-core and @tesseract.js-data/eng.'

const mayBeWrong = 'The text was read with OCR and may contain mistakes.'
const marked = ({ languages }: Recognizer) => ({ ocr: languages })

/** Reads the pages of a scanned PDF one by one until the time is over. */
export async function readScan(
  pageCount: number,
  recognizer: Recognizer,
  limits: Limits,
  onProgress?: OnProgress,
): Promise<ReadDocument> {
  const writer = new TextWriter(limits.textCharacters)
  const pages: Page[] = []
  const numbers = Array.from({ length: pageCount }, (_, index) => index + 1)
  for await (const [number, text] of readPages(numbers, recognizer, limits, onProgress)) {
    if (writer.length > 0 && text !== '') writer.write('\n\n')
    const start = writer.write(text)
    pages.push({ number, start, end: writer.length })
  }
  const text = writer.toString()
  if (text.trim() === '') throw noText('document')
  const readInTime = pages.length
  for (const number of numbers.slice(readInTime)) pages.push({ number, start: writer.length, end: writer.length })
  const warnings = [mayBeWrong]
  const blank = pages.slice(0, readInTime).flatMap(({ number, start, end }) => (start === end ? [number] : []))
  if (blank.length > 0) warnings.push(blankPagesWarning(blank))
  if (readInTime < pageCount) warnings.push(`Only the first ${readInTime} of ${pageCount} pages were read in time.`)
  const type = { format: 'pdf', mediaType: mediaTypes.pdf } as const
  return { text, pages, headings: [], metadata: marked(recognizer), warnings, ...type }
}

async function* readPages(
  numbers: readonly number[],
  recognizer: Recognizer,
  limits: Limits,
  onProgress?: OnProgress,
): AsyncGenerator<[number: number, text: string]> {
  const deadline = Date.now() + limits.ocrSeconds * 1000
  for (const [index, number] of numbers.entries()) {
    const seconds = Math.min(pageSeconds, (deadline - Date.now()) / 1000)
    // A damaged page counts as one without text, so that the others are still read.
    const unlessDamaged = (error: unknown): string => {
      if (error instanceof DocumentError) return ''
      throw error
    }
    const text = seconds > 0 ? await recognizer.page(number, seconds).catch(unlessDamaged) : undefined
    if (text === undefined) return
    yield [number, unlessNoise(wellFormed(text))]
    onProgress?.(index + 1, numbers.length)
  }
}

const noText = (what: string) => new DocumentError('no_text', `No text was found in the ${what}, also not with OCR.`)

const wellFormed = (text: string): string => text.replaceAll('\0', ' ').toWellFormed().trim()

const minLetterShare = 0.6
const minWordLength = 2
/** Fewer may be a label. */
const minNoiseWords = 8

/** OCR finds signs in textures and drawings as well: few letters among them, and hardly a word. */
function unlessNoise(text: string): string {
  // Leaders of a table of contents and lines of a form are no noise.
  const words = text
    .replace(/[._…·]{3,}|(?:[._·] ){3,}/g, ' ')
    .split(/\s+/)
    .filter(Boolean)
  const characters = words.join('')
  const letters = characters.match(/[\p{L}\p{N}]/gu)?.length ?? 0
  if (letters < characters.length * minLetterShare) return ''
  const isLatin = (characters.match(/\p{Script=Latin}/gu)?.length ?? 0) > letters / 2
  const isScattered = isLatin && words.length >= minNoiseWords && letters < words.length * minWordLength
  return isScattered ? '' : text
}

/** Reads an image. */
export async function readImage(
  type: Pick<ReadDocument, 'format' | 'mediaType'>,
  recognizer: Recognizer,
  limits: Limits,
): Promise<ReadDocument> {
  const text = unlessNoise(wellFormed((await recognizer.image(Math.min(pageSeconds, limits.ocrSeconds))) ?? ''))
  if (text === '') throw noText('image')
  return { text, pages: [], headings: [], metadata: marked(recognizer), warnings: [mayBeWrong], ...type }
}

/** Reads the pages of a PDF on which no text was found, or little beside the picture of a page. */
export async function readBlankPages(
  document: ReadDocument,
  recognizer: Recognizer,
  limits: Limits,
  onProgress?: OnProgress,
): Promise<ReadDocument> {
  const { blankPages = [], packed: _, ...read } = document
  const texts = new Map<number, string>()
  for await (const [number, text] of readPages(blankPages, recognizer, limits, onProgress))
    if (text !== '') texts.set(number, text)
  if (texts.size === 0) return document
  const isEmpty = new Set(read.pages.filter(({ start, end }) => start === end).map(({ number }) => number))
  const blank = blankPages.filter((number) => isEmpty.has(number) && !texts.has(number))
  return {
    ...insertPages(read, texts),
    metadata: { ...read.metadata, ...marked(recognizer) },
    warnings: [
      ...read.warnings.filter((warning) => !warning.startsWith(blankPagesStart)),
      `These pages were read with OCR and may contain mistakes: ${listed([...texts.keys()])}.`,
      ...(blank.length > 0 ? [blankPagesWarning(blank)] : []),
    ],
  }
}

const blankPagesStart = 'No text was found on these pages: '

export const blankPagesWarning = (numbers: number[]): string => `${blankPagesStart}${listed(numbers)}.`

export const listed = (numbers: number[]): string =>
  numbers.length > 20 ? `${numbers.slice(0, 20).join(', ')} and ${numbers.length - 20} more` : numbers.join(', ')

type Positioned = Pick<ReadDocument, 'text' | 'pages' | 'headings'> & { blocks?: Block[] }

/** Inserts texts at the start of pages, and shifts the positions after them. */
export function insertPages<D extends Positioned>(document: D, texts: ReadonlyMap<number, string>): D {
  const inserted: { at: number; length: number }[] = []
  const pieces: string[] = []
  const pages: Page[] = []
  let [copied, moved] = [0, 0]
  for (const { number, start, end } of document.pages) {
    const text = texts.get(number)
    if (text === undefined) {
      pages.push({ number, start: start + moved, end: end + moved })
      continue
    }
    const isEmpty = start === end
    const before = isEmpty && start > 0 ? '\n\n' : ''
    const after = before === '' ? '\n\n' : ''
    pieces.push(document.text.slice(copied, start), before, text, after)
    const from = start + moved + before.length
    pages.push({
      number,
      start: from,
      end: isEmpty ? from + text.length : from + text.length + after.length + end - start,
    })
    copied = start
    const length = before.length + text.length + after.length
    moved += length
    inserted.push({ at: start, length })
  }
  pieces.push(document.text.slice(copied))
  const shiftHeading = shifter(inserted)
  const headings = document.headings.map((heading) => ({ ...heading, start: shiftHeading(heading.start) }))
  const shiftBlock = shifter(inserted)
  const blocks = document.blocks?.map(({ kind, start, end }) => {
    const from = shiftBlock(start)
    return { kind, start: from, end: from + end - start }
  })
  return { ...document, text: pieces.join(''), pages, headings, ...(blocks && { blocks }) }
}

/** Moves positions that are given in ascending order. */
function shifter(inserted: readonly { at: number; length: number }[]): (position: number) => number {
  let [next, moved] = [0, 0]
  return (position) => {
    for (let each = inserted[next]; each && each.at <= position; each = inserted[++next]) moved += each.length
    return position + moved
  }
}
