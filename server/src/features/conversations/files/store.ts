import type { ExpressionBuilder } from 'kysely'
import type { Context } from '../../../kernel/context.ts'
import type { FilePath } from '../../../kernel/files/files.ts'
import type { Statement } from '../../../kernel/store/commits.ts'
import type { Db, Tables } from '../../../kernel/store/database.ts'
import { statement } from '../../../kernel/store/statement.ts'
import type { MessageRow } from '../../runs/reply.ts'

export interface FileRow {
  id: string
  workspace_id: string
  /** The person who uploaded the file. */
  user_id: string | null
  name: string
  media_type: string
  size: number
  sha256: string
  /** The tokens that the whole file takes in a model's context window. */
  tokens: number
  created_at: string
}

declare module '../../../kernel/store/database.ts' {
  interface Tables {
    file: FileRow
    message_file: {
      message_id: string
      position: number
      workspace_id: string
      conversation_id: string
      file_id: string
    }
  }
}

/** Outside of the folder of the workspace, where a release without attachments would remove it as unknown. */
export const rootFolder = 'attachments'
export const contentPath = (workspace: string, id: string): FilePath => [rootFolder, workspace, id]
/** The text of a document, as the parser packed it. */
export const textPath = (workspace: string, id: string): FilePath => [rootFolder, workspace, `${id}.text`]
const filePaths = (workspace: string, id: string): FilePath[] => [contentPath(workspace, id), textPath(workspace, id)]

export async function findFiles(db: Db, workspace: string, ids: readonly string[]): Promise<Map<string, FileRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('file')
    .selectAll()
    .where('workspace_id', '=', workspace)
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, { ...row, size: Number(row.size) }]))
}

/** The conversations in which a file is attached to a message. */
export const conversationsWith = (db: Db, workspace: string, id: string) =>
  db
    .selectFrom('message_file')
    .innerJoin('conversation', 'conversation.id', 'message_file.conversation_id')
    .select(['conversation.id', 'conversation.user_id', 'conversation.shared'])
    .distinct()
    .where('message_file.workspace_id', '=', workspace)
    .where('conversation.workspace_id', '=', workspace)
    .where('file_id', '=', id)
    .execute()

export const attachStatements = (ctx: Context, message: MessageRow): Statement[] =>
  message.attachments.map(({ file_id }, position) =>
    statement(
      ctx.db.insertInto('message_file').values({
        message_id: message.id,
        position,
        workspace_id: message.workspace_id,
        conversation_id: message.conversation_id,
        file_id,
      }),
    ),
  )

/** The condition that no message has the file attached. */
export const isUnused = (is: ExpressionBuilder<Tables, 'file'>) =>
  is.not(is.exists(is.selectFrom('message_file').select('message_id').whereRef('message_file.file_id', '=', 'file.id')))

/** Deletes the files that only this conversation uses, in the transaction that deletes it. Returns their ids. */
export async function detachAll(tx: Db, workspace: string, conversation: string): Promise<string[]> {
  const used = await tx
    .selectFrom('message_file')
    .select('file_id')
    .distinct()
    .where('workspace_id', '=', workspace)
    .where('conversation_id', '=', conversation)
    .execute()
  if (used.length === 0) return []
  await tx
    .deleteFrom('message_file')
    .where('workspace_id', '=', workspace)
    .where('conversation_id', '=', conversation)
    .execute()
  const deleted = await tx
    .deleteFrom('file')
    .where('workspace_id', '=', workspace)
    .where(
      'id',
      'in',
      used.map(({ file_id }) => file_id),
    )
    .where(isUnused)
    .returning('id')
    .execute()
  return deleted.map(({ id }) => id)
}

const removedAtOnce = 100

/** Removes files older than `before` that no message uses. */
export async function removeUnused(ctx: Context, before: string): Promise<void> {
  for (;;) {
    const old = await ctx.db
      .selectFrom('file')
      .select('id')
      .where('created_at', '<', before)
      .where(isUnused)
      .limit(removedAtOnce)
      .execute()
    if (old.length === 0) return
    const deleted = await ctx.db
      .deleteFrom('file')
      .where(
        'id',
        'in',
        old.map(({ id }) => id),
      )
      .where(isUnused)
      .returning(['id', 'workspace_id'])
      .execute()
    await ctx.files.remove(...deleted.flatMap(({ id, workspace_id }) => filePaths(workspace_id, id)))
    if (old.length < removedAtOnce) return
  }
}

export const removeContent = (ctx: Context, workspace: string, ids: readonly string[]): Promise<void> =>
  ctx.files.remove(...ids.flatMap((id) => filePaths(workspace, id)))

/**
 * Removes content that belongs to no file: of deleted workspaces, and what a crash left behind. Content younger than
 * `before` is kept, because its row may not be stored yet.
 */
export async function sweepContent(ctx: Context, before: number): Promise<void> {
  let batch: FilePath[] = []
  for await (const { path, changedAt } of ctx.files.list([rootFolder])) {
    if (changedAt < before) batch.push(path)
    if (batch.length < removedAtOnce) continue
    await sweepBatch(ctx, batch)
    batch = []
  }
  await sweepBatch(ctx, batch)
}

async function sweepBatch(ctx: Context, paths: FilePath[]): Promise<void> {
  const idInPath = (path: FilePath): string => path.at(-1)?.split('.', 1)[0] ?? ''
  if (paths.length === 0) return
  const known = await ctx.db.selectFrom('file').select('id').where('id', 'in', paths.map(idInPath)).execute()
  const ids = new Set(known.map(({ id }) => id))
  await ctx.files.remove(...paths.filter((path) => !ids.has(idInPath(path))))
}
