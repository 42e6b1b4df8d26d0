import { type FoundTable, writeSql } from '@parley/local-model'
import { createTables } from '@parley/tables'
import { goldQuestions, goldTables } from '@parley/tables/testing'

/**
 * How many questions about tables the templates of the local model answer with the rows of the gold queries, if all tables
 * are offered at once. Those that it does not, or answers otherwise, are printed with their SQL.
 */
const tables = createTables()
const read = await Promise.all(
  goldTables.map(async ({ title, text }) => {
    const [table] = await tables.read({
      ...{ text, headings: [], blocks: [{ kind: 'table', start: 0, end: text.length }], name: title },
    })
    if (!table) throw new Error(`${title} was not read as a table.`)
    return { ...table, text }
  }),
)
const offered = read.map(
  ({ sqlName, title, rowCount, columns }): FoundTable => ({
    table: sqlName,
    title,
    row_count: rowCount,
    columns: columns.map(({ sql_name, name, type, values }) => ({
      column: sql_name,
      name,
      type,
      ...(values && { values }),
    })),
  }),
)

const print = (line: string) => void process.stdout.write(`${line}\n`)
const counts = { right: 0, wrong: 0, unanswered: 0 }
for (const { question, answer, rows } of goldQuestions) {
  const written = writeSql(question, offered)
  const result = written && (await tables.query(read, written.sql))
  const isRight =
    JSON.stringify(result?.rows) === JSON.stringify(answer) &&
    JSON.stringify(result?.citations.map((each) => each.rows)) === JSON.stringify([rows])
  counts[isRight ? 'right' : result ? 'wrong' : 'unanswered']++
  if (!isRight) print(`${question}\n  ${written?.sql ?? 'no template'} ${JSON.stringify(result?.rows ?? '')}`)
}
print(`${goldQuestions.length} questions: ${JSON.stringify(counts)}`)
await tables.close()
