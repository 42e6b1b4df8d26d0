import { sql } from 'kysely'
import type { Db, Tables } from './store/database.ts'

/** A person in a workspace. */
export interface Person {
  workspace: string
  userId: string
  /** A keyed hash of the person, which replaces the user id in records that are kept. */
  marker: string
}

/** A person whose data is being erased. */
export interface ErasedPerson extends Person {
  /** Adds numbers by kind to the receipt, in the transaction that erases. */
  count(tx: Db, numbers: Record<string, number>): Promise<void>
}

/** A file in the export of a person. */
export interface ExportedFile {
  name: string
  content: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>
}

/** The rows as JSON lines. */
export async function* jsonLines(rows: AsyncIterable<object> | Iterable<object>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`
}

/** The identity of a person who signs in with OpenID Connect, where others have the id of their token. */
export const oidcIdentity = (userId: string): string => `oidc:${userId}`

type Column<Table extends keyof Tables> = keyof Tables[Table] & string

interface Declared<Table extends keyof Tables> {
  table: Table
  /** The column that names the person. */
  person: Column<Table>
  /** The column holds the identity that the person signs in with, not the user id. */
  identity?: true
  /** Leaves out rows with a value in this column. */
  unless?: Column<Table>
  /** Columns that an export shows, the id among them, and the name of its file. */
  exported?: { file: string; columns: Column<Table>[]; json?: Column<Table>[] }
  /** An erasure deletes the rows, or replaces the person by the marker and clears the listed columns. */
  erased?: 'rows' | { emptied?: Column<Table>[]; changedAt?: Column<Table> }
  /** The name of the erased rows in the receipt. */
  counted?: string
}

/** A table with rows of persons. */
export type PersonalTable = { [Table in keyof Tables]: Declared<Table> }[keyof Tables]

/** A column with lists of users (`{groups, users}`). An erasure removes the person from them; an empty list allows nobody. */
export interface ListsOfUsers {
  table: string
  users: string
  counted: string
}

/** Rows whose text may name a user: the JSON text of the id is in it. */
export const containing = (column: string, userId: string) => {
  const pattern = `%${JSON.stringify(userId).replace(/[\\%_]/g, '\\$&')}%`
  return sql<boolean>`${sql.ref(column)} like ${pattern} escape '\\'`
}

/** A list without a user. Undefined if they are not in it. */
export const withoutUser = <List extends { users?: string[] }>(
  list: List | null | undefined,
  userId: string,
): List | undefined =>
  list?.users?.includes(userId) ? { ...list, users: list.users.filter((each) => each !== userId) } : undefined
