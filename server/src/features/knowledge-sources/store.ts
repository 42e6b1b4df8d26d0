import { type Generated, sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { resourceTable, type Stored } from '../../kernel/store/table.ts'
import { timestamp } from '../../kernel/time.ts'
import { KnowledgeDocument, type KnowledgeSource, Sync } from './schema.ts'
import { KnowledgeTable } from './tables/schema.ts'

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

export type TableRow = Stored<KnowledgeTable & { page: number; start: number; end: number }>

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
    knowledge_given_text: {
      workspace_id: string
      knowledge_source_id: string
      position: number
      key: string
      document: string
    }
    knowledge_deletion: { document_id: string; workspace_id: string; knowledge_source_id: string }
    knowledge_table: Omit<TableRow, 'columns' | 'rows' | 'total_rows'> & {
      workspace_id: string
      columns: string
      rows: string
      total_rows: Generated<string>
    }
    knowledge_table_text: { table_id: string; workspace_id: string; body: Uint8Array }
    knowledge_text: { document_id: string; workspace_id: string; body: Uint8Array }
    knowledge_sync: Omit<SyncRow, 'reading'> & { workspace_id: string; reading: Generated<string> }
  }
}

export const documents = resourceTable<typeof KnowledgeDocument, HiddenDocument>({
  name: 'knowledge_document',
  shape: KnowledgeDocument,
})

/** A document that nobody has read yet, and that everyone may see. */
export function newDocument(ctx: Context, sourceId: string, name: string): DocumentRow {
  const now = timestamp(ctx.now())
  return {
    id: ctx.newId('doc'),
    knowledge_source_id: sourceId,
    key: name,
    name,
    media_type: null,
    size: 0,
    sha256: null,
    status: 'pending',
    error: null,
    pages: null,
    pages_without_text: null,
    metadata: {},
    given_metadata: '{}',
    stamp: null,
    version: null,
    indexed_version: null,
    sync_id: null,
    parent_id: null,
    access: null,
    given_access: 'null',
    access_key: '',
    revision: 1,
    created_at: now,
    updated_at: now,
  }
}

export const tables = resourceTable<typeof KnowledgeTable, { page: number; start: number; end: number }>({
  name: 'knowledge_table',
  shape: KnowledgeTable,
})

export const syncs = resourceTable<typeof Sync, HiddenSync>({
  name: 'knowledge_sync',
  shape: Sync,
  computed: ['documents', 'chunks', 'created_at'],
  expressions: { created_at: sql.ref('started_at') },
})
