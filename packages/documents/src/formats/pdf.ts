import { getDocumentProxy } from 'unpdf'
import {
  DocumentError,
  damaged,
  isOutOfMemory,
  type Limits,
  type OnProgress,
  OutOfMemory,
  type Page,
  type ParsedDocument,
  ScanError,
} from '../document.ts'
import { blankPagesWarning, listed } from '../ocr/scans.ts'
import { checkStructure, tooManyPages } from '../pdf-structure.ts'
import { TextWriter } from '../text-writer.ts'
import { headingsFromOutline, headingsFromType, type OutlineEntry, type PlacedLine } from './pdf-headings.ts'
import { type Line, markParagraphs, pageLines, type TextItem } from './pdf-lines.ts'
import { tableBlocks, withoutRepeatedHeads } from './pdf-long-tables.ts'
import { turnedUpright } from './pdf-page-direction.ts'
import { isPicture } from './pdf-pictures.ts'
import { isRightToLeft, withOrderedLigatures } from './pdf-right-to-left.ts'
import { withoutRunningHeads } from './pdf-running-heads.ts'
import { withTables } from './pdf-tables.ts'
import { buildVocabulary, joinLines } from './pdf-text.ts'
import { withVerticalTitles } from './pdf-vertical-titles.ts'

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>

const maxOutlineEntries = 5_000

export async function parsePdf(
  bytes: Uint8Array,
  limits: Limits,
  onPage: OnProgress = () => {},
): Promise<ParsedDocument> {
  checkStructure(bytes, limits.pages)
  const pdf = await open(bytes)
  try {
    if (pdf.numPages === 0) throw new DocumentError('no_text', 'The PDF has no pages.')
    if (pdf.numPages > limits.pages) throw tooManyPages(pdf.numPages, limits.pages)
    const { read, unreadable, blank, scanned } = await readPages(pdf, onPage)
    const toRecognize = [...blank, ...scanned].sort((a, b) => a - b)
    const { text, pages, lines } = writePages(read, limits)
    if (text.trim() === '') throw new ScanError(pdf.numPages)
    const outline = await readOutline(pdf).catch(() => [])
    const structure =
      outline.length > 0
        ? headingsFromOutline(
            outline,
            lines,
            pages.map(({ start }) => start),
          )
        : headingsFromType(lines)
    const tables = lines.filter(({ isTable }) => isTable)
    const blocks = [...structure.blocks, ...tableBlocks(tables)].sort((a, b) => a.start - b.start)
    return {
      text,
      pages,
      headings: structure.headings,
      blocks,
      metadata: await readMetadata(pdf),
      warnings: pageWarnings(unreadable, blank),
      ...(toRecognize.length > 0 && { blankPages: toRecognize }),
    }
  } finally {
    await pdf.loadingTask.destroy()
  }
}

async function open(bytes: Uint8Array): Promise<Pdf> {
  try {
    return await getDocumentProxy(bytes, { verbosity: 0, maxImageSize: maxPixels })
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') {
      throw new DocumentError(
        'encrypted',
        'The PDF is protected by a password; save it without one and upload it again.',
      )
    }
    throw isOutOfMemory(error) ? new OutOfMemory() : damaged('PDF', error)
  }
}

const maxPixels = 60_000_000
/** A page with more text than this is read as it is. */
const maxStamp = 100

interface ReadPages {
  read: Line[][]
  /** Numbers of pages that are damaged. */
  unreadable: number[]
  /** Numbers of other pages without text. */
  blank: number[]
  /** Numbers of pages that are one picture with a stamp or a page number on it. */
  scanned: number[]
}

async function readPages(pdf: Pdf, onPage: OnProgress): Promise<ReadPages> {
  const read: Line[][] = []
  const unreadable: number[] = []
  const scanned: number[] = []
  for (let number = 1; number <= pdf.numPages; number++) {
    const lines = await linesOfPage(pdf, number).catch((error: unknown) => {
      if (isOutOfMemory(error)) throw new OutOfMemory()
      unreadable.push(number)
      return []
    })
    read.push(lines)
    const length = lines.reduce((sum, { text }) => sum + text.length, 0)
    if (length > 0 && length <= maxStamp && (await isPicture(pdf, number))) scanned.push(number)
    onPage(number, pdf.numPages)
  }
  if (unreadable.length === pdf.numPages)
    throw new DocumentError('broken', 'The PDF is damaged: no page of it can be read.')
  const blank = read.flatMap((lines, index) => (lines.length === 0 ? [index + 1] : []))
  return { read, unreadable, scanned, blank: blank.filter((number) => !unreadable.includes(number)) }
}

function writePages(read: Line[][], limits: Limits): { text: string; pages: Page[]; lines: PlacedLine[] } {
  const writer = new TextWriter(limits.textCharacters)
  const pages: Page[] = []
  const lines: PlacedLine[] = []
  const laidOut = withoutRepeatedHeads(withoutRunningHeads(read).map(withTables))
  const vocabulary = buildVocabulary(laidOut)
  let lastLine = ''
  for (const [index, own] of laidOut.entries()) {
    markParagraphs(own)
    if (own.length > 0 && writer.length > 0)
      writer.write(own[0]?.continues || continuesSentence(lastLine, own[0]?.text ?? '') ? '\n' : '\n\n')
    const { text, starts } = joinLines(own, vocabulary)
    const start = writer.write(text)
    pages.push({ number: index + 1, start, end: writer.length })
    for (const [at, line] of own.entries()) lines.push({ ...line, start: start + (starts[at] ?? 0), page: index + 1 })
    lastLine = own.at(-1)?.text ?? lastLine
  }
  return { text: writer.toString(), pages, lines }
}

async function linesOfPage(pdf: Pdf, number: number) {
  const page = await pdf.getPage(number)
  const content = await page.getTextContent()
  const items = content.items.filter((item): item is typeof item & TextItem => 'str' in item)
  const isOrdered = !items.some(({ str }) => isRightToLeft(str))
  const ordered = isOrdered ? items : withOrderedLigatures(items, await glyphsOfPage(page).catch(noGlyphs))
  page.cleanup()
  return withVerticalTitles(pageLines(turnedUpright(ordered)))
}

/** The text of a page can be read even if its pictures are damaged. */
function noGlyphs(error: unknown): [] {
  if (isOutOfMemory(error)) throw new OutOfMemory()
  return []
}

/** The texts of the glyphs in the order in which they are drawn. */
async function glyphsOfPage(page: Awaited<ReturnType<Pdf['getPage']>>): Promise<string[]> {
  const { argsArray } = await page.getOperatorList()
  const drawn = argsArray.flatMap((args: unknown) => (Array.isArray(args) && Array.isArray(args[0]) ? args[0] : []))
  return drawn.flatMap((glyph: unknown) => {
    const text = typeof glyph === 'object' && glyph !== null ? Reflect.get(glyph, 'unicode') : undefined
    return typeof text === 'string' ? [text] : []
  })
}

/** Whether a sentence continues on the next page. */
const continuesSentence = (last: string, first: string): boolean =>
  /[\p{Ll}\p{N},;-]$/u.test(last) && /^\p{Ll}/u.test(first)

function pageWarnings(unreadable: number[], blank: number[]): string[] {
  const warnings: string[] = []
  if (unreadable.length > 0) warnings.push(`These pages are damaged and were left out: ${listed(unreadable)}.`)
  if (blank.length > 0) warnings.push(blankPagesWarning(blank))
  return warnings
}

type OutlineNode = Awaited<ReturnType<Pdf['getOutline']>>[number]

async function readOutline(pdf: Pdf): Promise<OutlineEntry[]> {
  const entries: OutlineEntry[] = []
  const waiting = ((await pdf.getOutline()) ?? []).map((node) => ({ node, level: 1 })).reverse()
  for (let next = waiting.pop(); next && entries.length < maxOutlineEntries; next = waiting.pop()) {
    const { node, level } = next
    const page = await resolvePage(pdf, node).catch(() => undefined)
    const title = node.title.replace(/\s+/g, ' ').trim()
    if (page !== undefined && title !== '') entries.push({ title, level, page })
    for (const child of node.items.toReversed()) waiting.push({ node: child, level: level + 1 })
  }
  return entries
}

async function resolvePage(pdf: Pdf, { dest }: OutlineNode): Promise<number | undefined> {
  const place = typeof dest === 'string' ? await pdf.getDestination(dest) : dest
  const target: unknown = place?.[0]
  if (typeof target === 'number') return target + 1
  return isReference(target) ? (await pdf.getPageIndex(target)) + 1 : undefined
}

const isReference = (value: unknown): value is { num: number; gen: number } =>
  typeof value === 'object' && value !== null && 'num' in value && 'gen' in value

async function readMetadata(pdf: Pdf): Promise<Record<string, string>> {
  const info: unknown = await pdf.getMetadata().then(
    (metadata) => metadata.info,
    () => ({}),
  )
  const field = (name: string): string => {
    const value = typeof info === 'object' && info !== null ? Reflect.get(info, name) : undefined
    return typeof value === 'string' && !/^\(?(?:anonymous|unspecified|untitled)\)?$/i.test(value) ? value.trim() : ''
  }
  const named = {
    title: field('Title'),
    author: field('Author'),
    subject: field('Subject'),
    keywords: field('Keywords'),
  }
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== ''))
}
