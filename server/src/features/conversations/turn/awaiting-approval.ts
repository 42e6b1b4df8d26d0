import type { Pause } from '../../../kernel/agent/approval.ts'
import type { AgentRun } from '../../../kernel/agent/loop.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import type { JsonFormat } from '../../../kernel/llm/model.ts'
import type { Statement } from '../../../kernel/store/commits.ts'
import type { Db } from '../../../kernel/store/database.ts'
import type { MessageRow } from '../../runs/reply.ts'
import { findWaiting, insertWaiting } from '../../runs/waiting.ts'
import { upToDate } from '../../sessions/authenticate.ts'

type Settings = Pick<AgentRun, 'maxSteps' | 'temperature' | 'maxTokens' | 'sampling' | 'grants'>

type Asker = Pick<Caller, 'role' | 'token' | 'session' | 'userId' | 'groups' | 'rateLimit'>

/** A reply that waits for approval. */
export interface AwaitingApproval extends Settings {
  /** The caller who asked. The run continues with their rights, no matter who approves. */
  asker: Asker
  pause: Pause
  modelIds: string[]
  toolIds: string[]
  format: JsonFormat | null
}

export function insertAwaitingApproval(
  ctx: Context,
  { role, token, session, userId, groups, rateLimit }: Caller,
  row: MessageRow,
  run: Pick<AgentRun, 'models' | 'tools' | 'output'> & Settings,
  pause: Pause,
): Statement {
  const { maxSteps, temperature, maxTokens, sampling = {}, grants, output } = run
  const state: AwaitingApproval = {
    asker: { role, token, ...(session !== undefined && { session }), userId, groups, rateLimit },
    pause,
    modelIds: run.models.map(({ id }) => id),
    toolIds: [...new Set(run.tools.map(({ id }) => id))],
    maxSteps,
    temperature,
    maxTokens,
    sampling,
    ...(grants && { grants }),
    format: output?.format ?? null,
  }
  return insertWaiting(ctx, {
    id: row.id,
    workspace_id: row.workspace_id,
    kind: 'approval',
    agent_id: row.agent_id ?? '',
    conversation_id: row.conversation_id,
    user_id: userId,
    expires_at: null, // its approvals expire
    state,
  })
}

export async function findAwaitingApproval(
  db: Db,
  workspace: string,
  messageId: string,
): Promise<AwaitingApproval | undefined> {
  const found = await findWaiting<AwaitingApproval>(db, workspace, 'approval', { ids: [messageId] })
  return found.get(messageId)?.state
}

/** The person that a run goes on for, with the groups that they have by now. */
export async function currentAsker(ctx: Context, workspace: string, { asker }: AwaitingApproval): Promise<Caller> {
  const { groups } = await upToDate(ctx, { workspace, ...asker })
  return { workspace, ...asker, groups }
}
