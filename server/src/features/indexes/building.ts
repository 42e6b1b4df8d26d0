import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../../kernel/context.ts'
import { reason } from '../../kernel/errors.ts'
import { inTransaction } from '../../kernel/store/database.ts'
import { second, timestamp } from '../../kernel/time.ts'
import { parsedDocumentsOf } from '../knowledge-sources/service.ts'
import { isRefinable } from './embedder.ts'
import { cutter, putInto } from './indexing.ts'
import { queueRefinement } from './queues.ts'
import { forgetDescription, inTurn, nameOf } from './state.ts'
import { documentIdsOf, findIndex, type IndexRow, setIndex, sourceStates, sourcesOf, swapTo } from './store.ts'

/**
 * Fills an index from the documents of its sources, beside whatever serves until then, and lets it serve when it is
 * complete. What is there already from an earlier try is kept.
 */
export async function build(ctx: Context, workspace: string, id: string, signal: AbortSignal): Promise<void> {
  const index = await findIndex(ctx.db, workspace, id)
  if (!index || index.status === 'ready') return
  await setIndex(ctx.db, index, { status: 'indexing', status_message: null })
  const { touched } = ctx.state.indexes
  touched.set(id, new Set())
  try {
    const failures = await fill(ctx, index, signal)
    await complete(ctx, index, failures)
  } finally {
    touched.delete(id)
  }
}

/** Goes through the documents until none can have been missed; says which could not be put, and why. */
async function fill(ctx: Context, index: IndexRow, signal: AbortSignal): Promise<string[]> {
  const workspace = index.workspace_id
  const sources = await sourcesOf(ctx.db, index)
  const done = new Map<string, string>()
  const failures = new Map<string, string>()
  for (;;) {
    // A sync that began before this index was known stores documents without telling it: those are found afterwards.
    const isSyncing = (await sourceStates(ctx.db, workspace, sources)).includes('syncing')
    for (const source of sources) {
      for await (const document of parsedDocumentsOf(ctx, workspace, source)) {
        signal.throwIfAborted()
        const version = createHash('sha1').update(document.text).digest('base64')
        if (done.get(document.id) === version) continue
        done.set(document.id, version)
        await inTurn(ctx, index, document.id, async () => {
          if (ctx.state.indexes.touched.get(index.id)?.has(document.id)) return
          await putInto(ctx, index, document, cutter(ctx, document, signal), signal)
          failures.delete(document.id)
        }).catch((error) => {
          signal.throwIfAborted()
          failures.set(document.id, `${document.label}: ${reason(error)}`)
        })
      }
    }
    if (!isSyncing) break
    while ((await sourceStates(ctx.db, workspace, sources)).includes('syncing')) {
      await delay(second / 4, undefined, { signal })
    }
  }
  await removeGone(ctx, index, sources, [...done.keys()])
  return [...failures.values()]
}

/** A document that was deleted just before this index was known. */
async function removeGone(ctx: Context, index: IndexRow, sources: string[], put: string[]): Promise<void> {
  const there = await documentIdsOf(ctx.db, index.workspace_id, sources)
  const documents = put.filter((id) => !there.has(id))
  if (documents.length > 0) await ctx.search.update(nameOf(index), { remove: { documents } })
}

async function complete(ctx: Context, index: IndexRow, failures: string[]): Promise<void> {
  const message =
    failures.length === 0 ? null : `${failures.length} documents could not be indexed; the first: ${failures[0]}`
  await inTransaction(ctx.db, async (tx) => {
    await setIndex(tx, index, { status: 'ready', status_message: message, updated_at: timestamp(ctx.now()) })
    await swapTo(tx, index)
    if (isRefinable(index)) await queueRefinement(ctx, tx, index)
  })
  forgetDescription(ctx, index)
}

export async function failBuild(ctx: Context, workspace: string, id: string, error: unknown): Promise<void> {
  const index = await findIndex(ctx.db, workspace, id)
  if (index) await setIndex(ctx.db, index, { status: 'error', status_message: reason(error) })
}
