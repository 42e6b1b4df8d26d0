import { type CellObject, read, type WorkBook } from '@e965/xlsx'
import {
  type Block,
  DocumentError,
  damaged,
  errorMessage,
  type Heading,
  type Limits,
  type Page,
  type ParsedDocument,
} from '../document.ts'
import { TextWriter } from '../text-writer.ts'
import { pack, Zip } from '../zip.ts'
import { tableRow } from './markdown-table.ts'
import { officeMetadata } from './office.ts'

const maxEmptyRows = 2

type Rows = (CellObject | undefined)[][]

/** A sheet is a page with its name as heading. Rows without empty rows between them are a table. */
export function parseXlsx(bytes: Uint8Array, limits: Limits): ParsedDocument {
  const zip = new Zip(bytes, limits)
  const book = readBook(
    pack(zip.unpack((name) => !/^xl\/(?:media|drawings|printerSettings|charts|theme)\//.test(name))),
  )
  const writer = new TextWriter(limits.textCharacters)
  const pages: Page[] = []
  const headings: Heading[] = []
  const blocks: Block[] = []
  book.SheetNames.forEach((name, index) => {
    if (writer.length > 0) writer.write('\n\n')
    const start = writer.write(`# ${name}`)
    headings.push({ level: 1, title: name, start })
    blocks.push({ kind: 'heading', start, end: writer.length })
    writeSheet(writer, cellsOf(book, name), blocks)
    pages.push({ number: index + 1, start, end: writer.length })
  })
  return { text: writer.toString(), pages, headings, blocks, metadata: officeMetadata(zip), warnings: [] }
}

function readBook(bytes: Uint8Array): WorkBook {
  try {
    return read(bytes, { type: 'array', dense: true, cellFormula: false, cellHTML: false, dateNF: 'yyyy-mm-dd' })
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

/** Only existing cells: the declared size of a sheet may be a million empty rows. */
const cellsOf = (book: WorkBook, name: string): Rows => book.Sheets[name]?.['!data'] ?? []

function writeSheet(writer: TextWriter, cells: Rows, blocks: Block[]): void {
  const columns = usedColumns(cells)
  let group: string[][] = []
  let last = -1
  cells.forEach((row, number) => {
    if (!row) return
    const values = columns.map((column) => cellText(row[column]))
    if (values.every((value) => value === '')) return
    if (startsNewGroup(group, values, number - last - 1)) {
      writeGroup(writer, group, blocks)
      group = []
    }
    group.push(values.slice(0, values.findLastIndex((value) => value !== '') + 1))
    last = number
  })
  writeGroup(writer, group, blocks)
}

/** A few empty rows do not end a table, but they separate a table from a note. */
function startsNewGroup(group: string[][], row: string[], emptyRows: number): boolean {
  return emptyRows > maxEmptyRows || (emptyRows > 0 && group.every(isNote) !== isNote(row))
}

const isNote = (row: string[]): boolean => row.filter((value) => value !== '').length <= 1

function usedColumns(cells: Rows): number[] {
  const used = new Set<number>()
  cells.forEach((row) => {
    row?.forEach((cell, column) => {
      if (cellText(cell) !== '') used.add(column)
    })
  })
  return [...used].sort((a, b) => a - b)
}

function writeGroup(writer: TextWriter, rows: string[][], blocks: Block[]): void {
  if (rows.length === 0) return
  writer.write('\n\n')
  const start = writer.length
  const note = rows.every(isNote)
  rows.forEach((row, index) => {
    if (index > 0) writer.write('\n')
    writer.write(note ? row.join('') : tableRow(row))
    if (index === 0 && !note) writer.write(`\n|${' --- |'.repeat(row.length)}`)
  })
  blocks.push({ kind: note ? 'paragraph' : 'table', start, end: writer.length })
}

const cellText = (cell: CellObject | undefined): string => (cell ? String(cell.w ?? cell.v ?? '').trim() : '')
