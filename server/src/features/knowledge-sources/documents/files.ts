import type { Context } from '../../../kernel/context.ts'
import { indexerOf } from '../indexer.ts'

/** Where an uploaded file is stored. New content gets a new path, so the old file stays complete until it is deleted. */
export const uploadPath = (workspace: string, sourceId: string, documentId: string, sha256: string): string[] => [
  workspace,
  sourceId,
  `${documentId}.${sha256.slice(0, 32)}`,
]

/**
 * Removes files that belong to no document: those of deleted workspaces and those that a crash left behind. Files younger
 * than `before` are kept, as their document may not be stored yet.
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
  // Read the names before the rows: a file is in place before its document is stored.
  const names = await ctx.files.names([workspace, source])
  const exists = await ctx.db
    .selectFrom('knowledge_source')
    .select('id')
    .where('workspace_id', '=', workspace)
    .where('id', '=', source)
    .executeTakeFirst()
  if (!exists) {
    await ctx.files.remove([workspace, source])
    return indexerOf(ctx).drop(ctx, workspace, source)
  }
  const rows = await ctx.db
    .selectFrom('knowledge_document')
    .select(['id', 'sha256'])
    .where('workspace_id', '=', workspace)
    .where('knowledge_source_id', '=', source)
    .execute()
  const expected = new Set(rows.map(({ id, sha256 }) => uploadPath(workspace, source, id, sha256 ?? '').at(-1)))
  for (const name of names) {
    if (!expected.has(name) && (await ctx.files.changedAt([workspace, source, name])) < before) {
      await ctx.files.remove([workspace, source, name])
    }
  }
}
