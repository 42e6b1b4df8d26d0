import { SqlError } from './sql-error.ts'
import { isName, type Token, tokenize } from './tokens.ts'

const maxLength = 20_000

/** One statement that may read. SQLite itself checks the rest when it prepares the statement. */
export interface ReadStatement {
  /** Without a semicolon at the end. */
  sql: string
  tokens: Token[]
}

/** Throws a `SqlError` unless the text is one statement that begins as a reading one does. */
export function readStatement(text: string): ReadStatement {
  if (text.length > maxLength) throw new SqlError(`The statement is longer than ${maxLength} characters.`)
  if (text.includes('\0')) throw new SqlError('The statement contains a NUL character.')
  const tokens = tokenize(text)
  while (tokens.at(-1)?.value === ';') tokens.pop()
  const [first] = tokens
  const last = tokens.at(-1)
  if (!first || !last) throw new SqlError('The statement is empty.')
  const isOne = !tokens.some(({ kind, value }) => kind === 'symbol' && value === ';')
  if (!isOne) throw new SqlError('Only one statement is allowed; this text has several.')
  if (first.kind !== 'word' || !['select', 'with', 'values'].includes(first.value)) {
    const word = text.slice(first.start, Math.min(first.end, first.start + 30))
    throw new SqlError(`Only reading is allowed: a statement begins with SELECT or WITH, not with ${word}.`)
  }
  return { sql: text.slice(0, last.end), tokens }
}

/** The names in a statement, in lower case: of tables, columns and functions. */
export const namesIn = ({ tokens }: ReadStatement): Set<string> =>
  new Set(tokens.filter(isName).map(({ value }) => value.toLowerCase()))
