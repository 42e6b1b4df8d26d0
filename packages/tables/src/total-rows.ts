import { readRows } from './rows.ts'
import type { Column } from './table.ts'
import type { Cell } from './values.ts'

const words =
  '(?:grand|sub|overall|net)?[- ]?totals?|sum|summen?|(?:gesamt|zwischen|end)summe|gesamt|insgesamt|total(?:e|en|es|is|t)|totaal|razem|celkem|итого|всего|合计|总计|合計|총계|합계|المجموع|الإجمالي|toplam|tổng(?: cộng)?|รวม|कुल'
const exact = new RegExp(`^[*_]*(?:${words})[*_]*\\s*:?[*_]*$`, 'iu')
const average = /^[*_]*(?:averages?|durchschnitt|mittelwert|moyenne|promedio)[*_]*\s*:?[*_]*$/i
const prefixed = new RegExp(`^[*_]*(?:${words})(?![\\p{L}\\p{N}])`, 'iu')
const maxRows = 100
const rounding = 0.02

/** The position of the label that says that a row sums up others, or -1. A group may stand before it. */
export function totalLabel(cells: readonly string[]): number {
  const first = cells.findIndex((cell) => cell !== '')
  const second = cells.findIndex((cell, at) => at > first && cell !== '')
  if (average.test(cells[first] ?? '')) return first
  return [first, second].find((at) => exact.test(cells[at] ?? '')) ?? -1
}

/** Whether a row may sum up others, which its numbers have to show. */
export const maybeTotal = (cells: readonly string[]): boolean => prefixed.test(cells.find((cell) => cell !== '') ?? '')

/** Rows by their numbers, from 1. */
interface Candidates {
  /** They have the label of a total. */
  labelled: ReadonlySet<number>
  /** Their label begins like that of a total. */
  likely: ReadonlySet<number>
  /** The last row, if it has no label. */
  unlabelled: number | null
}

/** The rows that sum up others: by their label, or, where it is longer or missing, if their numbers are sums of those above. */
export function totalRows(text: string, columns: readonly Column[], candidates: Candidates): number[] {
  const { labelled, likely, unlabelled } = candidates
  if (labelled.size === 0 && likely.size === 0 && unlabelled === null) return []
  const numbers = columns.flatMap(({ type }, at) => (type === 'number' ? [at] : []))
  const totals: number[] = []
  const sums = numbers.map((): Sum => ({ all: 0, part: 0, rows: 0, partRows: 0 }))
  let row = 0
  for (const { cells } of readRows(text, columns)) {
    row++
    const values = numbers.map((at) => cells[at] ?? null)
    const summed = values.filter((value, at) => isSum(value, sums[at] as Sum)).length
    const isTotal =
      labelled.has(row) ||
      (likely.has(row) && summed > 0) ||
      (unlabelled === row && summed > 0 && summed === values.filter((value) => value !== null).length)
    if (isTotal && totals.length < maxRows) totals.push(row)
    for (const [at, sum] of sums.entries()) {
      const value = values[at]
      if (isTotal) sum.part = sum.partRows = 0
      else if (typeof value === 'number') {
        sum.all += value
        sum.part += value
        sum.rows++
        sum.partRows++
      }
    }
  }
  // A table of nothing but totals has none.
  return totals.length < row ? totals : []
}

/** Sums and counts of the rows above that are no totals: of all of them, and of the part since the last total. */
interface Sum {
  all: number
  rows: number
  part: number
  partRows: number
}

/** The sum of one row proves nothing. */
const isSum = (value: Cell, { all, rows, part, partRows }: Sum): boolean =>
  typeof value === 'number' &&
  value !== 0 &&
  ((rows > 1 && isNear(value, all)) || (partRows > 1 && isNear(value, part)))

const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= rounding
