import type { FoundColumn, FoundTable } from './found-table.ts'
import { stemsIn, type TableQuestion } from './table-question.ts'

/** Part of a WHERE clause, with the words of the question that it uses up. */
export interface Condition {
  sql: string
  /** For people: `City = Berlin`. */
  text: string
  column: FoundColumn
  words: string
}

export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The conditions that a question names: values of columns, comparisons, years and booleans. */
export function conditionsIn(question: TableQuestion, table: FoundTable): Condition[] {
  const found = table.columns.flatMap((column) => valueIn(question, column) ?? [])
  const inside = (one: Condition, other: Condition) =>
    other !== one && other.words.includes(one.words) && other.words !== one.words
  const values = found.filter((one) => !found.some((other) => inside(one, other)))
  return [...values, ...comparisons(question, table), ...years(question, table), ...booleans(question, table)]
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The longest value of a column that the question contains as whole words. */
function valueIn({ text }: TableQuestion, column: FoundColumn): Condition | null {
  // A single letter is a value only behind the name of its column: "zone B".
  const isNamed = (value: string) => hasWords(text, value.length > 1 ? value : `${column.name} ${value}`)
  const named = (column.values ?? []).filter(isNamed)
  const value = named.sort((one, other) => other.length - one.length)[0]
  if (value === undefined) return null
  return {
    sql: `${column.column} = ${quoted(value)}`,
    text: `${column.name} = ${value}`,
    column,
    words: value.toLowerCase(),
  }
}

const hasWords = (text: string, words: string): boolean =>
  new RegExp(`(?<![\\p{L}\\p{N}])${escaped(words)}(?![\\p{L}\\p{N}])`, 'iu').test(text)

const comparison =
  /(?<column>(?:[\p{L}]+ ){0,4})(?<compare>more than|over|above|greater than|higher than|exceeding|at least|less than|under|below|lower than|fewer than|at most|mehr als|über|mindestens|weniger als|unter|höchstens)\s+[$€£]?(?<number>\d[\d,]*(?:\.\d+)?)(?<after>(?: [\p{L}]+){0,3})/giu

const operators: [RegExp, string][] = [
  [/^(?:at least|mindestens)$/i, '>='],
  [/^(?:at most|höchstens)$/i, '<='],
  [/^(?:less|under|below|lower|fewer|weniger|unter)/i, '<'],
  [/./, '>'],
]

/** "more than 50" with the column that is named nearest, before or after the number. */
function comparisons(question: TableQuestion, table: FoundTable): Condition[] {
  return [...question.text.matchAll(comparison)].flatMap((match) => {
    const { column: before = '', compare = '', number = '', after = '' } = match.groups ?? {}
    const numbers = table.columns.filter(({ type }) => type === 'number')
    const column =
      bestColumn(numbers, stemsIn(after, question.language), question) ??
      bestColumn(numbers, stemsIn(before, question.language), question) ??
      bestColumn(numbers, [...question.terms], question) ??
      (numbers.length === 1 ? numbers[0] : undefined)
    if (!column) return []
    const operator = operators.find(([pattern]) => pattern.test(compare))?.[1] ?? '>'
    const value = number.replaceAll(',', '')
    return [
      {
        sql: `${column.column} ${operator} ${value}`,
        text: `${column.name} ${operator} ${value}`,
        column,
        words: match[0].toLowerCase(),
      },
    ]
  })
}

/** "in 2024" with a column of dates, or a column of years. */
function years(question: TableQuestion, table: FoundTable): Condition[] {
  const year = /\b(?:in|during|since|of|im jahr)\s+((?:19|20)\d{2})\b/i.exec(question.text)?.[1]
  if (year === undefined) return []
  const dates = table.columns.filter(({ type }) => type === 'date')
  const date = bestColumn(dates, [...question.terms], question) ?? dates[0]
  const number = table.columns.find(({ name, type }) => type === 'number' && /\b(?:year|jahr)\b/i.test(name))
  const column = number ?? date
  if (!column) return []
  const sql = number ? `${column.column} = ${year}` : `strftime('%Y', ${column.column}) = '${year}'`
  return [{ sql, text: `${column.name}: ${year}`, column, words: year }]
}

/** "active" or "not active", with a column of booleans. */
function booleans({ text, language, terms }: TableQuestion, { columns }: FoundTable): Condition[] {
  return columns.flatMap((column) => {
    const stems = stemsIn(column.name, language)
    if (column.type !== 'boolean' || stems.length === 0 || !stems.every((each) => terms.has(each))) return []
    const [name = ''] = column.name.split(' ')
    const isNot = new RegExp(
      `\\b(?:not|no longer|nicht|isn't|aren't|without|ohne)\\s+(?:\\p{L}+\\s+){0,2}?${escaped(name)}`,
      'iu',
    ).test(text)
    const sql = isNot ? `NOT ${column.column}` : column.column
    return [{ sql, text: `${column.name}: ${isNot ? 'no' : 'yes'}`, column, words: column.name.toLowerCase() }]
  })
}

/** They say nothing about a column: "minutes from the start" is not about every question with "the". */
const fillers = new Set(
  'the of in on at to from for and or a an per by der die das des dem den von vom im in am an zu und oder pro je'.split(
    ' ',
  ),
)

/** The column whose name shares most with the words; the first one if several share as much. */
export function bestColumn(
  columns: readonly FoundColumn[],
  stems: readonly string[],
  { language }: Pick<TableQuestion, 'language'>,
): FoundColumn | undefined {
  const known = new Set(stems.filter((each) => !fillers.has(each)))
  let best: { column: FoundColumn; score: number } | undefined
  for (const column of columns) {
    const own = stemsIn(column.name, language)
    const shared = own.filter((each) => known.has(each)).length
    const score = shared + shared / Math.max(1, own.length)
    if (shared > 0 && (!best || score > best.score)) best = { column, score }
  }
  return best?.column
}
