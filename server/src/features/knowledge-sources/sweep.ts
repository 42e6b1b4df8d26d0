import type { Context } from '../../kernel/context.ts'
import { originalOf } from './originals.ts'

/**
 * Removes files that no document has: those of a deleted workspace, and those that a crash left behind. What is younger
 * than the given time may still become a document's.
 */
export async function sweepFiles(ctx: Context, before: number): Promise<void> {
  await ctx.files.sweep(before)
  for (const workspace of await ctx.files.names([])) {
    if (!workspace.startsWith('wsp_')) continue
    for (const source of await ctx.files.names([workspace])) {
      await sweepSource(ctx, workspace, source, before)
    }
    if ((await ctx.files.names([workspace])).length === 0) await ctx.files.remove([workspace])
  }
}

async function sweepSource(ctx: Context, workspace: string, source: string, before: number): Promise<void> {
  // The names are read before the rows: a file is at its place before its document is known.
  const names = await ctx.files.names([workspace, source])
  const exists = await ctx.db
    .selectFrom('knowledge_source')
    .select('id')
    .where('workspace_id', '=', workspace)
    .where('id', '=', source)
    .executeTakeFirst()
  if (!exists) {
    await ctx.files.remove([workspace, source])
    return ctx.state['knowledge-sources'].indexer.drop(ctx, workspace, source)
  }
  const rows = await ctx.db
    .selectFrom('knowledge_document')
    .select(['id', 'sha256'])
    .where('workspace_id', '=', workspace)
    .where('knowledge_source_id', '=', source)
    .execute()
  const wanted = new Set(rows.map(({ id, sha256 }) => originalOf(workspace, source, id, sha256 ?? '').at(-1)))
  for (const name of names) {
    if (!wanted.has(name) && (await ctx.files.changedAt([workspace, source, name])) < before) {
      await ctx.files.remove([workspace, source, name])
    }
  }
}
