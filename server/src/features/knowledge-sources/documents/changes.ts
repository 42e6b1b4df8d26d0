import { normalized } from '../../../kernel/access.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { requireMatch } from '../../../kernel/store/collection.ts'
import { type Db, inTransaction } from '../../../kernel/store/database.ts'
import { timestamp } from '../../../kernel/time.ts'
import { applyToAttachments } from '../access/apply.ts'
import { accessIn } from '../access/rules.ts'
import { sources } from '../sources.ts'
import { type DocumentRow, documents, type SourceRow } from '../store.ts'
import { requestSyncAfterChange } from '../syncs/service.ts'
import { computeVersion } from '../syncs/version.ts'
import { setTextMetadata } from '../texts.ts'
import type { DocumentBody } from './schema.ts'

interface Locked {
  tx: Db
  source: SourceRow
  document: DocumentRow
}

/** Changes a document. Unless only its access changes, a sync of its source then indexes it. */
const change = (
  ctx: Context,
  who: Caller,
  sourceId: string,
  id: string,
  { action, ifMatch, fields = [] }: { action: string; ifMatch?: string | undefined; fields?: string[] },
  next: (locked: Locked) => Promise<Partial<DocumentRow>> | Partial<DocumentRow>,
  isIndexed = true,
): Promise<DocumentRow> =>
  inTransaction(ctx.db, async (tx) => {
    const source = (await sources.table.lock(tx, who.workspace, sourceId)) ?? notFound(sources.kind, sourceId)
    const document = await documents.lock(tx, who.workspace, id)
    if (document?.knowledge_source_id !== sourceId) notFound('document', id)
    requireMatch('document', document, ifMatch)
    const row = {
      ...document,
      ...(await next({ tx, source, document })),
      ...(isIndexed && { status: 'pending' as const, error: null }),
      revision: document.revision + 1,
      updated_at: timestamp(ctx.now()),
    }
    Object.assign(row, accessIn(source, row))
    await documents.update(tx, who.workspace, id, row)
    await applyToAttachments(tx, who.workspace, row)
    if (isIndexed) await requestSyncAfterChange(ctx, tx, who.workspace, sourceId)
    await ctx.audit.record(tx, who, { action, kind: sources.kind, id: sourceId, part: id, fields })
    return row
  })

/** Replaces the metadata from the caller, and the document's own access. Metadata read from the document stays. */
export const updateDocument = (
  ctx: Context,
  who: Caller,
  sourceId: string,
  id: string,
  { metadata, access }: DocumentBody,
  ifMatch?: string,
): Promise<DocumentRow> =>
  change(
    ctx,
    who,
    sourceId,
    id,
    {
      action: 'update document',
      ifMatch,
      fields: [...(metadata === undefined ? [] : ['metadata']), ...(access === undefined ? [] : ['access'])],
    },
    async ({ tx, source, document }) => {
      await rejectAttachment(tx, who.workspace, document)
      return {
        ...(metadata !== undefined && (await withMetadata(tx, who.workspace, source, document, metadata))),
        ...(access !== undefined && { given_access: JSON.stringify(normalized(access)) }),
      }
    },
    metadata !== undefined,
  )

async function withMetadata(
  tx: Db,
  workspace: string,
  source: SourceRow,
  document: DocumentRow,
  metadata: Record<string, unknown>,
): Promise<Partial<DocumentRow>> {
  if (source.type === 'web' || source.type === 'directory')
    invalid('metadata', `of the documents of a ${source.type} source is read from them and cannot be changed`)
  rejectUnstored(document)
  if (source.type === 'text') await setTextMetadata(tx, workspace, source, document.key, metadata)
  const before = Object.keys(JSON.parse(document.given_metadata) as object)
  const own = Object.entries(document.metadata).filter(([name]) => !before.includes(name))
  return {
    metadata: { ...Object.fromEntries(own), ...metadata },
    given_metadata: JSON.stringify(metadata),
    version: computeVersion(source, document.sha256 ?? '', document.name, metadata),
  }
}

/** Reads a document again even if it seems unchanged. The other documents are only checked for changes. */
export const syncDocument = (ctx: Context, who: Caller, sourceId: string, id: string): Promise<DocumentRow> =>
  change(ctx, who, sourceId, id, { action: 'sync document' }, async ({ tx, document }) => {
    rejectUnstored(document)
    // An attachment is read when its mail is.
    if (document.parent_id !== null)
      await documents.update(tx, who.workspace, document.parent_id, { stamp: null, indexed_version: outdated })
    return { stamp: null, indexed_version: document.indexed_version && outdated }
  })

const outdated = 'outdated'

async function rejectAttachment(tx: Db, workspace: string, { name, parent_id }: DocumentRow): Promise<void> {
  if (parent_id === null) return
  const mail = await documents.find(tx, workspace, parent_id)
  invalid('document', `${name} is an attachment, which has the metadata and access of its mail; change ${mail?.name}`)
}

/** A file that the upload refused has no content, only a name. */
function rejectUnstored({ sha256, name, error }: DocumentRow): void {
  if (sha256 === null) invalid('document', `${name} was not stored: ${error ?? 'it was refused'} Upload it again.`)
}
