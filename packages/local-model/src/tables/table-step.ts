import { detectLanguage } from '../text/language.ts'
import { type FoundTable, tablesIn } from './found-table.ts'
import { answerFromTable } from './table-answer.ts'
import { asksTables, tiedTables, writeSql } from './write-sql.ts'

/** The next step for a question about tables: a call of a tool, or an answer. */
export type TableStep = { call: string; arguments: Record<string, unknown> } | { text: string }

/** The result of a tool in this turn. */
interface ToolResult {
  name: string
  content: string
}

const finder = /^find_tables(?:_\d+)?$/
export const isTableTool = (name: string): boolean => finder.test(name) || /^query_table(?:_\d+)?$/.test(name)
const queryTool = (name: string): string => name.replace('find_tables', 'query_table')

/** Finds tables, queries them, and answers from the result. Null if no template fits, so that something else answers. */
export function tableStep(
  question: string,
  tools: readonly string[],
  results: readonly ToolResult[],
): TableStep | null {
  if (!asksTables(question) || results.some(({ name }) => !isTableTool(name))) return null
  const finders = tools.filter((name) => finder.test(name) && tools.includes(queryTool(name)))
  for (const name of finders) {
    const found = results.find((result) => result.name === name)
    if (!found) return { call: name, arguments: { query: question } }
    const tables = tablesIn(found.content)
    const written = writeSql(question, tables)
    const tied = written ? [] : tiedTables(question, tables)
    if (tied.length > 0) return { text: nameTables(question, tied) }
    if (!written) continue
    const queried = results.find((result) => result.name === queryTool(name))
    if (!queried) return { call: queryTool(name), arguments: { sql: written.sql } }
    const text = answerFromTable(question, queried.content, written.label)
    if (text !== null) return { text }
  }
  return null
}

const nameTables = (question: string, tables: readonly FoundTable[]): string => {
  const isGerman = detectLanguage(question) === 'german'
  const names = tables.map(({ title, document }) => `- ${title}${document === undefined ? '' : ` (${document})`}`)
  const ask = isGerman
    ? 'Mehrere Tabellen passen zu dieser Frage. Bitte nenne eine davon:'
    : 'Several tables fit this question. Name one of them:'
  return [ask, '', ...names].join('\n')
}
