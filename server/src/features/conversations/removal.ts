import type { Context } from '../../kernel/context.ts'
import { deleteStarted } from '../../kernel/http/idempotency-store.ts'
import type { Db } from '../../kernel/store/database.ts'
import { removeWaitingIn } from '../runs/waiting.ts'
import { removeContentLater } from './files/deletion.ts'
import { detachAll } from './files/store.ts'
import { childConversations } from './store.ts'
import { forgetInJournal } from './streaming/journal.ts'

export { removeContent } from './files/store.ts'

/** Counts the deleted rows, and lists the files whose content is still stored. */
export interface Removed {
  conversations: number
  messages: number
  feedback: number
  /** Files whose content can be removed after the commit. A job removes what is left. */
  files: string[]
}

/**
 * Deletes conversations with their messages, waiting runs, stored responses and files that nothing else uses, and those in
 * which agents answered as tools. Replies that are running are cancelled.
 */
export async function removeConversations(ctx: Context, tx: Db, workspace: string, roots: string[]): Promise<Removed> {
  const ids = await withDescendants(tx, workspace, roots)
  const running = await tx
    .selectFrom('conversation')
    .select('running_message_id')
    .where('workspace_id', '=', workspace)
    .where('id', 'in', ids)
    .where('running_message_id', 'is not', null)
    .$narrowType<{ running_message_id: string }>()
    .execute()
  const messages = await tx
    .selectFrom('message')
    .select(['id', 'rating'])
    .where('workspace_id', '=', workspace)
    .where('conversation_id', 'in', ids)
    .execute()
  await deleteStarted(
    tx,
    workspace,
    messages.map(({ id }) => id),
  )
  await removeWaitingIn(tx, ids)
  await forgetInJournal(tx, new Set(messages.map(({ id }) => id)))
  const files: string[] = []
  for (const id of ids) files.push(...(await detachAll(tx, workspace, id)))
  await removeContentLater(ctx, tx, workspace, files)
  const { numDeletedRows } = await tx
    .deleteFrom('conversation')
    .where('workspace_id', '=', workspace)
    .where('id', 'in', ids)
    .executeTakeFirst()
  for (const { running_message_id } of running) ctx.state.runs.cancel(running_message_id)
  for (const id of ids) ctx.state.conversations.histories.invalidate(id)
  const feedback = messages.filter(({ rating }) => rating !== null).length
  return { conversations: Number(numDeletedRows), messages: messages.length, feedback, files }
}

/** Adds the conversations in which agents answered as tools of these, at any depth. */
async function withDescendants(tx: Db, workspace: string, ids: string[]): Promise<string[]> {
  const all = new Set(ids)
  for (let last = ids; last.length > 0; ) {
    const next = (await childConversations(tx, workspace, last)).filter((id) => !all.has(id))
    for (const id of next) all.add(id)
    last = next
  }
  return [...all]
}

/** Filters the conversations by their owner. */
export async function ownedBy(db: Db, workspace: string, userId: string, ids: string[]): Promise<string[]> {
  const own = await db
    .selectFrom('conversation')
    .select('id')
    .where('workspace_id', '=', workspace)
    .where('user_id', '=', userId)
    .where('id', 'in', ids)
    .execute()
  return own.map(({ id }) => id)
}
