import { afterAll, expect, it } from 'vitest'
import { goldQuestions, goldTables } from '../test/gold.ts'
import { createTables } from './tables.ts'

const tables = createTables()
afterAll(() => tables.close())

it('answers the gold queries with the right values, and cites the right rows', async () => {
  expect(goldQuestions.length).toBeGreaterThanOrEqual(100)
  for (const { title, text } of goldTables) {
    const blocks = [{ kind: 'table' as const, start: 0, end: text.length }]
    const [table] = await tables.read({ text, headings: [], blocks, name: title })
    const loaded = [{ sqlName: 't', columns: table?.columns ?? [], text }]
    for (const { question, sql, answer, rows } of goldQuestions.filter((each) => each.table === title)) {
      const result = await tables.query(loaded, sql.replaceAll('{table}', 't'))
      expect([question, result.rows]).toEqual([question, answer])
      expect([question, result.citations.map((each) => each.rows)]).toEqual([question, [rows]])
    }
  }
})
