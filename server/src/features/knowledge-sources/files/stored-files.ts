import type { Context } from '../../../kernel/context.ts'
import type { StoredFile } from '../../../kernel/files/files.ts'
import { getIndexer } from '../indexer.ts'

/** Where an uploaded file is stored. New content gets a new path, so the old file stays complete until it is deleted. */
export const uploadPath = (workspace: string, sourceId: string, documentId: string, sha256: string): string[] => [
  workspace,
  sourceId,
  `${documentId}.${sha256.slice(0, 32)}`,
]

/**
 * Removes files that belong to no document: those of deleted workspaces and those that a crash left behind. Files younger
 * than `before` are kept, because their document may not be stored yet.
 */
export async function sweepFiles(ctx: Context, before: number): Promise<void> {
  await ctx.files.sweep(before)
  let files: StoredFile[] = []
  for await (const file of ctx.files.list([], 'wsp_')) {
    const [first] = files
    if (first && sourceKey(first) !== sourceKey(file)) {
      await sweepSource(ctx, files, before)
      files = []
    }
    files.push(file)
  }
  await sweepSource(ctx, files, before)
}

const sourceKey = ({ path: [workspace, source] }: StoredFile): string => `${workspace} ${source}`

/** The files were listed before the rows are read: a file is in place before its document is stored. */
async function sweepSource(ctx: Context, files: readonly StoredFile[], before: number): Promise<void> {
  const [workspace, source, name] = files[0]?.path ?? []
  if (workspace === undefined || source === undefined || name === undefined) return
  const exists = await ctx.db
    .selectFrom('knowledge_source')
    .select('id')
    .where('workspace_id', '=', workspace)
    .where('id', '=', source)
    .executeTakeFirst()
  if (!exists) {
    await ctx.files.removeAll([workspace, source])
    return getIndexer(ctx).drop(ctx, workspace, source)
  }
  const rows = await ctx.db
    .selectFrom('knowledge_document')
    .select(['id', 'sha256'])
    .where('workspace_id', '=', workspace)
    .where('knowledge_source_id', '=', source)
    .execute()
  const expected = new Set(rows.map(({ id, sha256 }) => uploadPath(workspace, source, id, sha256 ?? '').at(-1)))
  const orphans = files.filter(({ path, changedAt }) => !expected.has(path[2]) && changedAt < before)
  await ctx.files.remove(...orphans.map(({ path }) => path))
}
