/** A statement as a test made it. */
export interface Recorded {
  sql: string
  parameters: unknown[]
}

export interface RecordedRelease {
  version: string
  /** `table.column` of all that it knows. */
  columns: string[]
  statements: Recorded[]
}

/** One line per statement, so that changes can be read. */
export const serializeRelease = ({ version, columns, statements }: RecordedRelease): string =>
  `{\n"version": ${JSON.stringify(version)},\n"columns": ${JSON.stringify(columns)},\n"statements": [\n${statements.map((each) => JSON.stringify(each)).join(',\n')}\n]\n}\n`

/** Normalizes a statement: the length of lists, the direction of an order and the order of columns do not count. */
export const shapeOf = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/\$\d+/g, '$')
    .replace(/ (?:asc|desc|nulls first|nulls last|limit|offset)\b/g, '')
    .replace(/(?<=^insert into "\w+" \()[^)]*/, (columns) => columns.split(', ').sort().join(', '))
    .replace(/(?<=^update "\w+" set )(?:"\w+" = \$, )*"\w+" = \$/, (sets) => sets.split(', ').sort().join(', '))
    .replace(/\(\$(?:, ?\$)*\)(?:, ?\(\$(?:, ?\$)*\))*/g, '($)')

/** The statement without what has no meaning to the database: all rows but the first, long texts, unique ids. */
export function compact({ sql, parameters }: Recorded): Recorded {
  const oneLine = sql.replace(/\s+/g, ' ').trim()
  const [, start = '', row = '', end = ''] =
    /^(insert into .*? values )(\((?:\$\d+(?:, )?)+\))(?:, \((?:\$\d+(?:, )?)+\))+([^$]*)$/.exec(oneLine) ?? []
  const columns = row.split(',').length
  return row === ''
    ? { sql: oneLine, parameters: parameters.map(plain) }
    : { sql: `${start}${row}${end}`, parameters: parameters.slice(0, columns).map(plain) }
}

function plain(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return { bytes: value.toString('base64') }
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.slice(0, 2).map(plain)
  if (typeof value !== 'string') return value
  if (/^[a-z]{3}_[0-9a-z]{26}$/.test(value)) return `${value.slice(0, 4)}1`
  if (value.startsWith('[')) return value.replace(/-?\d+\.\d+(?:e-?\d+)?/g, '0.1') // a vector
  return /^[\w .:-]{0,64}$|^\{/.test(value) ? value : 'text'
}
