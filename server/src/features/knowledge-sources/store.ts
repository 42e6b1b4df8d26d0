import { type Generated, sql } from 'kysely'
import { resourceTable, type Stored } from '../../kernel/store/table.ts'
import { KnowledgeDocument, type KnowledgeSource, Sync } from './schema.ts'

/** Columns that the API does not show. */
export type HiddenSource = {
  /** 1 if the source changed during a sync, which then looks again. */
  sync_again: number
}
export type SourceRow = Stored<KnowledgeSource & HiddenSource>

export type HiddenDocument = {
  /** Identifies the document in its source. */
  key: string
  /** JSON of the metadata from the caller, without that from the document. */
  given_metadata: string
  /** Detects changes without reading the content: an ETag, or the times of a file. */
  stamp: string | null
  /** Hash of the current content, name and metadata. */
  version: string | null
  /** The version that is searchable. */
  indexed_version: string | null
  /** The last sync that changed it. */
  sync_id: string | null
  /** JSON of the access that was set on the document itself. */
  given_access: string
  /** A short form of its access, empty for everyone. */
  access_key: string
}
export type DocumentRow = Stored<KnowledgeDocument & HiddenDocument>

type SyncCounts = Record<`documents_${keyof Sync['documents']}` | `chunks_${keyof Sync['chunks']}`, number>
export type HiddenSync = SyncCounts & {
  /** 1 if a caller requested it, 0 if a change started it. */
  asked_for: number
  job_id: string | null
}
export type SyncRow = Stored<Omit<Sync, 'documents' | 'chunks' | 'created_at'> & HiddenSync>

declare module '../../kernel/store/database.ts' {
  interface Tables {
    knowledge_source: Omit<SourceRow, 'configuration' | 'access' | 'access_rules'> & {
      workspace_id: string
      configuration: string
      access: Generated<string>
      access_rules: Generated<string>
    }
    knowledge_document: Omit<DocumentRow, 'metadata' | 'access' | 'given_access' | 'access_key'> & {
      workspace_id: string
      metadata: string
      access: Generated<string>
      given_access: Generated<string>
      access_key: Generated<string>
    }
    knowledge_text: { document_id: string; workspace_id: string; body: Uint8Array }
    knowledge_sync: Omit<SyncRow, 'reading'> & { workspace_id: string; reading: Generated<string> }
  }
}

export const documents = resourceTable<typeof KnowledgeDocument, HiddenDocument>({
  name: 'knowledge_document',
  shape: KnowledgeDocument,
})

export const syncs = resourceTable<typeof Sync, HiddenSync>({
  name: 'knowledge_sync',
  shape: Sync,
  computed: ['documents', 'chunks', 'created_at'],
  expressions: { created_at: sql.ref('started_at') },
})
