import type { OnProgress, ReadDocument } from '@parley/documents'
import type { Context } from '../../../kernel/context.ts'
import type { DocumentRow, SourceRow } from '../store.ts'

/** A document found by a reader. */
export interface Item {
  /** Identifies the document in its source. */
  key: string
  name: string
  /** Metadata from the caller, without that from the document. */
  metadata: Record<string, unknown>
  /** Stored, to detect changes in the next sync without reading the content. An attachment has the version of its mail. */
  stamp: string | null
  /** Throws `Unreadable` if the content cannot be fetched. */
  open(): Promise<Content>
}

export interface Content {
  sha256: string
  size: number
  /** `onProgress` gets the pages that were read, if the format has pages. `onOcr` is called before the document waits for OCR. */
  read(signal: AbortSignal, onProgress: OnProgress, onOcr: () => void): Promise<ReadDocument>
  release?(): Promise<void>
}

/** A document as the last sync stored it. */
export type KnownDocument = Pick<
  DocumentRow,
  | 'id'
  | 'key'
  | 'name'
  | 'media_type'
  | 'size'
  | 'sha256'
  | 'status'
  | 'error'
  | 'given_metadata'
  | 'stamp'
  | 'version'
  | 'indexed_version'
  | 'sync_id'
  | 'parent_id'
>

export interface ReadRequest {
  ctx: Context
  workspace: string
  source: SourceRow
  known: ReadonlyMap<string, KnownDocument>
  signal: AbortSignal
}

/** Yields the documents of a source. Known documents that it does not yield are removed, unless it is incomplete. */
export type Reader = (
  request: ReadRequest,
) => AsyncGenerator<Item, ReadResult | undefined> | Generator<Item, ReadResult | undefined>

export interface ReadResult {
  /** A part of the source could not be read, so documents that were not found may still exist. */
  incomplete: boolean
}

/** A document cannot be read. The sync continues with the others. */
export class Unreadable extends Error {}

/** The source cannot be read, and a retry would not help. */
export class SyncError extends Error {}

export const unchanged = ({ sha256, size }: { sha256: string; size: number }): Content => ({
  sha256,
  size,
  read: () => Promise.reject(new Unreadable('The document changed while it was read. The next sync reads it again.')),
})
