import type { Context } from '../../kernel/context.ts'
import type { Statement } from '../../kernel/store/commits.ts'
import { prepared } from '../../kernel/store/statement.ts'
import type { MessageRow } from '../runs/reply.ts'

/** A tool call as the analytics count it. */
interface ToolCallRow {
  message_id: string
  position: number
  workspace_id: string
  timestamp: string
  agent_id: string | null
  user_id: string | null
  evaluation_id: string | null
  tool_id: string | null
  name: string
  failed: boolean
  latency_ms: number | null
}

declare module '../../kernel/store/database.ts' {
  interface Tables {
    message_tool_call: ToolCallRow
  }
}

const insertRow = prepared((db, row: ToolCallRow) => db.insertInto('message_tool_call').values(row))
const deleteRows = prepared((db, { id }: { id: string }) =>
  db.deleteFrom('message_tool_call').where('message_id', '=', id),
)

/** Replaces the stored tool calls of a message by those that were made so far. */
export function toolCallRows(ctx: Context, row: MessageRow): Statement[] {
  const { id, workspace_id, timestamp, agent_id, user_id, evaluation_id } = row
  const made = row.tool_calls.filter(({ status }) => status === 'completed' || status === 'failed')
  if (made.length === 0) return []
  const common = { message_id: id, workspace_id, timestamp, agent_id, user_id, evaluation_id }
  return [
    deleteRows(ctx.db, { id }),
    ...made.map(({ tool_id, name, status, latency_ms }, position) =>
      insertRow(ctx.db, { ...common, position, tool_id, name, failed: status === 'failed', latency_ms }),
    ),
  ]
}
