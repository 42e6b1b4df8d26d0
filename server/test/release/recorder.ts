import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { compact, shapeOf } from './compact.ts'

type Query = (this: pg.Client, query: unknown, parameters?: unknown, ...rest: unknown[]) => unknown

/**
 * Set up before tests by `npm run statements`: writes each statement that Postgres gets to a file of its process, with the
 * smallest parameters that were seen.
 */
const folder = process.env.PARLEY_STATEMENTS
const client = pg.Client.prototype as unknown as { query: Query; isRecorded?: true }
if (folder && folder !== 'finish' && !client.isRecorded) {
  const { query } = client
  const smallest = new Map<string, number>()
  client.isRecorded = true
  client.query = function (given, parameters, ...rest) {
    const { text, values } = (typeof given === 'string' ? { text: given, values: parameters } : given) as {
      text?: string
      values?: unknown
    }
    if (text !== undefined && isOurs(text)) {
      const statement = compact({ sql: text, parameters: Array.isArray(values) ? values : [] })
      const line = JSON.stringify(statement)
      const key = shapeOf(statement.sql)
      if (line.length < (smallest.get(key) ?? Number.POSITIVE_INFINITY)) {
        smallest.set(key, line.length)
        appendFileSync(join(folder, `${process.pid}.jsonl`), `${line}\n`)
      }
    }
    return query.call(this, given, parameters, ...rest)
  }
}

/** Not those of the catalogue, and none that changes the schema. */
const isOurs = (text: string): boolean =>
  /^\s*(select|insert|update|delete|with)\b/i.test(text) &&
  !/pg_catalog|information_schema|kysely_migration|create |drop /i.test(text)
