import type { ReadDocument } from '@parley/documents'
import type { Context } from '../../../kernel/context.ts'
import type { DocumentRow, SourceRow } from '../store.ts'

/** A document as it is at its place. */
export interface Item {
  /** What makes it the same document in the next sync. */
  key: string
  name: string
  /** What was given with it, apart from what it says of itself. */
  metadata: Record<string, unknown>
  /** What to remember, to find out cheaply next time whether it has changed. */
  stamp: string | null
  /** Fails where it cannot be had, with the reason in words (`Unreadable`). */
  open(): Promise<Content>
}

export interface Content {
  sha256: string
  size: number
  read(signal: AbortSignal): Promise<ReadDocument>
  release?(): Promise<void>
}

/** What is remembered of a document. */
export type Known = Pick<
  DocumentRow,
  | 'id'
  | 'key'
  | 'name'
  | 'media_type'
  | 'size'
  | 'sha256'
  | 'status'
  | 'given_metadata'
  | 'stamp'
  | 'version'
  | 'indexed_version'
  | 'sync_id'
>

export interface Reading {
  ctx: Context
  workspace: string
  source: SourceRow
  known: ReadonlyMap<string, Known>
  signal: AbortSignal
}

/** What is at a place. Whatever is known and not among it when the reading ends is gone, unless the reader says otherwise. */
export type Reader = (
  reading: Reading,
) => AsyncGenerator<Item, Ending | undefined> | Generator<Item, Ending | undefined>

export interface Ending {
  /** Not everything could be looked at, so what was not met may still be there. */
  incomplete: boolean
}

/** One document cannot be had; the others can. */
export class Unreadable extends Error {}

/** The whole place cannot be read, and trying again at once would not help. */
export class SyncError extends Error {}

export const unchanged = ({ sha256, size }: { sha256: string; size: number }): Content => ({
  sha256,
  size,
  read: () => Promise.reject(new Unreadable('It has changed while it was read. The next sync reads it again.')),
})
