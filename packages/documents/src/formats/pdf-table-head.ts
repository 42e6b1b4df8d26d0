import { isFigure } from './figures.ts'
import { type Column, cellsIn, columnAt, overlap, overlapped } from './pdf-columns.ts'
import type { Cell } from './pdf-lines.ts'
import type { Row } from './pdf-rows.ts'

const maxHeadRows = 12
const maxTitleLength = 60
/** Titles of sections between the titles of the columns and the first row. */
const maxSections = 4
/** In multiples of the size of the type. The lines of one title are closer to each other than to another title. */
export const lineDistance = 1.35

export interface Head {
  titles: Row[]
  sections: Row[]
}

/** "Payment due: 11 April 2026" is a field of a letter or an invoice, and no title of a column. */
export const isField = ({ cells, isWhole }: Row): boolean =>
  !isWhole && cells.some(({ text }) => /^\p{Lu}[\p{L} .]{1,40}: \S/u.test(text))

/** Rows above a table that stand over its columns are taken from the text: they are its titles. */
export function takeHead(above: Row[], first: Row, columns: Column[]): Head {
  const [labels, values] = columns
  const titles: Row[] = []
  const sections: Row[] = []
  if (!labels || !values) return { titles, sections }
  const { right } = extent(columns)
  let below = first
  for (let at = above.length - 1; at >= 0 && titles.length < maxHeadRows; at--) {
    const row = above[at]
    if (!row || Math.abs(row.bottom - below.y) > 3 * Math.max(row.fontSize, below.fontSize)) break
    const [cell] = row.cells
    if (!cell || isField(row) || row.cells.some(({ text }) => text.length > maxTitleLength || isFigure(text))) break
    if (row.cells.some(({ x }) => x > right)) break
    const isOver = row.cells.length > 1 || cell.x >= labels.x + (values.x - labels.x) * 0.3
    if (isOver && isCaption(row, columns)) {
      // The lines of a caption are centred below each other.
      while (titles[0]?.cells.length === 1 && distance(cell, titles[0].cells[0] ?? cell) < 2) titles.shift()
      break
    }
    if (isOver) titles.unshift(row)
    else if (titles.length === 0 && sections.length < maxSections && cell.right <= values.x) sections.unshift(row)
    else break
    below = row
  }
  if (titles.length === 0) return { titles, sections: [] }
  above.splice(above.length - titles.length - sections.length)
  return { titles, sections }
}

/** A caption stands over the middle of the whole table or page, a title over the middle of its columns. */
function isCaption({ cells: [cell, ...more] }: Row, columns: Column[]): boolean {
  const [labels, ...values] = columns
  if (!cell || !labels || more.length > 0) return false
  const [table, figures] = [extent([labels, ...values]), extent(values)]
  const shift = distance(cell, table)
  const isAcross = cell.x < labels.right && labels.right < cell.right && (cell.x + cell.right) / 2 < figures.x
  return isAcross || (shift < distance(cell, figures) && shift < (table.right - table.x) * 0.05)
}

const extent = (columns: Column[]): Column => ({
  x: Math.min(...columns.map(({ x }) => x)),
  right: Math.max(...columns.map(({ right }) => right)),
})

const distance = (a: Column, b: Column): number => Math.abs(a.x + a.right - b.x - b.right) / 2

/** How many rows of the table itself are titles: those before the first figures that name columns, periods or units. */
export function ownTitles(rows: Row[], head: Row[], columns: Column[]): number {
  const withFigures = rows.findIndex(({ cells }) =>
    cells.slice(1).some(({ text }) => /\d/.test(text) && isFigure(text)),
  )
  if (withFigures === -1) return head.length === 0 && looksLikeTitles(rows, columns) ? 1 : 0
  const named = new Set(head.flatMap((row) => valueColumns(row, columns)))
  const others = rows.findIndex((row, at) => {
    const own = valueColumns(row, columns)
    const isTitle =
      !hasLabel(row, columns) ||
      (own.length > 0 && (hasPeriod(row) || own.some((column) => !named.has(column)))) ||
      endsTitles(row, [...head, ...rows.slice(0, at)], columns)
    for (const column of own) named.add(column)
    return !isTitle
  })
  return others === -1 ? withFigures : Math.min(others, withFigures)
}

/** The first row of a table without figures has the titles, unless it is like the rows below it. */
function looksLikeTitles([first, second]: Row[], columns: Column[]): boolean {
  const shape = (row: Row | undefined) => row?.cells[0]?.text.replace(/\d+/g, '0')
  const isNumbered = /\d/.test(first?.cells[0]?.text ?? '') && shape(first) === shape(second)
  // Labels and their values are pairs without titles, unless the first row is set in another font.
  const isPair = columns.length === 2 && first?.endFont === second?.endFont
  return first !== undefined && !isNumbered && !isPair && first.cells.every(({ text }) => text.length <= maxTitleLength)
}

/** Whether the titles above a row go on in it: it is close to them, and none of them is for the labels. */
function endsTitles({ y, fontSize }: Row, titles: Row[], columns: Column[]): boolean {
  const last = titles.at(-1)
  return last !== undefined && last.y - y <= lineDistance * fontSize && !titles.some((row) => hasLabel(row, columns))
}

const hasLabel = ({ cells }: Row, [labels]: Column[]): boolean =>
  cells.some((cell) => labels !== undefined && overlap(cell, labels))

const hasPeriod = ({ cells }: Row): boolean => cells.slice(1).some(({ text }) => /^\d{4}\b/.test(text))

const valueColumns = (row: Row, columns: Column[]): number[] =>
  row.cells.flatMap((cell) => overlapped(columns, cell)).filter((column) => column > 0)

/** The title of each column. The title of a group is repeated for each of its columns. */
export function readTitles(head: Row[], columns: Column[]): string[] {
  const titles: string[][] = columns.map(() => [])
  const rows = byHeight(head).map((row) => ({ ...row, cells: titleCells(row, columns) }))
  const shares = rows.map(({ cells }, at) => repeatedGroups(cells, rows[at + 1]?.cells ?? [], columns))
  for (const [at, { cells, y, fontSize }] of rows.entries()) {
    const below = rows[at + 1]
    const isClose = below !== undefined && y - below.y <= lineDistance * fontSize
    for (const [place, cell] of cells.entries()) {
      const under = isClose ? below.cells.find((other) => overlap(cell, other)) : undefined
      // A title goes on in the line below it. Years are complete by themselves, so that the title above is that of a group.
      const single = under && !/^\d{4}\b/.test(under.text)
      const own = shares[at]?.[place] ?? (single ? [] : findGroup(cell, cells, columns))
      const groups = shares[at + 1]?.filter((share) => share.some((column) => own.includes(column))) ?? []
      const group = groups.length > 1 ? groups.flat() : own
      for (const column of group.length > 0 ? group : [columnAt(columns, cell)]) titles[column]?.push(cell.text)
    }
  }
  return titles.map((parts) => [...new Set(parts)].join(' '))
}

/** The columns under each of several groups, if the titles below them repeat: 2023, 2024, 2023, 2024. */
function repeatedGroups(groups: Cell[], below: Cell[], columns: Column[]): number[][] {
  const [labels, ...values] = columns
  const titles = below.filter((cell) => labels === undefined || !overlap(cell, labels)).map(({ text }) => text)
  const size = titles.length / groups.length
  const isRepeated = titles.every((text, at) => text === titles[at % size]) && new Set(titles).size === size
  if (groups.length < 2 || size < 2 || titles.length !== values.length || !isRepeated) return []
  return groups.map((_, at) => Array.from({ length: size }, (_, place) => at * size + place + 1))
}

function byHeight(rows: Row[]): Row[] {
  const joined: Row[] = []
  for (const row of rows.toSorted((a, b) => b.y - a.y)) {
    const last = joined.at(-1)
    if (last && last.y - row.y < 3) last.cells = [...last.cells, ...row.cells].sort((a, b) => a.x - b.x)
    else joined.push({ ...row })
  }
  return joined
}

/** Two titles with a narrow gap between them are one cell; the gap stands between two columns. */
function titleCells(row: Row, columns: Column[]): Cell[] {
  return row.cells.flatMap((cell) => {
    const parts = cellsIn(columns, { ...row, cells: [cell] })
    return parts.every((part) => overlapped(columns, part).length < 2) ? parts : [cell]
  })
}

/** The columns under a title: as many as there are on both sides of its middle without a title of their own beside it. */
function findGroup(cell: Cell, row: Cell[], columns: Column[]): number[] {
  const own = overlapped(columns, cell)
  if (own[0] === 0) return [0]
  const taken = new Set(row.filter((other) => other !== cell).map((other) => columnAt(columns, other)))
  const free = [...columns.keys()].slice(1).filter((column) => !taken.has(column))
  const tolerance = (extent(columns.slice(1)).right - (columns[1]?.x ?? 0)) / (columns.length - 1) / 4
  let best = own.length > 1 ? own : []
  for (const first of free)
    for (let last = first; free.includes(last); last++) {
      const group = columns.slice(first, last + 1)
      const isOver = own.every((column) => column >= first && column <= last) && overlap(cell, extent(group))
      if (isOver && group.length > best.length && distance(cell, extent(group)) <= tolerance)
        best = [...columns.keys()].slice(first, last + 1)
    }
  return best
}
