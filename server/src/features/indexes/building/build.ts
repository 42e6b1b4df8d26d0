import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../../../kernel/context.ts'
import { reason } from '../../../kernel/errors.ts'
import { Conflict } from '../../../kernel/store/commits.ts'
import { inTransaction } from '../../../kernel/store/database.ts'
import { second, timestamp } from '../../../kernel/time.ts'
import {
  findDocumentIds,
  readParsedDocuments,
  requireVersion,
  type StoredDocument,
  sourceStatuses,
} from '../../knowledge-sources/contents.ts'
import { storeBill } from '../../usage/ledger.ts'
import { isEmbeddedLater } from '../embedding.ts'
import { enqueueEmbedding } from '../queue.ts'
import { indexName, invalidateDescription, withDocumentLock } from '../state.ts'
import { findIndex, findSources, type IndexRow, serveFrom, setIndex } from '../store.ts'
import { billPut, putDocument } from './indexer.ts'

/**
 * Fills an index with the documents of its sources, then lets it serve. Until then the old index serves. A build that was
 * interrupted keeps the documents that are already indexed.
 */
export async function buildIndex(ctx: Context, workspace: string, id: string, signal: AbortSignal): Promise<void> {
  const index = await findIndex(ctx.db, workspace, id)
  if (!index || index.status === 'ready') return
  await setIndex(ctx.db, index, { status: 'indexing', status_message: null })
  const { changedDuringBuild } = ctx.state.indexes
  changedDuringBuild.set(id, new Set())
  try {
    const failures = await putDocuments(ctx, index, signal)
    await finishBuild(ctx, index, failures)
  } finally {
    changedDuringBuild.delete(id)
  }
}

/** Puts the documents of all sources and returns the reasons why some could not be put. */
async function putDocuments(ctx: Context, index: IndexRow, signal: AbortSignal): Promise<string[]> {
  let tokens = 0
  const put = async (document: StoredDocument) => {
    // The sync that stored a newer text also indexes it.
    const isUnchanged = () => [requireVersion(ctx, index.workspace_id, document)]
    for (const changed of await putDocument(ctx, [index], document, isUnchanged, signal)) tokens += changed.tokens
  }
  try {
    return await putAll(ctx, index, put, signal)
  } finally {
    if (tokens > 0) await storeBill(ctx, await billPut(ctx, index, tokens))
  }
}

async function putAll(
  ctx: Context,
  index: IndexRow,
  put: (document: StoredDocument) => Promise<void>,
  signal: AbortSignal,
): Promise<string[]> {
  const workspace = index.workspace_id
  const sources = await findSources(ctx.db, index)
  const isSyncing = async () => (await sourceStatuses(ctx.db, workspace, sources)).includes('syncing')
  const versions = new Map<string, string>()
  const failures = new Map<string, string>()
  for (let isComplete = false; !isComplete; ) {
    // A sync that started before this index existed does not index its documents here, so the build checks again after it.
    isComplete = !(await isSyncing())
    for (const source of sources) {
      for await (const document of readParsedDocuments(ctx, workspace, source)) {
        signal.throwIfAborted()
        const version = createHash('sha1').update(document.text).digest('base64')
        if (versions.get(document.id) === version) continue
        versions.set(document.id, version)
        await withDocumentLock(ctx, document.id, async () => {
          if (ctx.state.indexes.changedDuringBuild.get(index.id)?.has(document.id)) return
          await put(document)
          failures.delete(document.id)
        }).catch((error) => {
          signal.throwIfAborted()
          if (error instanceof Conflict) return // a sync on any node has changed or deleted the document
          failures.set(document.id, `${document.label}: ${reason(error)}`)
        })
      }
    }
    while (!isComplete && (await isSyncing())) await delay(second / 4, undefined, { signal })
  }
  await removeDeleted(ctx, index, sources, [...versions.keys()])
  return [...failures.values()]
}

/** Removes documents that were deleted after they were read from the database and before they were put. */
async function removeDeleted(ctx: Context, index: IndexRow, sources: string[], ids: string[]): Promise<void> {
  const existing = await findDocumentIds(ctx.db, index.workspace_id, sources)
  const documents = ids.filter((id) => !existing.has(id))
  if (documents.length > 0) await ctx.search.update(indexName(index), { remove: { documents } })
}

async function finishBuild(ctx: Context, index: IndexRow, failures: string[]): Promise<void> {
  const message =
    failures.length === 0 ? null : `${failures.length} documents could not be indexed. The first: ${failures[0]}`
  await inTransaction(ctx.db, async (tx) => {
    await setIndex(tx, index, { status: 'ready', status_message: message, updated_at: timestamp(ctx.now()) })
    await serveFrom(tx, index)
    if (isEmbeddedLater(index)) await enqueueEmbedding(ctx, tx, index)
  })
  invalidateDescription(ctx, index)
}

export async function failBuild(ctx: Context, workspace: string, id: string, error: unknown): Promise<void> {
  const index = await findIndex(ctx.db, workspace, id)
  if (index) await setIndex(ctx.db, index, { status: 'error', status_message: reason(error) })
}
