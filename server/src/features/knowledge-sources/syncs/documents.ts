import type { Attachment, OnProgress, ReadDocument } from '@parley/documents'
import { DocumentError, packDocument } from '@parley/documents'
import type { Context } from '../../../kernel/context.ts'
import { Conflict, type Statement } from '../../../kernel/store/commits.ts'
import { statement } from '../../../kernel/store/statement.ts'
import { timestamp } from '../../../kernel/time.ts'
import { accessCells, accessFor, computeAccessKey, nobody } from '../access/rules.ts'
import { type ChunkCounts, getIndexer } from '../indexer.ts'
import { type Content, type Item, type KnownDocument, SyncError, Unreadable } from '../readers/reader.ts'
import type { Reading } from '../schema.ts'
import { type DocumentRow, documents, newDocument, type SourceRow, type SyncRow } from '../store.ts'
import { prepareTables } from '../tables/write.ts'
import { accessOnceRead, loadAccessRules } from './access.ts'
import { attachmentItems, type Mail, withWarnings } from './attachments.ts'
import { computeVersion } from './version.ts'

interface Task {
  workspace: string
  source: SourceRow
  sync: SyncRow
  known: ReadonlyMap<string, KnownDocument>
  signal: AbortSignal
  /** Called while a document is being read, and with `null` when that has ended. */
  onReading(documentId: string, reading: Reading | null): void
}

type Counted = `documents_${'added' | 'updated' | 'removed' | 'failed'}` | `chunks_${keyof ChunkCounts}`

/**
 * Syncs the documents of one source. A document, its text and its counts are committed together, so a sync that is
 * interrupted resumes without counting anything twice.
 */
export class DocumentSync {
  readonly #ctx: Context
  readonly #task: Task
  /** How many documents were up to date. */
  unchanged = 0
  /** The keys of the documents that the source has. */
  readonly seen = new Set<string>()
  /** Whether attachments were read. */
  hasAttachments = false
  readonly #attachments: ReadonlyMap<string | null, KnownDocument[]>

  constructor(ctx: Context, task: Task) {
    this.#ctx = ctx
    this.#task = task
    this.#attachments = Map.groupBy(task.known.values(), ({ parent_id }) => parent_id)
  }

  /** `leave` is called when others may be read meanwhile. */
  async sync(item: Item, leave: () => void): Promise<void> {
    const { signal } = this.#task
    const known = this.#task.known.get(item.key)
    this.seen.add(item.key)
    let content: Content | undefined
    let version: string | null = null
    try {
      content = await item.open()
      version = computeVersion(this.#task.source, content.sha256, item.name, item.metadata)
      if (known?.indexed_version === version) {
        this.#keepAttachments(known, version)
        return await this.#keep(known, item)
      }
      if (known && !this.#shouldRetry(known, version)) return await this.#failAgain(known)
      const id = await this.#register(known, item, content, version)
      try {
        const document = await content.read(signal, this.#progress(id, item, 'pages'), leave)
        const metadata = { ...document.metadata, ...item.metadata }
        const mail = { id, name: item.name, item, version, metadata }
        const warnings = await this.#syncAttachments(mail, document.attachments ?? [], leave)
        await this.#index(id, known, item, content, version, withWarnings(document, warnings))
      } finally {
        this.#task.onReading(id, null)
      }
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof DocumentError) && !(error instanceof Unreadable)) throw error
      await this.#fail(known, item, content, version, error.message)
    } finally {
      await content?.release?.()
    }
  }

  /** Returns a warning for each that cannot be read. The mail is indexed after them, so an interrupted sync repeats them. */
  async #syncAttachments(mail: Mail, attachments: readonly Attachment[], leave: () => void): Promise<string[]> {
    const { workspace, source, signal } = this.#task
    const warnings: string[] = []
    this.hasAttachments ||= attachments.length > 0
    for (const item of attachmentItems(this.#ctx, workspace, source, mail, attachments)) {
      try {
        await this.#syncAttachment(mail, item, leave)
        this.seen.add(item.key)
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof DocumentError) && !(error instanceof Unreadable)) throw error
        warnings.push(`The attachment ${item.name.slice(mail.item.name.length + 1)} was left out: ${error.message}`)
      }
    }
    return warnings
  }

  async #syncAttachment(mail: Mail, item: Item, leave: () => void): Promise<void> {
    const known = this.#task.known.get(item.key)
    const content = await item.open()
    const version = computeVersion(this.#task.source, content.sha256, item.name, item.metadata)
    if (known?.indexed_version === version) return this.#keep(known, item)
    const document = await content.read(this.#task.signal, this.#progress(mail.id, item, 'pages'), leave)
    const id = await this.#register(known, item, content, version, mail)
    try {
      await this.#index(id, known, item, content, version, document, mail)
    } finally {
      this.#task.onReading(id, null)
    }
  }

  /** Keeps the attachments of a document that is not read again, unless they belong to another version of it. */
  #keepAttachments({ id }: KnownDocument, version?: string): void {
    const kept = (this.#attachments.get(id) ?? []).filter(({ stamp }) => version === undefined || stamp === version)
    for (const { key } of kept) this.seen.add(key)
    this.unchanged += kept.filter(({ sync_id }) => sync_id !== this.#task.sync.id).length
  }

  /** Removes documents from the indexes, then from the database, so that an interrupted removal is repeated. */
  async remove(documents: readonly KnownDocument[]): Promise<void> {
    const { workspace, source, signal } = this.#task
    for (let from = 0; from < documents.length; from += removalBatch) {
      signal.throwIfAborted()
      const ids = documents.slice(from, from + removalBatch).map(({ id }) => id)
      const rows = this.#ctx.db.deleteFrom('knowledge_document').where('workspace_id', '=', workspace)
      await getIndexer(this.#ctx).remove(this.#ctx, workspace, source.id, ids, (removed) => [
        statement(rows.where('id', 'in', ids)),
        this.#count({ documents_removed: ids.length, chunks_removed: removed }),
      ])
    }
  }

  #progress(documentId: string, { name }: Item, unit: Reading['unit']): OnProgress {
    return (done, total) => this.#task.onReading(documentId, { document_id: documentId, name, unit, done, total })
  }

  /** A failed document is tried again if its content changed, or once in a sync that a caller requested. */
  #shouldRetry(known: KnownDocument, version: string): boolean {
    const { sync } = this.#task
    if (known.status !== 'failed' || known.version !== version) return true
    return known.sync_id !== sync.id && Boolean(sync.asked_for)
  }

  async #keep(known: KnownDocument, item: Item): Promise<void> {
    if (known.sync_id !== this.#task.sync.id) this.unchanged++
    if (known.status === 'indexed' && known.stamp === item.stamp) return
    const { indexed_version: version } = known
    const change = { status: 'indexed' as const, error: null, stamp: item.stamp, version }
    await this.#commit([statement(this.#row(known.id).set(change))])
  }

  async #failAgain(known: KnownDocument): Promise<void> {
    const { sync } = this.#task
    this.#keepAttachments(known)
    if (known.sync_id === sync.id) return
    await this.#commit([statement(this.#row(known.id).set({ sync_id: sync.id })), this.#count({ documents_failed: 1 })])
  }

  /** The row exists before the document is indexed, so nothing in an index is without a row. */
  async #register(
    known: KnownDocument | undefined,
    item: Item,
    content: Content,
    version: string,
    mail?: Mail,
  ): Promise<string> {
    const { source } = this.#task
    if (known && source.type === 'file' && !mail) {
      // The upload has already updated its row, unless the parser has changed since.
      const uploaded = this.#row(known.id).where('version', '=', known.version)
      if (known.version !== version) await this.#commit([statement(uploaded.set({ version }))])
      return known.id
    }
    const state = { status: 'pending' as const, error: null, sha256: content.sha256, size: content.size, version }
    if (known) {
      await this.#commit([statement(this.#row(known.id).set({ ...state, name: item.name }))])
      return known.id
    }
    return this.#insert(item, state, mail)
  }

  async #insert(item: Item, state: Partial<DocumentRow>, mail?: Mail): Promise<string> {
    const { workspace, source } = this.#task
    const access = mail
      ? nobody
      : accessFor(await loadAccessRules(this.#ctx, workspace, source.id), { ...item, givenAccess: null, isRead: false })
    const row = {
      ...newDocument(this.#ctx, source.id, item.name),
      key: item.key,
      metadata: item.metadata,
      given_metadata: JSON.stringify(item.metadata),
      parent_id: mail?.id ?? null,
      access,
      access_key: computeAccessKey(access),
      ...state,
    }
    await this.#commit([documents.insertStatement(this.#ctx.db, workspace, row)])
    return row.id
  }

  async #index(
    id: string,
    known: KnownDocument | undefined,
    item: Item,
    content: Content,
    version: string,
    read: ReadDocument,
    mail?: Mail,
  ): Promise<void> {
    const { workspace, source, sync, signal } = this.#task
    const metadata = { ...read.metadata, ...item.metadata }
    const document = { ...read, id, sourceId: source.id, label: item.name, metadata }
    const tables = await prepareTables(this.#ctx, workspace, document, signal)
    const access = await accessOnceRead(this.#ctx, workspace, source.id, id, mail ?? { id, name: item.name, metadata })
    // Neither the old text may be seen by those of the new access, nor the new one by those of the old.
    if (access.isNew && known?.indexed_version) {
      await this.#commit([statement(this.#row(id).set(accessCells(nobody)))])
    }
    const searchable = {
      ...(access.isNew && access.cells),
      indexed_version: version,
      pages: read.pages.length || null,
      pages_without_text: read.pages.length > 0 ? countBlank(read) : null,
      metadata: JSON.stringify(metadata),
      sync_id: sync.id,
      updated_at: timestamp(this.#ctx.now()),
    }
    const complete = {
      ...searchable,
      given_metadata: JSON.stringify(item.metadata),
      name: item.name,
      media_type: read.mediaType,
      status: 'indexed' as const,
      error: null,
      stamp: item.stamp,
    }
    const text = [this.#text(id, packDocument(read)), ...tables]
    let counted = this.#count({})
    const unchanged = this.#row(id).where('sha256', '=', content.sha256).where('version', '=', version)
    const statements = (chunks: ChunkCounts): Statement[] => {
      counted = this.#count({
        [known?.indexed_version ? 'documents_updated' : 'documents_added']: 1,
        chunks_embedded: chunks.embedded,
        chunks_reused: chunks.reused,
        chunks_removed: chunks.removed,
      })
      return [statement(unchanged.set(complete), 1), ...text, counted]
    }
    const onPassages = this.#progress(id, item, 'passages')
    try {
      await explained(getIndexer(this.#ctx).put(this.#ctx, workspace, document, statements, signal, onPassages))
      return
    } catch (error) {
      if (!(error instanceof Conflict)) throw error
    }
    if (this.#ctx.search.engine === 'postgres') return // nothing was changed; the next pass reads the new content
    // If the document was replaced meanwhile, this text is searchable until the next pass. If it was deleted, undo the put.
    await this.#commit([statement(this.#row(id).set(searchable), 1), ...text, counted]).catch(
      async (error: unknown) => {
        if (!(error instanceof Conflict)) throw error
        await getIndexer(this.#ctx).remove(this.#ctx, workspace, source.id, [id])
      },
    )
  }

  /** The text that was indexed before stays searchable. */
  async #fail(
    known: KnownDocument | undefined,
    item: Item,
    content: Content | undefined,
    version: string | null,
    error: string,
  ): Promise<void> {
    const { sync } = this.#task
    if (known) this.#keepAttachments(known)
    const isCounted = known?.status === 'failed' && known.sync_id === sync.id
    const hashed = content && { sha256: content.sha256, size: content.size }
    const change = { status: 'failed' as const, error, ...(hashed && { ...hashed, version }), sync_id: sync.id }
    const id = known?.id ?? (await this.#findId(item.key)) ?? (await this.#insert(item, { status: 'pending' }))
    const row = this.#row(id)
    const unchanged = content ? row.where((is) => is.or([is('version', 'is', null), is('version', '=', version)])) : row
    await this.#commit([
      statement(unchanged.set(change), 1),
      this.#count({ documents_failed: isCounted ? 0 : 1 }),
    ]).catch((reason) => {
      if (!(reason instanceof Conflict)) throw reason // the document was replaced or deleted meanwhile
    })
  }

  async #findId(key: string): Promise<string | undefined> {
    const { workspace, source } = this.#task
    const row = await this.#ctx.db
      .selectFrom('knowledge_document')
      .select('id')
      .where('workspace_id', '=', workspace)
      .where('knowledge_source_id', '=', source.id)
      .where('key', '=', key)
      .executeTakeFirst()
    return row?.id
  }

  #row(id: string) {
    const { workspace } = this.#task
    return this.#ctx.db.updateTable('knowledge_document').where('workspace_id', '=', workspace).where('id', '=', id)
  }

  #text(id: string, body: Uint8Array): Statement {
    const row = { document_id: id, workspace_id: this.#task.workspace, body }
    return statement(
      this.#ctx.db
        .insertInto('knowledge_text')
        .values(row)
        .onConflict((conflict) => conflict.column('document_id').doUpdateSet({ body })),
    )
  }

  #count(counts: Partial<Record<Counted, number>>): Statement {
    const { workspace, sync } = this.#task
    const increments = Object.entries(counts).filter(([, count]) => count)
    return statement(
      this.#ctx.db
        .updateTable('knowledge_sync')
        .set((is) => ({
          revision: is('revision', '+', 1),
          updated_at: timestamp(this.#ctx.now()),
          ...Object.fromEntries(increments.map(([name, count]) => [name, is(name as Counted, '+', count)])),
        }))
        .where('workspace_id', '=', workspace)
        .where('id', '=', sync.id),
    )
  }

  #commit(statements: Statement[]): Promise<void> {
    return explained(this.#ctx.commits.commit(statements))
  }
}

/** Deleting a source during its sync deletes its rows, which violates the foreign key. */
async function explained(commit: Promise<void>): Promise<void> {
  try {
    await commit
  } catch (error) {
    if (/foreign key/i.test((error as Error).message)) throw new SyncError('The source was deleted.')
    throw error
  }
}

const removalBatch = 200

const countBlank = ({ text, pages }: ReadDocument): number =>
  pages.filter(({ start, end }) => text.slice(start, end).trim() === '').length
