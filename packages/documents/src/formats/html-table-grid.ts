import type { HtmlElement } from './html-dom.ts'

const maxSpan = 50
const maxAddedCells = 50_000

/**
 * Gives every row of every table a cell for each column, because Markdown has no spans: a cell that spans rows is repeated in
 * each of them, and one that spans columns is followed by empty ones. Several rows of titles become one.
 */
export function expandTables(root: HtmlElement): void {
  let room = maxAddedCells
  for (const table of root.querySelectorAll('table')) {
    const rows = [...table.querySelectorAll('tr')].filter((row) => row.closest('table') === table)
    room -= expandSpans(rows, room)
    joinTitles(rows)
  }
}

/** Returns the number of added cells. */
function expandSpans(rows: HtmlElement[], room: number): number {
  let added = 0
  const open = new Map<number, { cell: HtmlElement; rows: number }>()
  for (const [index, row] of rows.entries()) {
    let column = 0
    const below = rows[index + 1]
    const isOverTitles = isTitleRow(row) && below !== undefined && isTitleRow(below)
    const addCopies = (before: HtmlElement | null) => {
      for (let above = open.get(column); above && added < room; above = open.get(column)) {
        row.insertBefore(above.cell.cloneNode(true), before)
        added++
        if (--above.rows === 0) open.delete(column)
        column++
      }
    }
    for (const cell of listCells(row)) {
      addCopies(cell)
      const span = readSpan(cell, 'colspan')
      const rowsBelow = readSpan(cell, 'rowspan') - 1
      cell.removeAttribute('colspan')
      cell.removeAttribute('rowspan')
      const copies = [cell]
      for (; copies.length < span && added < room; added++) {
        const copy = cell.cloneNode(true)
        if (!isOverTitles) copy.textContent = ''
        row.insertBefore(copy, copies.at(-1)?.nextSibling ?? null)
        copies.push(copy)
      }
      for (const copy of copies) {
        if (rowsBelow > 0) open.set(column, { cell: copy, rows: rowsBelow })
        column++
      }
    }
    addCopies(null)
  }
  return added
}

/** Titles over titles are joined by column, so that each column has one. */
function joinTitles(rows: HtmlElement[]): void {
  const end = rows.findIndex((row) => !isTitleRow(row))
  const [last, ...above] = rows.slice(0, Math.max(end, 0)).toReversed()
  if (!last || above.length === 0) return
  const lines = above.toReversed().map(listCells)
  for (const [column, cell] of listCells(last).entries()) {
    const titles = [...lines.map((line) => line[column]), cell].map((each) => each?.textContent?.trim() ?? '')
    cell.textContent = [...new Set(titles)].filter(Boolean).join(' ')
  }
  for (const row of above) row.remove()
}

const isTitleRow = (row: HtmlElement): boolean => {
  const cells = listCells(row)
  return (
    cells.length > 0 && (row.parentElement?.localName === 'thead' || cells.every((cell) => cell.localName === 'th'))
  )
}

export const listCells = (row: HtmlElement): HtmlElement[] =>
  [...row.children].filter(({ localName }) => localName === 'td' || localName === 'th')

const readSpan = (cell: HtmlElement, name: string): number =>
  Math.max(1, Math.min(Math.trunc(Number(cell.getAttribute(name))) || 1, maxSpan))
