import type { CompiledQuery } from 'kysely'
import type { Statement } from '../../kernel/store/commits.ts'
import { resourceTable, type Stored } from '../../kernel/store/table.ts'
import { KnowledgeDocument, type KnowledgeSource, Sync } from './schema.ts'

/** What only the service sees of a source. */
export type HiddenSource = {
  /** Not 0: something came while a sync ran, so another one follows it. */
  sync_again: number
}
export type SourceRow = Stored<KnowledgeSource & HiddenSource>

export type HiddenDocument = {
  /** What makes it the same document in the next sync. */
  key: string
  /** JSON of what was given with it, apart from what it says of itself. */
  given_metadata: string
  /** How its place tells whether it has changed: an ETag, or the times of a file. */
  stamp: string | null
  /** Of what is to be searchable: content, name and metadata in one hash. */
  version: string | null
  /** Of what is searchable. */
  indexed_version: string | null
  /** The sync that last had to do something for it. */
  sync_id: string | null
}
export type DocumentRow = Stored<KnowledgeDocument & HiddenDocument>

type SyncCounts = Record<`documents_${keyof Sync['documents']}` | `chunks_${keyof Sync['chunks']}`, number>
export type HiddenSync = SyncCounts & {
  /** 1 where a caller asked for it, 0 where a change did. */
  asked_for: number
  job_id: string | null
}
export type SyncRow = Stored<Omit<Sync, 'documents' | 'chunks'> & HiddenSync>

declare module '../../kernel/store/database.ts' {
  interface Tables {
    knowledge_source: Omit<SourceRow, 'configuration'> & { workspace_id: string; configuration: string }
    knowledge_document: Omit<DocumentRow, 'metadata'> & { workspace_id: string; metadata: string }
    knowledge_text: { document_id: string; workspace_id: string; body: Uint8Array }
    knowledge_sync: SyncRow & { workspace_id: string }
  }
}

export const documents = resourceTable<typeof KnowledgeDocument, HiddenDocument>({
  name: 'knowledge_document',
  shape: KnowledgeDocument,
})

export const syncs = resourceTable<typeof Sync, HiddenSync>({
  name: 'knowledge_sync',
  shape: Sync,
  computed: ['documents', 'chunks'],
})

/** A query as a part of a unit of `commits`. */
export const statement = (query: { compile(): CompiledQuery }, changes?: number): Statement => {
  const { sql, parameters } = query.compile()
  return { sql, parameters, ...(changes !== undefined && { changes }) }
}
