import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { type Db, isPostgres } from './database.ts'
import type { ListQuery } from './list.ts'
import { areIndexed, contains, containsWord, findByText, idsByText, type TextIndex } from './text-index.ts'

type Cells = Record<string, unknown>
export type Rows = SelectQueryBuilder<Record<string, Cells>, string, Cells>
export type Narrow = (query: Rows) => Rows

/** All of the given conditions in one; undefined if there are none. */
export function narrowBy(...conditions: (Narrow | undefined)[]): Narrow | undefined {
  const defined = conditions.filter((condition) => condition !== undefined)
  return defined.length === 0 ? undefined : (query) => defined.reduce((rows, condition) => condition(rows), query)
}

/** The rows of a list, with the indexes that keep it fast. */
export interface ListSource {
  db: Db
  workspace: string
  /** The rows of the workspace with the filters of the caller, but not those of the query. */
  rows: Rows
  /** The same rows, looked up by a condition on `id`. */
  rowsWith(condition: RawBuilder<boolean>): Rows
  /** The fields that `q` searches. */
  searched: string[]
  filters: Record<string, (query: Rows, value: unknown) => Rows>
  toExpression(field: string): string | RawBuilder<unknown>
  /** Whether a field can be null. Indexes cannot serve an order with nulls last. */
  canBeNull(field: string): boolean
  textIndex: TextIndex | undefined
}

/** Up to this many matches of `q` are sorted. With more, the list is scanned in its order instead. */
const maxMatches = 1000
/** Fewer rows are skipped by reading them. */
const minSkipped = 500

export async function findPage(source: ListSource, query: ListQuery): Promise<{ cells: Cells[]; total: number }> {
  const { limit } = query
  const offset = (query.page - 1) * limit
  const { rows, counted } = await filtered(source, query)
  const total = await countRows(counted)
  if (offset >= total) return { cells: [], total }
  return { cells: await section(source, query, rows, Math.min(limit, total - offset), offset).execute(), total }
}

/** The rows of a list without their number, which takes longer. */
export async function findRows(source: ListSource, query: ListQuery): Promise<Cells[]> {
  const { rows } = await filtered(source, query)
  return ordered(source, query, rows).limit(query.limit).execute()
}

export async function countRows(rows: Rows): Promise<number> {
  const { total } = await rows.select((is) => is.fn.countAll().as('total')).executeTakeFirstOrThrow()
  return Number(total)
}

interface Filtered {
  rows: Rows
  /** The same rows, as they are counted fastest. */
  counted: Rows
}

async function filtered(source: ListSource, query: ListQuery): Promise<Filtered> {
  const { db, workspace, textIndex } = source
  const alike = (rows: Rows): Filtered => ({ rows, counted: rows })
  const rows = withFilters(source, query, source.rows)
  const words = query.q?.toLowerCase().split(/\s+/).filter(Boolean) ?? []
  if (words.length === 0) return alike(rows)
  if (!textIndex || !areIndexed(words)) return alike(searchedFor(source, rows, words))
  const found = { workspace, words }
  const rowsWith = (isFound: RawBuilder<boolean>) => withFilters(source, query, source.rowsWith(isFound))
  const ids = await findByText(db, textIndex, { ...found, limit: maxMatches + 1 })
  if (ids.length > maxMatches)
    return {
      rows: searchedFor(source, rows, words),
      counted: rowsWith(sql<boolean>`id in (${idsByText(db, textIndex, found)})`),
    }
  return alike(
    rowsWith(
      isPostgres(db)
        ? sql<boolean>`id = any(${ids})`
        : sql<boolean>`id in (select value from json_each(${JSON.stringify(ids)}))`,
    ),
  )
}

function withFilters({ filters, toExpression }: ListSource, { where, ranges = [] }: ListQuery, all: Rows): Rows {
  let rows = all
  for (const [field, value] of Object.entries(where))
    rows = filters[field]?.(rows, value) ?? rows.where(toExpression(field), '=', value)
  for (const { field, operator, value } of ranges) rows = rows.where(toExpression(field), operator, value)
  return rows
}

/** Every word must occur in one of the fields. */
const searchedFor = ({ db, searched }: ListSource, rows: Rows, words: string[]): Rows =>
  searched.length === 1
    ? rows.where(contains(db, searched[0] as string, words))
    : words.reduce(
        (query, word) => query.where((is) => is.or(searched.map((field) => containsWord(db, field, word)))),
        rows,
      )

function ordered({ toExpression, canBeNull }: ListSource, { sort, order, fields }: ListQuery, rows: Rows): Rows {
  const selected = fields ? rows.select(fields) : rows.selectAll()
  return selected
    .orderBy(toExpression(sort), (by) => {
      const directed = order === 'asc' ? by.asc() : by.desc()
      return canBeNull(sort) ? directed.nullsLast() : directed
    })
    .orderBy('id', order)
}

/** One page of rows. With a large offset, ids are read from the index first, so that skipped rows are not read. */
function section(source: ListSource, query: ListQuery, rows: Rows, limit: number, offset: number): Rows {
  if (offset < minSkipped) return ordered(source, query, rows).limit(limit).offset(offset)
  const ids = ordered(source, { ...query, fields: ['id'] }, rows)
    .limit(limit)
    .offset(offset)
  return ordered(source, query, source.rowsWith(sql<boolean>`id in ${ids}`))
}
