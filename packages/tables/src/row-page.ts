import { readRows } from './rows.ts'
import type { Column, Row } from './table.ts'

export interface Range {
  offset: number
  limit: number
  /** Only rows that contain this text, in upper or lower case. */
  q?: string
}

export interface RowPage {
  /** With their numbers in the table, from 1. */
  rows: (Row & { row: number })[]
  total: number
}

export function readPage(text: string, columns: readonly Column[], { offset, limit, q = '' }: Range): RowPage {
  const wanted = q.trim().toLowerCase()
  const page: RowPage = { rows: [], total: 0 }
  let row = 0
  for (const each of readRows(text, columns)) {
    row++
    if (!text.slice(each.start, each.end).toLowerCase().includes(wanted)) continue
    if (page.total >= offset && page.rows.length < limit) page.rows.push({ ...each, row })
    page.total++
  }
  return page
}
