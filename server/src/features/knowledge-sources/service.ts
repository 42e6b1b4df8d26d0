import type { Caller, Context } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/store/database.ts'
import { forgetNow } from './forget.ts'
import { sources } from './sources.ts'
import type { SourceRow } from './store.ts'
import { runningSync, syncSoon } from './syncs.ts'

export { parsedDocumentsOf, readParsed } from './parsed-text.ts'
export { sourceKind } from './sources.ts'

/** The texts of a source come with it, so they are read without being asked for. */
async function create(ctx: Context, who: Caller, body: object): Promise<SourceRow> {
  return inTransaction(ctx.db, async (tx) => {
    const source = await sources.create(ctx, who, body, tx)
    if (source.type !== 'text' || !source.configuration.documents?.length) return source
    await syncSoon(ctx, tx, who.workspace, source.id)
    return { ...source, status: 'syncing' }
  })
}

async function update(ctx: Context, who: Caller, id: string, body: object, ifMatch?: string): Promise<SourceRow> {
  return inTransaction(ctx.db, async (tx) => {
    const source = await sources.update(ctx, who, id, body, ifMatch, tx)
    if (source.type !== 'text' || !('configuration' in body)) return source
    await syncSoon(ctx, tx, who.workspace, source.id)
    return { ...source, status: 'syncing' }
  })
}

async function remove(ctx: Context, who: Caller, id: string, ifMatch?: string): Promise<void> {
  const running = await runningSync(ctx.db, who.workspace, id)
  await sources.remove(ctx, who, id, ifMatch)
  if (running?.job_id) await ctx.jobs.cancel(who.workspace, running.job_id)
  await forgetNow(ctx, who.workspace, { source: id })
}

export const knowledgeSources = { ...sources, create, update, remove }
