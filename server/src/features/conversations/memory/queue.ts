import type { Context } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/store/database.ts'
import { agents } from '../../agents/service.ts'

export const readingQueue = 'conversations.remember'

interface Completed {
  workspace: string
  id: string
  agent_id: string
  memory: boolean
  parent_message_id: string | null
  evaluation_id: string | null
}

/** Lets a completed conversation be read for memories, if its agent writes them so. */
export async function readLater(ctx: Context, tx: Db, completed: Completed): Promise<void> {
  const { workspace, id, agent_id, memory, parent_message_id, evaluation_id } = completed
  if (!memory || parent_message_id !== null || evaluation_id !== null) return
  const agent = await agents.find(tx, { workspace }, agent_id)
  if (agent?.memory?.write !== 'auto') return
  await ctx.jobs.enqueue(tx, readingQueue, { workspace, key: id, payload: { conversation: id } })
}
