import type { ExpressionBuilder } from 'kysely'
import type { Db, Tables } from '../../kernel/store/database.ts'
import type { HistoryMessage } from '../runs/history.ts'
import type { Attachment, StoredToolCall } from '../runs/schema.ts'
import type { MessageCells } from './message-row.ts'
import { messagesOnActiveBranch } from './store.ts'

export interface HistoryRow extends HistoryMessage {
  id: string
  attachments: Attachment[]
}

export const historyColumns = ['id', 'role', 'content', 'attachments'] as const

export const historyRow = (row: Pick<MessageCells, (typeof historyColumns)[number]>): HistoryRow => ({
  ...row,
  attachments: JSON.parse(row.attachments) as Attachment[],
})

/** Tool calls are sent to the model again only with this many of the newest messages. */
const messagesWithTools = 40

/** Selects the messages of the history that are sent to the model: with content, or ended with calls of the caller's tools. */
export const isRemembered = (is: ExpressionBuilder<Tables, 'message'>) =>
  is.or([is('content', '!=', ''), is('finish_reason', '=', 'tool_calls')])

/** The messages of a conversation that are sent to the model again, newest first. */
export async function readHistory(
  db: Db,
  workspace: string,
  conversation: string,
  limit: number,
): Promise<HistoryRow[]> {
  const rows = await messagesOnActiveBranch(db, workspace, conversation)
    .select(historyColumns)
    .where(isRemembered)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return withToolCalls(db, workspace, rows.map(historyRow))
}

/** Adds the tool calls of the newest replies. The rows are newest first. */
export async function withToolCalls(db: Db, workspace: string, rows: HistoryRow[]): Promise<HistoryRow[]> {
  const replies = rows.slice(0, messagesWithTools).filter(({ role }) => role === 'assistant')
  if (replies.length === 0) return rows
  const withCalls = await db
    .selectFrom('message')
    .select(['id', 'tool_calls'])
    .where('workspace_id', '=', workspace)
    .where(
      'id',
      'in',
      replies.map(({ id }) => id),
    )
    .where('tool_calls', '!=', '[]')
    .execute()
  const calls = new Map(withCalls.map(({ id, tool_calls }) => [id, JSON.parse(tool_calls) as StoredToolCall[]]))
  return rows.map((row) => {
    const tool_calls = calls.get(row.id)
    return tool_calls ? { ...row, tool_calls } : row
  })
}
