import { createHash, hash } from 'node:crypto'
import type pg from 'pg'
import type { BothSecrets } from './secrets.ts'
import { type Column, openFolder, type Table } from './tables.ts'

export type Print = (line: string) => void

type Row = Record<string, unknown>

/** The number of rows of a table, and a hash that does not depend on their order. */
interface Sum {
  count: number
  hash: bigint
}

interface Copy {
  dataDir: string
  client: pg.Client
  table: Table
  secrets: BothSecrets
  print: Print
}

const maxRows = 500
const maxBytes = 4 * 1024 * 1024
const progressInterval = 2000
const hashSize = 2n ** 128n

/** Copies the rows of a table. Returns the expected count and hash. */
export async function copyRows({ dataDir, client, table, secrets, print }: Copy): Promise<{ table: Table } & Sum> {
  const { name, columns } = table
  const source = openFolder(dataDir)
  const sum: Sum = { count: 0, hash: 0n }
  try {
    const total = source
      .prepare(`select count(*) from ${quoted(name)}`)
      .pluck()
      .get() as number
    let batch: Row[] = []
    let bytes = 0
    let printedAt = Date.now()
    const flush = async () => {
      if (batch.length > 0) await insert(client, table, batch)
      batch = []
      bytes = 0
      if (Date.now() - printedAt < progressInterval) return
      printedAt = Date.now()
      print(`${name}: ${sum.count.toLocaleString('en')} of ${total.toLocaleString('en')} rows`)
    }
    for (const found of source.prepare(`select * from ${quoted(name)}`).iterate() as Iterable<Row>) {
      const row = prepared(name, found)
      add(sum, columns, revealed(table, row, secrets.source))
      batch.push(resealed(table, row, secrets))
      bytes += rowSize(row)
      if (batch.length >= maxRows || bytes >= maxBytes) await flush()
    }
    await flush()
    if (total > 0) print(`${name}: ${total.toLocaleString('en')} rows`)
    return { table, ...sum }
  } finally {
    source.close()
  }
}

/** Compares the rows of a table with the expected count and hash. */
export async function verifyRows(
  copied: { client: pg.Client; table: Table; secrets: BothSecrets } & Sum,
): Promise<void> {
  const { client, table, secrets } = copied
  const sum: Sum = { count: 0, hash: 0n }
  await client.query('begin')
  await client.query(`declare copied no scroll cursor for select * from ${quoted(table.name)}`)
  for (;;) {
    const { rows } = await client.query<Row>(`fetch ${maxRows} from copied`)
    for (const row of rows) add(sum, table.columns, revealed(table, row, secrets.target))
    if (rows.length < maxRows) break
  }
  await client.query('commit')
  if (sum.count !== copied.count)
    throw new Error(
      `The table ${table.name} has ${sum.count} rows in the cluster, but ${copied.count} in the data folder.`,
    )
  if (sum.hash !== copied.hash) throw new Error(`The rows of the table ${table.name} differ from the data folder.`)
}

const quoted = (name: string): string => `"${name}"`

/** The process of the data folder has ended, so none of its jobs is running. */
const prepared = (table: string, row: Row): Row =>
  table === 'job' && row.status === 'running' ? { ...row, status: 'queued', heartbeat_at: null } : row

/** Encrypted values differ each time, so they are compared as plain text. */
const revealed = ({ sealed }: Table, row: Row, { open }: BothSecrets['source']): Row =>
  sealed ? { ...row, ...sealed.change(row, open) } : row

const resealed = ({ sealed }: Table, row: Row, { source, target }: BothSecrets): Row =>
  sealed && source !== target
    ? { ...row, ...sealed.change(row, (value, context) => target.seal(source.open(value, context), context)) }
    : row

async function insert(client: pg.Client, { name, columns }: Table, rows: readonly Row[]): Promise<void> {
  const values: unknown[] = []
  const tuples = rows.map((row) => {
    const placeholders = columns.map((column) => {
      values.push(toPostgres(row[column.name], column))
      return `$${values.length}`
    })
    return `(${placeholders.join(', ')})`
  })
  const names = columns.map((column) => quoted(column.name))
  await client.query(`insert into ${quoted(name)} (${names.join(', ')}) values ${tuples.join(', ')}`, values)
}

/** SQLite has no booleans. */
const toPostgres = (value: unknown, { type }: Column): unknown =>
  type === 'boolean' && value !== null ? Boolean(value) : value

function add(sum: Sum, columns: readonly Column[], row: Row): void {
  const values = columns.map((column) => comparable(row[column.name], column))
  const digest = createHash('sha256').update(JSON.stringify(values)).digest('hex')
  sum.count++
  sum.hash = (sum.hash + BigInt(`0x${digest.slice(0, 32)}`)) % hashSize
}

function comparable(value: unknown, { type }: Column): unknown {
  if (value === null) return null
  if (type === 'boolean') return Boolean(value)
  return value instanceof Uint8Array ? hash('sha256', value) : value
}

function rowSize(row: Row): number {
  let size = 0
  for (const value of Object.values(row))
    size += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8
  return size
}
