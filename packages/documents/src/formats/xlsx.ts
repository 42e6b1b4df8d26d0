import { type CellObject, type Range, read, utils, type WorkBook, type WorkSheet } from '@e965/xlsx'
import {
  type Block,
  DocumentError,
  damaged,
  errorMessage,
  type Heading,
  type Limits,
  type Page,
  type ParsedDocument,
  type Settings,
} from '../document.ts'
import { TextWriter } from '../text-writer.ts'
import { pack, Zip } from '../zip.ts'
import { tableRow } from './markdown-table.ts'
import { officeMetadata } from './office.ts'
import { openDocumentMetadata } from './open-document.ts'
import { type SheetPart, type SheetRange, type SheetRow, sheetParts } from './sheet-parts.ts'
import { chartNotes, declaredTables, openDocumentTables } from './workbook-parts.ts'

const maxMergedRows = 1_000

export function parseXlsx(bytes: Uint8Array, limits: Limits, settings: Settings): ParsedDocument {
  const zip = new Zip(bytes, limits)
  const isNeeded = (name: string) => !/^xl\/(?:media|drawings|printerSettings|charts|theme)\//.test(name)
  const declared = { tables: declaredTables(zip), charts: chartNotes(zip) }
  return bookDocument(readBook(pack(zip.unpack(isNeeded))), limits, settings, officeMetadata(zip), declared)
}

export function parseOds(bytes: Uint8Array, limits: Limits, settings: Settings): ParsedDocument {
  const zip = new Zip(bytes, limits)
  const isNeeded = (name: string) => !/^(?:Pictures|Thumbnails|Object [^/]*)\//.test(name)
  const declared = { tables: openDocumentTables(zip), charts: new Map() }
  return bookDocument(readBook(pack(zip.unpack(isNeeded))), limits, settings, openDocumentMetadata(zip), declared)
}

/** The contents of the parts of a workbook beside its sheets, by the name of a sheet. */
interface Declared {
  tables: Map<string, SheetRange[]>
  charts: Map<string, string[]>
}

/** A sheet is a page with its name as heading. */
function bookDocument(
  book: WorkBook,
  limits: Limits,
  { hiddenSheets = false }: Settings,
  metadata: Record<string, string>,
  { tables, charts }: Declared,
): ParsedDocument {
  const writer = new TextWriter(limits.textCharacters)
  const pages: Page[] = []
  const headings: Heading[] = []
  const blocks: Block[] = []
  const isLeftOut = (index: number) => !hiddenSheets && Boolean(book.Workbook?.Sheets?.[index]?.Hidden)
  book.SheetNames.forEach((name, index) => {
    if (isLeftOut(index)) return
    if (writer.length > 0) writer.write('\n\n')
    const start = writer.write(`# ${name}`)
    headings.push({ level: 1, title: name, start })
    blocks.push({ kind: 'heading', start, end: writer.length })
    const sheet = book.Sheets[name]
    const notes = [...(charts.get(name) ?? []), ...readComments(sheet)]
    for (const part of sheetParts(readRows(sheet), tables.get(name))) writePart(writer, part, blocks)
    if (notes.length > 0) writePart(writer, { notes }, blocks)
    pages.push({ number: index + 1, start, end: writer.length })
  })
  const hidden = book.SheetNames.filter((_, index) => isLeftOut(index))
  return {
    text: writer.toString(),
    pages,
    headings,
    blocks,
    metadata,
    warnings: hidden.length > 0 ? [`Hidden sheets were left out: ${hidden.join(', ')}.`] : [],
  }
}

function readBook(bytes: Uint8Array): WorkBook {
  try {
    return read(bytes, {
      type: 'array',
      dense: true,
      cellFormula: true,
      sheetStubs: true,
      cellHTML: false,
      dateNF: 'yyyy-mm-dd',
    })
  } catch (error) {
    if (error instanceof RangeError) throw error
    if (/password|encrypt/i.test(errorMessage(error))) {
      throw new DocumentError(
        'encrypted',
        'The workbook is protected by a password; save it without one and upload it again.',
      )
    }
    throw damaged('workbook', error)
  }
}

/** Only existing rows: the declared size of a sheet may be a million empty ones. */
function* readRows(sheet: WorkSheet | undefined): Generator<[number, SheetRow]> {
  const rows: (CellObject | undefined)[][] = sheet?.['!data'] ?? []
  repeatDown(rows, sheet?.['!merges'] ?? [])
  for (const key of Object.keys(rows)) {
    const row: SheetRow = []
    rows[Number(key)]?.forEach((cell, column) => {
      const text = cellText(cell)
      if (text !== '') row.push({ column, text })
    })
    if (row.length > 0) yield [Number(key), row]
  }
}

/** Comments follow the sheet, because a table has no place for them. */
function readComments(sheet: WorkSheet | undefined): string[] {
  const rows: (CellObject | undefined)[][] = sheet?.['!data'] ?? []
  return Object.keys(rows).flatMap((row) =>
    (rows[Number(row)] ?? []).flatMap((cell, column) =>
      (cell?.c ?? []).flatMap(({ a: author, t: text }) => {
        const place = utils.encode_cell({ r: Number(row), c: column })
        const comment = text?.replace(/\s+/g, ' ').trim()
        return comment ? [`Comment on ${place}${author ? ` by ${author}` : ''}: ${comment}`] : []
      }),
    ),
  )
}

/** A cell that is merged with cells below it counts for all of these rows. */
function repeatDown(rows: (CellObject | undefined)[][], merges: Range[]): void {
  for (const { s: from, e: to } of merges) {
    const cell = rows[from.r]?.[from.c]
    if (!cell || from.c !== to.c) continue
    for (let at = from.r + 1; at <= Math.min(to.r, from.r + maxMergedRows); at++) {
      const row = rows[at]
      if (row) row[from.c] = cell
    }
  }
}

function writePart(writer: TextWriter, part: SheetPart, blocks: Block[]): void {
  writer.write('\n\n')
  const start = writer.length
  if ('notes' in part) writer.write(part.notes.join('\n'))
  else {
    writer.write(`${tableRow(part.head)}\n|${' --- |'.repeat(part.head.length)}`)
    for (const row of part.rows) writer.write(`\n${tableRow(row)}`)
  }
  blocks.push({ kind: 'notes' in part ? 'paragraph' : 'table', start, end: writer.length })
}

/** A formula that was never computed is shown as such. */
const cellText = (cell: CellObject | undefined): string =>
  cell ? String(cell.w ?? cell.v ?? (cell.f ? `=${cell.f}` : '')).trim() : ''
