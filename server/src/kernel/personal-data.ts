import type { Db } from './store/database.ts'

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
