import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { type Db, isPostgres } from './database.ts'
import type { ListQuery } from './list.ts'
import { isTallied, startOf, type Tally, talliedTotal } from './tally.ts'
import { areIndexed, contains, containsWord, findByText, type TextIndex } from './text-index.ts'

type Cells = Record<string, unknown>
export type Rows = SelectQueryBuilder<Record<string, Cells>, string, Cells>
export type Narrow = (query: Rows) => Rows

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
  tally: Tally | undefined
  textIndex: TextIndex | undefined
}

/** The limit of counting. Beyond it, the total is the number of rows that are known to exist. */
const maxCounted = 10_000
/** Up to this many matches of `q` are sorted. With more, the list is scanned in its order instead. */
const maxMatches = 1000
/** Fewer rows are skipped one by one. */
const minSkipped = 500

export async function findPage(source: ListSource, query: ListQuery): Promise<{ found: Cells[]; total: number }> {
  const { limit } = query
  const { rows, total, atLeast } = await matching(source, query)
  const offset = (query.page - 1) * limit
  if (total !== undefined && offset >= total) return { found: [], total }
  const start = await skipDays(source, query, rows, offset)
  const most = total === undefined ? limit + 1 : Math.min(limit, total - offset)
  const found = await section(source, query, start.rows, most, start.offset).execute()
  if (total !== undefined) return { found, total }
  if (found.length > limit) return { found: found.slice(0, limit), total: Math.max(atLeast, offset + limit + 1) }
  return { found, total: found.length > 0 || offset === 0 ? offset + found.length : await countOf(source.db, rows) }
}

/** The rows of a list without their number, which takes longer. */
export async function findRows(source: ListSource, query: ListQuery): Promise<Cells[]> {
  const { rows } = await filtered(source, query)
  return ordered(source, query, rows).limit(query.limit).execute()
}

interface Matching {
  rows: Rows
  /** Undefined if there are too many to count. */
  total: number | undefined
  atLeast: number
}

async function matching(source: ListSource, query: ListQuery): Promise<Matching> {
  const { db, workspace, tally } = source
  const { rows, isLong } = await filtered(source, query)
  const isPlain = !source.isNarrowed && query.q === undefined && !hasRanges(query)
  if (tally && isPlain && isTallied(tally, query.where)) {
    return { rows, total: await talliedTotal(db, tally, workspace, query.where), atLeast: 0 }
  }
  const isFiltered = source.isNarrowed || Object.keys(query.where).length > 0 || hasRanges(query)
  if (isLong) return { rows, total: undefined, atLeast: isFiltered ? 0 : maxMatches }
  const counted = await countOf(db, rows, maxCounted + 1)
  return { rows, total: counted > maxCounted ? undefined : counted, atLeast: maxCounted }
}

const hasRanges = ({ ranges = [] }: ListQuery): boolean => ranges.length > 0

/** Counts rows, at most `max` of them. */
export async function countOf(db: Db, rows: Rows, max?: number): Promise<number> {
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

/** Each word is in one of the fields. */
const searchedFor = ({ db, searched }: ListSource, rows: Rows, words: string[]): Rows =>
  searched.length === 1
    ? rows.where(contains(db, searched[0] as string, words))
    : words.reduce(
        (found, word) => found.where((is) => is.or(searched.map((field) => containsWord(db, field, word)))),
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

/** Skips whole days before the page by their counts. */
async function skipDays(
  { db, workspace, tally, isNarrowed }: ListSource,
  query: ListQuery,
  rows: Rows,
  offset: number,
): Promise<{ rows: Rows; offset: number }> {
  const { sort, order, where, q } = query
  const isPlain = !isNarrowed && q === undefined && !hasRanges(query)
  const isCounted = tally?.days.includes(sort) && isPlain && isTallied(tally, where)
  if (!tally || !isCounted || offset < minSkipped) return { rows, offset }
  const start = await startOf(db, tally, { workspace, filters: where, sort, order, offset })
  if (!start) return { rows, offset }
  const from = order === 'asc' ? rows.where(sort, '>=', start.day) : rows.where(sort, '<=', `${start.day}T24`)
  return { rows: from, offset: start.offset }
}
