import type { Pause, PendingCall } from '../../../kernel/agent/approval.ts'
import type { AgentRun } from '../../../kernel/agent/loop.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import type { JsonFormat } from '../../../kernel/llm/model.ts'
import type { Statement } from '../../../kernel/store/commits.ts'
import type { Db } from '../../../kernel/store/database.ts'
import { minute } from '../../../kernel/time.ts'
import type { MessageRow } from '../../runs/reply.ts'
import { findWaiting, insertWaiting } from '../../runs/waiting.ts'
import { needKind } from '../../runs/waiting-kinds.ts'
import { upToDate } from '../../sessions/authenticate.ts'
import { defaultTimeoutMinutes } from './approvals.ts'

type Settings = Pick<AgentRun, 'maxSteps' | 'temperature' | 'maxTokens' | 'sampling' | 'grants'>

type Asker = Pick<Caller, 'role' | 'token' | 'session' | 'userId' | 'groups' | 'rateLimit' | 'origin'>

/** A reply that waits for people. */
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
  { role, token, session, userId, groups, rateLimit, origin }: Caller,
  row: MessageRow,
  run: Pick<AgentRun, 'models' | 'tools' | 'output'> & Settings,
  pause: Pause,
): Statement {
  const { maxSteps, temperature, maxTokens, sampling = {}, grants, output } = run
  const state: AwaitingApproval = {
    asker: {
      role,
      token,
      ...(session !== undefined && { session }),
      userId,
      groups,
      rateLimit,
      ...(origin !== undefined && { origin }),
    },
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

/** A call that needs an account or an answer. */
export interface CallNeed {
  messageId: string
  toolCallId: string
  toolId: string | null
}

/** The id of the row for a call that needs something. Its run has another row. */
export const needId = (messageId: string, toolCallId: string): string => `${messageId} ${toolCallId}`

/** Inserts a row for each call that needs an account or an answer, so that the need can be found and expires. */
export const insertNeeds = (ctx: Context, row: MessageRow, pending: readonly PendingCall[]): Statement[] =>
  pending.flatMap(({ id, toolId, needs, timeoutMinutes = defaultTimeoutMinutes }) =>
    needs
      ? [
          insertWaiting<CallNeed>(ctx, {
            id: needId(row.id, id),
            workspace_id: row.workspace_id,
            kind: needs.kind,
            agent_id: row.agent_id ?? '',
            conversation_id: row.conversation_id,
            user_id: needKind(needs.kind).person(needs, row),
            expires_at: ctx.now() + timeoutMinutes * minute,
            state: { messageId: row.id, toolCallId: id, toolId },
          }),
        ]
      : [],
  )

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
