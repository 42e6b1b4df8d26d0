import type { Caller, Context } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/store/database.ts'
import { defaultVersion } from '../../../kernel/store/labels.ts'
import { type AgentRow, agents } from '../../agents/service.ts'
import { agentVersion } from '../../agents/versions.ts'
import type { ConversationRow } from '../store.ts'

export const readingQueue = 'conversations.remember'

type Bound = Pick<ConversationRow, 'agent_id' | 'version_agent_id' | 'agent_version'>

/** The service itself. */
export const readerIn = (workspace: string): Caller => ({
  workspace,
  role: 'admin',
  token: 'memories',
  userId: null,
  groups: [],
  rateLimit: null,
})

/** The agent of a conversation, in the version that answers there. */
export async function rememberingAgent(db: Db, workspace: string, bound: Bound): Promise<AgentRow | undefined> {
  const { agent_id, version_agent_id, agent_version } = bound
  const who = readerIn(workspace)
  const agent = await agents.find(db, who, agent_id)
  if (!agent) return undefined
  const isBound = version_agent_id === agent_id && agent_version !== null
  return agentVersion(db, who, agent, isBound ? agent_version : defaultVersion(agent).version)
}

interface Completed extends Bound {
  workspace: string
  id: string
  user_id: string | null
  memory: boolean
  parent_message_id: string | null
  evaluation_id: string | null
}

/** Lets a completed conversation be read for memories, if its agent writes them so. */
export async function readLater(ctx: Context, tx: Db, completed: Completed): Promise<void> {
  const { workspace, id, user_id, memory, parent_message_id, evaluation_id } = completed
  if (!memory || user_id === null || parent_message_id !== null || evaluation_id !== null) return
  const agent = await rememberingAgent(tx, workspace, completed)
  if (agent?.memory?.write !== 'auto') return
  await ctx.jobs.enqueue(tx, readingQueue, { workspace, key: id, payload: { conversation: id } })
}
