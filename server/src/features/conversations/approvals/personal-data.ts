import type { PersonalFunctions } from '../../../kernel/context.ts'
import type { ListsOfUsers, PersonalTable } from '../../../kernel/personal-data.ts'
import { findWaiting } from '../../runs/waiting.ts'
import { serviceIn } from '../personal-data.ts'
import { cancelWaiting } from '../waiting/waiting-replies.ts'

/** Decisions about calls in conversations of others. Decisions in their own conversations are deleted with these. */
export const decisionsOfPerson: PersonalTable = {
  table: 'approval',
  person: 'decided_by',
  exported: {
    file: 'approvals.jsonl',
    columns: ['id', 'conversation_id', 'name', 'target', 'status', 'decided_at', 'comment'],
  },
  erased: { emptied: ['comment'], changedAt: 'updated_at' },
  counted: 'approvals',
}

/** Calls that they asked for in conversations of others. */
export const requestsOfPerson: PersonalTable = {
  table: 'approval',
  person: 'requested_by',
  erased: { changedAt: 'updated_at' },
  counted: 'approvals',
}

export const approverLists: ListsOfUsers = { table: 'approval', users: 'approvers', counted: 'approvals' }

/** Cancels replies in conversations of others that would be resumed with the rights of this person. */
export const waitingForPerson: PersonalFunctions = {
  async erase(ctx, { workspace, userId }) {
    const own = await findWaiting(ctx.db, workspace, 'reply', { user_id: userId })
    for (const { id, conversation_id } of own.values())
      if (conversation_id !== null) await cancelWaiting(ctx, serviceIn(workspace), conversation_id, id)
    return own.size > 0
  },
}
