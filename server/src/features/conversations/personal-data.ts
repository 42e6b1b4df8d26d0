import type { Caller, Context, PersonalFunctions } from '../../kernel/context.ts'
import { FileMissing } from '../../kernel/files/files.ts'
import { type ExportedFile, jsonLines, type Person, type PersonalTable } from '../../kernel/personal-data.ts'
import { inTransaction } from '../../kernel/store/database.ts'
import { compactTextIndex } from '../../kernel/store/text-index.ts'
import { exportLines } from './export.ts'
import { removeContentLater } from './files/deletion.ts'
import { contentPath, type FileRow, isUnused, removeContent } from './files/store.ts'
import { conversationTitles } from './lists.ts'
import { removeConversations } from './removal.ts'
import { cancel } from './service.ts'

/** Few, because other writers wait for the transaction. */
const conversationsAtOnce = 20
const filesAtOnce = 100

/** The service itself, acting for an administrator. */
export const serviceIn = (workspace: string): Caller => ({
  workspace,
  role: 'admin',
  token: 'people',
  userId: null,
  groups: [],
  rateLimit: null,
})

/** Conversations are exported as by `GET /conversations/export`, and their replies are cancelled before they are deleted. */
export const conversationsOfPerson: PersonalFunctions = {
  async *files(ctx, { workspace, userId }) {
    const filter = { where: { user_id: userId }, q: undefined }
    yield { name: 'conversations.jsonl', content: exportLines(ctx, serviceIn(workspace), filter, 'all') }
  },

  async erase(ctx, { workspace, userId, count }) {
    const batch = await ctx.db
      .selectFrom('conversation')
      .select(['id', 'running_message_id'])
      .where('workspace_id', '=', workspace)
      .where('user_id', '=', userId)
      .limit(conversationsAtOnce)
      .execute()
    if (batch.length === 0) return false
    await Promise.all(
      batch.map(async ({ id, running_message_id: message }) => {
        if (message !== null) await cancel(ctx, serviceIn(workspace), id, message)
      }),
    )
    const ids = batch.map(({ id }) => id)
    const { files, ...removed } = await inTransaction(ctx.db, async (tx) => {
      const removed = await removeConversations(ctx, tx, workspace, ids)
      await count(tx, { ...removed, files: removed.files.length })
      return removed
    })
    await removeContent(ctx, workspace, files)
    return removed.conversations > 0
  },

  async compact(ctx, signal) {
    if (ctx.engine !== 'sqlite') return
    for (const index of ['message_words_index', conversationTitles]) await compactTextIndex(ctx.db, index, signal)
  },
}

/** Messages in conversations of others. They are part of what was said there, so an erasure removes only the name. */
export const messagesOfPerson: PersonalTable = {
  table: 'message',
  person: 'author_id',
  exported: { file: 'messages.jsonl', columns: ['id', 'conversation_id', 'content', 'timestamp'] },
  erased: { emptied: ['author_name'] },
  counted: 'messages',
}

/** Files that the person has uploaded, and those in their conversations. Their content is not in the database. */
export const filesOfPerson: PersonalFunctions = {
  async *files(ctx, person) {
    const files = await ownFiles(ctx, person)
    const shown = files.map(({ id, name, media_type, size, sha256, created_at }) => ({
      ...{ id, name, media_type, size: Number(size), sha256, created_at },
      path: pathInExport({ id, name }),
    }))
    yield { name: 'files.jsonl', content: jsonLines(shown) }
    for (const file of files) yield* exported(ctx, file)
  },

  async erase(ctx, { workspace, userId, count }) {
    const batch = await ctx.db
      .selectFrom('file')
      .select('id')
      .where('workspace_id', '=', workspace)
      .where('user_id', '=', userId)
      .limit(filesAtOnce)
      .execute()
    if (batch.length === 0) return false
    const ids = batch.map(({ id }) => id)
    const deleted = await inTransaction(ctx.db, async (tx) => {
      const unused = await tx
        .deleteFrom('file')
        .where('workspace_id', '=', workspace)
        .where('id', 'in', ids)
        .where(isUnused)
        .returning('id')
        .execute()
      // Files that others have attached to their conversations are kept.
      await tx
        .updateTable('file')
        .set({ user_id: null })
        .where('workspace_id', '=', workspace)
        .where('id', 'in', ids)
        .execute()
      const deleted = unused.map(({ id }) => id)
      await removeContentLater(ctx, tx, workspace, deleted)
      await count(tx, { files: deleted.length })
      return deleted
    })
    await removeContent(ctx, workspace, deleted)
    return true
  },
}

const ownFiles = ({ db }: Context, { workspace, userId }: Person): Promise<FileRow[]> =>
  db
    .selectFrom('file')
    .selectAll()
    .where('workspace_id', '=', workspace)
    .where((is) =>
      is.or([
        is('user_id', '=', userId),
        is(
          'id',
          'in',
          is
            .selectFrom('message_file')
            .innerJoin('conversation', 'conversation.id', 'message_file.conversation_id')
            .select('message_file.file_id')
            .where('message_file.workspace_id', '=', workspace)
            .where('conversation.workspace_id', '=', workspace)
            .where('conversation.user_id', '=', userId),
        ),
      ]),
    )
    .orderBy('id')
    .execute()

const pathInExport = ({ id, name }: Pick<FileRow, 'id' | 'name'>): string => `files/${id}/${name}`

async function* exported(ctx: Context, file: FileRow): AsyncGenerator<ExportedFile> {
  try {
    yield { name: pathInExport(file), content: await ctx.files.read(contentPath(file.workspace_id, file.id)) }
  } catch (error) {
    if (!(error instanceof FileMissing)) throw error // files.jsonl lists the file even if its content is lost
  }
}
