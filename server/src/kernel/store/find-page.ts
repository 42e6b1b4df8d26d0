import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { type Db, isPostgres } from './database.ts'
import type { ListQuery } from './list.ts'
import { areIndexed, contains, containsWord, findByText, type TextIndex } from './text-index.ts'

type Cells = Record<string, unknown>
export type Rows = SelectQueryBuilder<Record<string, Cells>, string, Cells>
export type Narrow = (query: Rows) => Rows

/** All of the given conditions in one. Undefined if there are none, because a list that is not narrowed is counted faster. */
export function narrowBy(...conditions: (Narrow | undefined)[]): Narrow | undefined {
  const given = conditions.filter((condition) => condition !== undefined)
  return given.length === 0 ? undefined : (query) => given.reduce((rows, condition) => condition(rows), query)
}

/** The rows of a list, with the indexes that keep it fast. */
export interface ListSource {
  db: Db
  workspace: string
  /** The rows of the workspace with the filters of the caller, but not those of the query. */
  rows: Rows
  /** The same rows, looked up by a condition on `id`. */
  rowsWith(condition: RawBuilder<boolean>): Rows
  /** Whether the caller sees only some of the rows. */
  isNarrowed: boolean
  /** The fields that `q` searches. */
  searched: string[]
  filters: Record<string, (query: Rows, value: unknown) => Rows>
  cellOf(field: string): string | RawBuilder<unknown>
  /** Whether a field can be null. Indexes cannot serve an order with nulls last. */
  canBeNull(field: string): boolean
  /** The fields whose values an index can count. */
  counted: readonly string[]
  textIndex: TextIndex | undefined
}

/** The limit of counting with a filter that may have no index. Beyond it, the total is the number of rows known to exist. */
const maxCounted = 10_000
/** Up to this many matches of `q` are sorted. With more, the list is scanned in its order instead. */
const maxMatches = 1000
/** Fewer rows are skipped by reading them. */
const minSkipped = 500

export async function findPage(source: ListSource, query: ListQuery): Promise<{ cells: Cells[]; total: number }> {
  const { limit } = query
  const offset = (query.page - 1) * limit
  const { rows, isLong } = await filtered(source, query)
  const max = isLong ? maxMatches : isCounted(source, query) ? undefined : maxCounted
  const total = await countRows(source.db, rows, max && Math.max(max, offset + limit + 1))
  if (offset >= total) return { cells: [], total }
  return { cells: await section(source, query, rows, Math.min(limit, total - offset), offset).execute(), total }
}

/** The rows of a list without their number, which takes longer. */
export async function findRows(source: ListSource, query: ListQuery): Promise<Cells[]> {
  const { rows } = await filtered(source, query)
  return ordered(source, query, rows).limit(query.limit).execute()
}

/** Whether an index can count the rows. */
const isCounted = ({ isNarrowed, counted }: ListSource, { q, where, ranges = [] }: ListQuery): boolean =>
  !isNarrowed && q === undefined && ranges.length === 0 && Object.keys(where).every((field) => counted.includes(field))

/** Counts rows, at most `max` of them. */
export async function countRows(db: Db, rows: Rows, max?: number): Promise<number> {
  const counted =
    max === undefined
      ? rows
      : (db.selectFrom(rows.select(sql`1`.as('one')).limit(max).as('counted') as never) as unknown as Rows)
  const { total } = await counted.select((is) => is.fn.countAll().as('total')).executeTakeFirstOrThrow()
  return Number(total)
}

async function filtered(source: ListSource, query: ListQuery): Promise<{ rows: Rows; isLong: boolean }> {
  const { db, workspace, textIndex } = source
  const rows = withFilters(source, query, source.rows)
  const words = query.q?.toLowerCase().split(/\s+/).filter(Boolean) ?? []
  if (words.length === 0) return { rows, isLong: false }
  if (!textIndex || !areIndexed(words)) return { rows: searchedFor(source, rows, words), isLong: false }
  const ids = await findByText(db, textIndex, { workspace, words, limit: maxMatches + 1 })
  if (ids.length > maxMatches) return { rows: searchedFor(source, rows, words), isLong: true }
  const isFound = isPostgres(db)
    ? sql<boolean>`id = any(${ids})`
    : sql<boolean>`id in (select value from json_each(${JSON.stringify(ids)}))`
  return { rows: withFilters(source, query, source.rowsWith(isFound)), isLong: false }
}

function withFilters({ filters, cellOf }: ListSource, { where, ranges = [] }: ListQuery, all: Rows): Rows {
  let rows = all
  for (const [field, value] of Object.entries(where))
    rows = filters[field]?.(rows, value) ?? rows.where(cellOf(field), '=', value)
  for (const { field, operator, value } of ranges) rows = rows.where(cellOf(field), operator, value)
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

function ordered({ cellOf, canBeNull }: ListSource, { sort, order, fields }: ListQuery, rows: Rows): Rows {
  const selected = fields ? rows.select(fields) : rows.selectAll()
  return selected
    .orderBy(cellOf(sort), (by) => {
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
