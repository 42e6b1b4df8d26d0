import type { ReadStatement } from './statement.ts'
import { isName, type Token } from './tokens.ts'

/** A statement with a last column for each table in its FROM clause: the row numbers that a result row rests on. */
export interface TrackedStatement {
  sql: string
  /** The tables of these columns, in lower case. One may be there several times, under different aliases. */
  tables: string[]
}

const clauses = new Set(['where', 'group', 'having', 'window', 'order', 'limit'])
const joinWords = new Set(['join', 'natural', 'left', 'right', 'full', 'outer', 'inner', 'cross'])
const compounds = new Set(['union', 'intersect', 'except'])
const aggregates = new Set([
  'count',
  'sum',
  'avg',
  'min',
  'max',
  'total',
  'group_concat',
  'string_agg',
  'json_group_array',
  'json_group_object',
  'median',
])

/**
 * Adds the row numbers of the tables in the outermost FROM clause to the results: the number of each row, or in a grouped result the
 * numbers of all rows of the group. Null if the statement has no such tables, or joins several SELECTs.
 */
export function trackRows(
  { sql, tokens }: ReadStatement,
  tables: ReadonlySet<string>,
  columnCount: number,
): TrackedStatement | null {
  const outer = tokens.filter(({ depth }) => depth === 0)
  const from = outer.findIndex(({ kind, value }) => kind === 'word' && value === 'from')
  const select = outer.findIndex(({ kind, value }) => kind === 'word' && value === 'select')
  if (select < 0 || from < select || outer.some(({ kind, value }) => kind === 'word' && compounds.has(value)))
    return null
  const hidden = commonTables(outer.slice(0, select))
  const end = outer.findIndex(({ kind, value }, at) => at > from && kind === 'word' && clauses.has(value))
  const sources = tablesIn(outer.slice(from + 1, end < 0 ? outer.length : end)).filter(
    ({ table }) => tables.has(table) && !hidden.has(table),
  )
  if (sources.length === 0) return null
  const fromToken = outer[from] as Token
  const isGrouped = outer.some(({ kind, value }, at) => at > from && kind === 'word' && value === 'group')
  const isDistinct = outer[select + 1]?.kind === 'word' && outer[select + 1]?.value === 'distinct'
  const isAggregate = isGrouped || hasAggregate(sql, tokens, (outer[select] as Token).end)
  if (isDistinct && (isAggregate || hasWindow(tokens))) return null
  const numbers = sources.map(({ alias }) =>
    isAggregate || isDistinct ? `json_group_array(DISTINCT ${alias}.rowid)` : `${alias}.rowid`,
  )
  const list = sql.slice(0, fromToken.start).trimEnd()
  const tracked = `${isDistinct ? withoutDistinct(list, outer[select + 1] as Token) : list}, ${numbers.join(', ')} `
  const rest = sql.slice(fromToken.start)
  return {
    sql: tracked + (isDistinct ? groupedByAll(rest, fromToken.start, outer, from, columnCount) : rest),
    tables: sources.map(({ table }) => table),
  }
}

const withoutDistinct = (list: string, { start, end }: Token): string => list.slice(0, start) + list.slice(end)

/** `SELECT DISTINCT a, b` has the same rows as `SELECT a, b … GROUP BY 1, 2`. */
function groupedByAll(rest: string, offset: number, outer: Token[], from: number, columnCount: number): string {
  const after = outer.find(
    ({ kind, value }, at) => at > from && kind === 'word' && ['window', 'order', 'limit'].includes(value),
  )
  const at = after ? after.start - offset : rest.length
  const columns = Array.from({ length: columnCount }, (_, index) => index + 1)
  return `${rest.slice(0, at).trimEnd()} GROUP BY ${columns.join(', ')} ${rest.slice(at)}`
}

/** The names that WITH defines. They hide tables of the same name. */
function commonTables(before: Token[]): Set<string> {
  const names = before.filter(
    (token, at) => isName(token) && ['as', '('].includes(before[at + 1]?.value ?? '') && token.value !== 'as',
  )
  return new Set(names.map(({ value }) => value.toLowerCase()))
}

/** The tables of a FROM clause by their aliases. Tables in parentheses are left out. */
function tablesIn(clause: Token[]): { table: string; alias: string }[] {
  const found: { table: string; alias: string }[] = []
  let expects = true
  clause.forEach((token, at) => {
    const isWord = token.kind === 'word'
    if (token.value === ',' || (isWord && token.value === 'join')) expects = true
    else if (expects && !(isWord && joinWords.has(token.value))) {
      expects = false
      if (!isName(token)) return
      const next = clause[at + 1]
      if (next?.value === '(' || next?.value === '.') return
      found.push({ table: token.value.toLowerCase(), alias: quote(aliasAfter(clause, at) ?? token.value) })
    }
  })
  return found
}

const noAliases = new Set([...joinWords, 'on', 'using', 'indexed', 'not'])

function aliasAfter(clause: Token[], at: number): string | undefined {
  const next = clause[at + 1]
  if (next?.kind === 'word' && next.value === 'as') return clause[at + 2]?.value
  return next && isName(next) && !(next.kind === 'word' && noAliases.has(next.value)) ? next.value : undefined
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Whether the outermost SELECT aggregates: a call that is in no other SELECT and has no OVER. */
function hasAggregate(sql: string, tokens: Token[], from: number): boolean {
  const nested = nestedSelects(tokens)
  return tokens.some((token, at) => {
    if (token.start < from || token.kind !== 'word' || !aggregates.has(token.value)) return false
    if (tokens[at + 1]?.value !== '(' || nested.some(({ start, end }) => start < token.start && token.end <= end))
      return false
    const close = tokens.findIndex((each, index) => index > at && each.value === ')' && each.depth === token.depth)
    const call = tokens.slice(at + 2, close)
    const isScalar =
      ['min', 'max'].includes(token.value) && call.some((each) => each.value === ',' && each.depth === token.depth + 1)
    return !isScalar && !/^\s*(?:filter\s*\([\s\S]*?\)\s*)?over\b/i.test(sql.slice(tokens[close]?.end ?? sql.length))
  })
}

const hasWindow = (tokens: Token[]): boolean => tokens.some(({ kind, value }) => kind === 'word' && value === 'over')

/** The parentheses that begin with SELECT, WITH or VALUES. */
function nestedSelects(tokens: Token[]): { start: number; end: number }[] {
  return tokens.flatMap((token, at) => {
    const next = tokens[at + 1]
    if (token.value !== '(' || next?.kind !== 'word' || !['select', 'with', 'values'].includes(next.value)) return []
    const close = tokens.find((each, index) => index > at && each.value === ')' && each.depth === token.depth)
    return [{ start: token.start, end: close?.end ?? Number.POSITIVE_INFINITY }]
  })
}
