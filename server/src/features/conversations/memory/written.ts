import type { Db } from '../../../kernel/store/database.ts'
import type { WrittenMessage } from '../../memories/write.ts'
import { lockMessage } from '../store.ts'

const maxMessages = 200
/** Characters of all messages but the newest one, which may be longer. */
const maxCharacters = 500_000

/**
 * The newest messages that the person of a conversation wrote, oldest first: the only source of facts. Attachments are left
 * out, and so are messages of people who have joined, including administrators without a user.
 */
export async function readWritten(
  db: Db,
  workspace: string,
  conversationId: string,
  after = '',
): Promise<WrittenMessage[]> {
  const rows = await db
    .selectFrom('message')
    .select(['id', 'content'])
    .where('workspace_id', '=', workspace)
    .where('conversation_id', '=', conversationId)
    .where('role', '=', 'user')
    .where('superseded', '=', false)
    .where('author_id', 'is', null)
    .where('content', '<>', '')
    .where('id', '>', after)
    .orderBy('id', 'desc')
    .limit(maxMessages)
    .execute()
  let characters = 0
  const start = rows.findIndex(({ content }, at) => {
    characters += content.length
    return at > 0 && characters > maxCharacters
  })
  const newest = start < 0 ? rows : rows.slice(0, start)
  return newest.reverse().map((row) => ({ ...row, conversationId }))
}

/** Locks a message, so that its text stays until the transaction ends. Returns whether it is still as it was read. */
export async function lockWritten(tx: Db, workspace: string, message: WrittenMessage): Promise<boolean> {
  const row = await lockMessage(tx, workspace, message.conversationId, message.id)
  return row?.content === message.content
}
