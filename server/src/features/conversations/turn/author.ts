import type { Caller, Context } from '../../../kernel/context.ts'
import type { Statement } from '../../../kernel/store/commits.ts'
import type { MessageRow } from '../../runs/reply.ts'
import type { ConversationRow } from '../store.ts'

type AuthorFields = Pick<MessageRow, 'author_id' | 'author_name'>

/** The ID of an author who signed in to the console without being a user. */
const noUser = ''

/**
 * The sender of a message, if it is not the user of the conversation. The service itself writes for that user. A token
 * without a user is a backend that passes on what that user wrote, so it has a name, but no ID.
 */
export const authorFields = (
  { userId, name, token, requestId, session }: Caller,
  { user_id }: Pick<ConversationRow, 'user_id'>,
): AuthorFields =>
  requestId === undefined || userId === user_id
    ? { author_id: null, author_name: null }
    : { author_id: userId ?? (session === undefined ? null : noUser), author_name: name ?? userId ?? token }

/**
 * Audits that a person has joined a conversation of somebody else; one without a user is nobody's. A token without a user and without a browser session is a
 * backend that passes on what users write; an entry for each of its messages would bury the others.
 */
export function auditStatements(ctx: Context, who: Caller, message: MessageRow): Statement[] {
  const isPerson = who.userId !== null || who.session !== undefined
  if (message.author_name === null || message.user_id === null || !isPerson) return []
  return ctx.audit.statements(who, {
    action: 'join',
    kind: 'conversation',
    id: message.conversation_id,
    part: message.id,
  })
}
