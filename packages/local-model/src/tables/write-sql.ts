import { bestColumn, type Condition, conditionsIn, quoted } from './conditions.ts'
import type { FoundColumn, FoundTable } from './found-table.ts'
import { readTableQuestion, stemsIn, type TableQuestion } from './table-question.ts'

/** A statement that answers a question, and what it computes, for people. */
export interface WrittenSql {
  sql: string
  label: string
}

interface Draft extends WrittenSql {
  table: FoundTable
  /** How many words of the question the table explains. */
  fit: number
  /** Whether it explains all of them. */
  isFull: boolean
}

/** Whether a question may be about rows of tables. */
export const asksTables = (question: string): boolean => readTableQuestion(question) !== null

/** The statement for a question on the table that fits best. Null if no template fits, or several tables fit equally well. */
export function writeSql(text: string, tables: readonly FoundTable[]): WrittenSql | null {
  const [best, tied] = bestDrafts(text, tables)
  return best && !tied ? { sql: best.sql, label: best.label } : null
}

/** The tables that fit a question equally well, such as one table a month. None if one fits better or none fits all words. */
export function tiedTables(text: string, tables: readonly FoundTable[]): FoundTable[] {
  const tied = bestDrafts(text, tables).filter(({ isFull }) => isFull)
  return tied.length > 1 ? tied.map(({ table }) => table) : []
}

function bestDrafts(text: string, tables: readonly FoundTable[]): Draft[] {
  const question = readTableQuestion(text)
  const drafts = question ? tables.flatMap((table) => draftFor(question, table) ?? []) : []
  const fit = Math.max(...drafts.map((draft) => draft.fit))
  return drafts.filter((draft) => draft.fit === fit)
}

function draftFor(question: TableQuestion, table: FoundTable): Draft | null {
  const isNeighbour = question.operation === 'next' || question.operation === 'previous'
  const conditions = isNeighbour ? [] : conditionsIn(question, table)
  const written = isNeighbour ? neighbour(question, table) : figure({ question, table, conditions })
  if (!written) return null
  const said = [...conditions.map(({ words }) => words), isNeighbour ? written.label : ''].join(' ')
  const { explained, unexplained } = coverage(question, table, said)
  // Most words must be about the table: "how many days of leave do employees have" does not count employees.
  if (explained === 0 || unexplained > Math.min(2, explained)) return null
  const fit = explained - unexplained / 2 + (written.isKnown ? 1 : 0)
  return { sql: written.sql, label: `${written.label} (${table.title})`, fit, isFull: unexplained === 0, table }
}

/** How many words of a question a table and the conditions on it explain. The title names what the rows are, so it counts more. */
function coverage({ content, terms, language }: TableQuestion, { title, columns }: FoundTable, said: string) {
  const inTitle = new Set(stemsIn(title, language))
  const known = new Set([...columns.map(({ name }) => name), said].flatMap((text) => stemsIn(text, language)))
  const synonyms = [...terms].filter((term) => known.has(term) && !content.includes(term)).length
  const missing = content.filter((term) => !inTitle.has(term) && !known.has(term)).length
  const explained =
    content.filter((term) => known.has(term)).length + 1.5 * content.filter((term) => inTitle.has(term)).length
  return { explained: explained + synonyms, unexplained: Math.max(0, missing - synonyms) }
}

interface Figure {
  question: TableQuestion
  table: FoundTable
  conditions: Condition[]
}

/** Leaves out rows that sum up others, because these would count twice. */
function writeWhere(table: FoundTable, conditions: readonly string[]): string {
  const totals = table.total_rows ?? []
  const all = [...conditions, ...(totals.length > 0 ? [`rowid NOT IN (${totals.join(', ')})`] : [])]
  return all.length > 0 ? ` WHERE ${all.join(' AND ')}` : ''
}

const ownRows = ({ row_count, total_rows = [] }: FoundTable): number => row_count - total_rows.length

function figure(asked: Figure): (WrittenSql & { isKnown?: boolean }) | null {
  const { question, table, conditions } = asked
  const labelled = (what: string) => [what, ...conditions.map(({ text }) => text)].join(', ')
  const where = writeWhere(
    table,
    conditions.map(({ sql }) => sql),
  )
  const from = `FROM ${table.table}${where}`
  const group = groupColumn(asked)
  const { operation } = question
  if (operation === 'distinct') {
    const column = columnAfter(
      asked,
      /(?:different|distinct|unique|verschiedene[nr]?|unterschiedliche[nr]?)\s+(?:values of )?(.{1,40})/i,
    )
    if (!column) return null
    const label = labelled(`Number of different values of ${column.name}`)
    return { sql: `SELECT count(DISTINCT ${column.column}) AS count ${from}`, label }
  }
  if (operation === 'most' || operation === 'least') return extreme(asked, group, labelled)
  const counts = operation === 'count' ? countedColumn(asked) : undefined
  if (counts?.type === 'text')
    return {
      sql: `SELECT count(DISTINCT ${counts.column}) AS count ${from}`,
      label: labelled(`Number of different values of ${counts.name}`),
    }
  if (operation === 'count' && !counts) {
    const counted = group
      ? `SELECT ${group.column}, count(*) AS count ${from} GROUP BY ${group.column} ORDER BY count DESC`
      : `SELECT count(*) AS count ${from}`
    return { sql: counted, label: labelled('Number of rows') }
  }
  const column = counts ?? numberColumn(asked)
  if (!column)
    return operation === 'sum' && /\b(?:how many|number of|wie viele)\b/i.test(question.text)
      ? { sql: `SELECT count(*) AS count ${from}`, label: labelled('Number of rows') }
      : null
  const isSum = operation !== 'average'
  const call = `${isSum ? 'sum' : 'avg'}(${column.column})`
  const name = isSum ? 'total' : 'average'
  const selected = group ? `${group.column}, ${call} AS ${name}` : `${call} AS ${name}`
  const grouped = group ? ` GROUP BY ${group.column} ORDER BY ${name} DESC` : ''
  return {
    sql: `SELECT ${selected} ${from}${grouped}`,
    label: labelled(`${isSum ? 'Sum' : 'Average'} of ${column.name}`),
  }
}

/** The rows with the largest or smallest value, or the group with the most. */
function extreme(asked: Figure, group: FoundColumn | undefined, labelled: (what: string) => string): WrittenSql | null {
  const { question, table, conditions } = asked
  const isMost = question.operation === 'most'
  const order = isMost ? 'DESC' : 'ASC'
  const where = writeWhere(
    table,
    conditions.map(({ sql }) => sql),
  )
  const which = columnAfter(asked, /\b(?:which|what|welche[rsn]?)\s+(.{1,40})/i, ['text'])
  const value = numberColumn(asked) ?? dateColumn(asked)
  const isRepeated = (column: FoundColumn) => column.values !== undefined && column.values.length < ownRows(table)
  if (which && isRepeated(which) && !group) {
    const isCounted = /\b(?:most|fewest|meisten|wenigsten)\b/i.test(question.text)
    const figures =
      value?.type === 'number' && isMentioned(question, value) ? `sum(${value.column})` : isCounted ? 'count(*)' : null
    const label = figures === 'count(*)' ? 'Number of rows' : `Sum of ${value?.name}`
    if (figures && isCounted)
      return {
        sql: `SELECT ${which.column}, ${figures} AS total FROM ${table.table}${where} GROUP BY ${which.column} ORDER BY total ${order} LIMIT 1`,
        label: labelled(label),
      }
  }
  if (!value) return null
  // An old person has a high age, but an early date.
  const isReversed =
    value.type === 'number' && /\b(?:oldest|youngest|älteste\p{L}*|jüngste\p{L}*)\b/iu.test(question.text)
  const call = isMost !== isReversed ? 'max' : 'min'
  const conditionSql = conditions.map(({ sql }) => sql)
  const best = `${value.column} = (SELECT ${call}(${value.column}) FROM ${table.table}${where})`
  const key = which && which !== value ? which : keyColumn(table)
  const shown = [...new Set([key, value].flatMap((column) => column?.column ?? []))].join(', ')
  const label = labelled(`${call === 'max' ? 'Highest' : 'Lowest'} ${value.name}`)
  return { sql: `SELECT ${shown} FROM ${table.table}${writeWhere(table, [best, ...conditionSql])}`, label }
}

/** "What comes after Mainz?": the row after the one that is named. */
function neighbour(
  { text, operation, language }: TableQuestion,
  table: FoundTable,
): (WrittenSql & { isKnown: boolean }) | null {
  const isNext = operation === 'next'
  const words = isNext ? 'after|following|follows|to|nach|auf' : 'before|preceding|precedes|previous to|vor'
  const phrase = new RegExp(
    `\\b(?:${words})\\s+(?:the |stop |station |row |der |die |das |dem )?["“'„]?([^?"”“]{1,80}?)["”“']?\\s*(?:\\?|$|in the|on the|in der|kommt)`,
    'iu',
  ).exec(text)?.[1]
  if (phrase === undefined) return null
  const named = phrase.trim().toLowerCase()
  const texts = table.columns.filter(({ type }) => type === 'text')
  const known = texts.find(({ values }) => values?.some((value) => value.toLowerCase() === named))
  const column = known ?? texts.find(({ values }) => values === undefined) ?? texts[0]
  if (!column || stemsIn(phrase, language).length === 0) return null
  const row = `SELECT rowid FROM ${table.table} WHERE ${column.column} = ${quoted(phrase.trim())} COLLATE NOCASE LIMIT 1`
  return {
    sql: `SELECT * FROM ${table.table} WHERE rowid = (${row}) ${isNext ? '+' : '-'} 1`,
    label: `${isNext ? 'After' : 'Before'} ${phrase.trim()}`,
    isKnown: known !== undefined,
  }
}

/**
 * "How many loans" adds up a column "Loans", and "how many categories" counts the values of a column "Category", unless the title says
 * that these are the rows.
 */
function countedColumn(asked: Figure): FoundColumn | undefined {
  const { question, table } = asked
  const noun = /\b(?:how many|number of|count of|wie viele|anzahl(?: der)?)\s+([\p{L}-]+)/iu.exec(question.text)?.[1]
  const [stemmed] = noun === undefined ? [] : stemsIn(noun, question.language)
  if (stemmed === undefined || stemsIn(table.title, question.language).includes(stemmed)) return undefined
  const isNamed = ({ name }: FoundColumn) => stemsIn(name, question.language)[0] === stemmed
  const isRepeated = ({ values }: FoundColumn) => values !== undefined && values.length < ownRows(table)
  return free(asked, ['number', 'text']).find(
    (column) => isNamed(column) && (column.type === 'number' || isRepeated(column)),
  )
}

const isMentioned = (question: TableQuestion, column: FoundColumn): boolean =>
  bestColumn([column], [...question.terms], question) !== undefined

const free = ({ table, conditions }: Figure, types: readonly FoundColumn['type'][]): FoundColumn[] =>
  table.columns.filter(
    (column) =>
      types.includes(column.type) && !conditions.some((each) => each.column === column && column.type === 'text'),
  )

/** The number that a question is about: the one that it names, or the only one. */
function numberColumn(asked: Figure): FoundColumn | undefined {
  const numbers = free(asked, ['number'])
  const unused = numbers.filter((column) => !asked.conditions.some((each) => each.column === column))
  const stems = [...asked.question.terms]
  return (
    bestColumn(unused, stems, asked.question) ??
    bestColumn(numbers, stems, asked.question) ??
    (dateColumn(asked) ? undefined : onlyOne(unused))
  )
}

const onlyOne = <T>(list: T[]): T | undefined => (list.length === 1 ? list[0] : undefined)

function dateColumn(asked: Figure): FoundColumn | undefined {
  const dates = free(asked, ['date'])
  const named = bestColumn(dates, [...asked.question.terms], asked.question)
  const isAboutTime =
    /\b(?:newest|latest|earliest|oldest|first|last|recent|neueste\p{L}*|früheste\p{L}*|älteste\p{L}*|späteste\p{L}*)\b/iu.test(
      asked.question.text,
    )
  return named ?? (isAboutTime ? dates[0] : undefined)
}

/** The column that a phrase begins with. */
function columnAfter(
  asked: Figure,
  pattern: RegExp,
  types: readonly FoundColumn['type'][] = ['text', 'number', 'date'],
): FoundColumn | undefined {
  const phrase = pattern.exec(asked.question.text)?.[1]
  if (phrase === undefined) return undefined
  return bestColumn(free(asked, types), stemsIn(phrase, asked.question.language).slice(0, 2), asked.question)
}

/** "by city", "per city", "for each city". */
const groupColumn = (asked: Figure): FoundColumn | undefined =>
  columnAfter(asked, /\b(?:per|by|for each|in each|of each|for every|pro|je|nach)\s+(.{1,30})/i, ['text'])

/** The column that names a row: the first text with a different value in each row. */
const keyColumn = (table: FoundTable): FoundColumn | undefined => {
  const { columns } = table
  const texts = columns.filter(({ type }) => type === 'text')
  return texts.find(({ values }) => values === undefined || values.length === ownRows(table)) ?? texts[0] ?? columns[0]
}
