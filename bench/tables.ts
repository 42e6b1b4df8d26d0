import { type FoundTable, writeSql } from '@parley/local-model'
import { createTables, type Table } from '@parley/tables'
import { goldQuestions, goldTables } from '@parley/tables/testing'
import { heldOut, unanswerable } from './tables/held-out.ts'

/**
 * How many questions about tables the templates of the local model answer like the gold queries, if all tables are offered at
 * once. The other questions are printed with their SQL.
 */
const tables = createTables()

async function readAll(all: { title: string; text: string }[]) {
  const read: (Table & { text: string })[] = []
  for (const { title, text } of all) {
    const [table] = await tables.read({
      ...{ text, headings: [], blocks: [{ kind: 'table', start: 0, end: text.length }], name: title },
    })
    if (!table) throw new Error(`${title} was not read as a table.`)
    read.push({ ...table, text })
  }
  return read
}

const offer = (read: Table[]): FoundTable[] =>
  read.map(({ sqlName, title, rowCount, totalRows, columns }) => ({
    table: sqlName,
    title,
    row_count: rowCount,
    total_rows: totalRows,
    columns: columns.map(({ sql_name, name, type, values }) => ({
      column: sql_name,
      name,
      type,
      ...(values && { values }),
    })),
  }))

const print = (line: string) => void process.stdout.write(`${line}\n`)

async function measureGold(): Promise<void> {
  const read = await readAll(goldTables)
  const counts = { right: 0, wrong: 0, unanswered: 0 }
  for (const { question, answer, rows } of goldQuestions) {
    const written = writeSql(question, offer(read))
    const result = written && (await tables.query(read, written.sql))
    const isRight =
      JSON.stringify(result?.rows) === JSON.stringify(answer) &&
      JSON.stringify(result?.citations.map((each) => each.rows)) === JSON.stringify([rows])
    counts[isRight ? 'right' : result ? 'wrong' : 'unanswered']++
    if (!isRight) print(`${question}\n  ${written?.sql ?? 'no template'} ${JSON.stringify(result?.rows ?? '')}`)
  }
  print(`${goldQuestions.length} questions: ${JSON.stringify(counts)}`)
}

/** A result may have other columns than the gold query: it is right if it has its values in their order. */
async function measureHeldOut(): Promise<void> {
  const read = await readAll(heldOut)
  const counts = { gold: 0, right: 0, wrong: 0, unanswered: 0 }
  const has = (rows: unknown[][] | undefined, answer: unknown[]): boolean => {
    const values = (rows ?? []).flat().map((cell) => (typeof cell === 'number' ? Number(cell.toPrecision(12)) : cell))
    let found = 0
    for (const value of values) if (value === answer[found]) found++
    return found === answer.length
  }
  const questions = heldOut.flatMap((each, at) => each.questions.map((question) => ({ ...question, table: read[at] })))
  for (const { question, sql, answer, rows, table } of questions) {
    const gold = await tables.query(read, sql.replaceAll('{table}', table?.sqlName ?? ''))
    const cited = gold.citations.map((each) => each.rows)
    if (has(gold.rows, answer) && JSON.stringify(cited) === JSON.stringify([rows])) counts.gold++
    else print(`${question}\n  gold: ${JSON.stringify(gold.rows)} ${JSON.stringify(cited)}`)
    const written = writeSql(question, offer(read))
    const result = written && (await tables.query(read, written.sql))
    const isRight = has(result?.rows, answer)
    counts[isRight ? 'right' : result ? 'wrong' : 'unanswered']++
    if (!isRight) print(`${question}\n  ${written?.sql ?? 'no template'} ${JSON.stringify(result?.rows ?? '')}`)
  }
  const stated = unanswerable.flatMap((question) => writeSql(question, offer(read)) ?? [])
  for (const { sql } of stated) print(`unanswerable: ${sql}`)
  print(
    `${questions.length} held-out questions: ${JSON.stringify(counts)}; ${stated.length} of ${unanswerable.length} that no table answers`,
  )
}

await measureGold()
await measureHeldOut()
await tables.close()
