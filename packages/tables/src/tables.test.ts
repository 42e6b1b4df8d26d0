import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { SqlError } from './sql/sql-error.ts'
import { tokenize } from './sql/tokens.ts'
import { createTables } from './tables.ts'

const tables = createTables({ queryMs: 1000 })
afterAll(() => tables.close())

const text = '| a | b |\n| --- | --- |\n| 1 | x |\n| 2 | y |\n| 3 | x |'
const columns = [
  { name: 'a', sql_name: 'a', type: 'number' as const, format: 'point' as const },
  { name: 'b', sql_name: 'b', type: 'text' as const },
]
const loaded = ['t', 'u'].map((sqlName) => ({ sqlName, columns, text }))
const query = (sql: string) => tables.query(loaded, sql)

it('ends statements that take too long or need too much memory', async () => {
  const numbers = (end: string) => `WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r ${end})`
  await expect(query(`${numbers('')} SELECT count(*) FROM r`)).rejects.toThrow('longer than 1 seconds')
  const large = `WITH RECURSIVE r(x, y) AS (SELECT 1, zeroblob(15000000) UNION ALL SELECT x + 1, zeroblob(15000000 + x) FROM r LIMIT 100) SELECT count(*) FROM (SELECT DISTINCT y FROM r)`
  await expect(query(large)).rejects.toThrow(SqlError)
  expect((await query('SELECT sum(a) FROM t')).rows).toEqual([[6]])
})

it('cites the rows of the outermost tables, and whole tables that are read elsewhere', async () => {
  const cited = async (sql: string) =>
    (await query(sql)).citations.map(({ table, rows }) => [loaded[table]?.sqlName, rows])
  expect(await cited('SELECT t.a FROM t JOIN u USING (b) WHERE u.a = 2')).toEqual([
    ['t', [2]],
    ['u', [2]],
  ])
  expect(await cited("SELECT max(a, 2) FROM t WHERE b = 'x'")).toEqual([['t', [1, 3]]])
  expect(await cited('SELECT b, count(*) FROM t GROUP BY b ORDER BY 2 DESC LIMIT 1')).toEqual([['t', [1, 3]]])
  expect(await cited('SELECT DISTINCT b FROM t ORDER BY b LIMIT 1')).toEqual([['t', [1, 3]]])
  expect(await cited('SELECT a FROM t WHERE a = (SELECT max(a) FROM t)')).toEqual([['t', [3]]])
  expect(await cited('SELECT a FROM t AS "x y" WHERE a IN (SELECT a FROM u)')).toEqual([
    ['t', [1, 2, 3]],
    ['u', [1, 2, 3]],
  ])
  expect(await cited('SELECT a, sum(a) OVER (ORDER BY a) FROM t LIMIT 1')).toEqual([['t', [1]]])
  expect(await cited('SELECT a FROM t LEFT JOIN (SELECT 9 AS z) ON z = a WHERE a = 1')).toEqual([['t', [1]]])
  expect(await cited('WITH t AS (SELECT * FROM u WHERE a = 1) SELECT a FROM t')).toEqual([['u', [1, 2, 3]]])
  expect(await cited('SELECT a FROM t UNION SELECT a FROM u')).toEqual([
    ['t', [1, 2, 3]],
    ['u', [1, 2, 3]],
  ])
  expect(await cited('SELECT a FROM t WHERE a > 5')).toEqual([])
  expect(await cited('SELECT 1')).toEqual([])
})

it('answers any text with a result or a clear error, and never changes anything', async () => {
  const words =
    'select from where t u a b * ( ) , ; delete insert into values update set drop table with as union group by order limit count ( * ) 1 \'x\' "y" -- /* */ [ ] attach pragma'.split(
      ' ',
    )
  const sql = fc.array(fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 6 })), { maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(sql, async (parts) => {
      const result = await query(`select ${parts.join(' ')}`).catch((error: unknown) => error)
      if (!(result instanceof SqlError)) expect(result).toHaveProperty('rows')
    }),
    { seed: Number(process.env.PARLEY_TEST_SEED ?? 1), numRuns: 300 },
  )
  expect((await query('SELECT count(*) FROM t')).rows).toEqual([[3]])
})

it('splits a statement into tokens without losing any of it', () => {
  expect(tokenize("SELECT 'it''s' -- c\n, \"a b\".x, [c], 1.5e3 /* (( */ FROM t").map(({ value }) => value)).toEqual([
    ...['select', "'it''s'", ',', 'a b', '.', 'x', ',', 'c', ',', '1.5e3', 'from', 't'],
  ])
})
