import type { AskingReply } from '../../kernel/agent/agent-tool.ts'
import type { FoundPassages } from '../../kernel/agent/found-passages.ts'
import { Steps } from '../../kernel/agent/steps.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { timestamp } from '../../kernel/time.ts'
import { blankReply } from './reply.ts'
import type { Run } from './run.ts'
import { type AgentSetup, type PreparedRun, turnFacts } from './setup.ts'
import type { Sink } from './sink.ts'

interface UnkeptRun {
  setup: AgentSetup
  run: PreparedRun
  userId: string | null
  sink: Sink
  steps?: Steps
  found?: FoundPassages
  /** Null for an agent that is not saved as it is. */
  version?: number | null
  conversationId?: string
  /** The replies that led to it, if another agent asks. */
  callers?: readonly AskingReply[]
}

export const newSteps = (ctx: Context, { traceparent }: Caller): Steps =>
  new Steps(ctx.now(), ctx.telemetry.turn({ request: traceparent ?? null }))

/** Runs an agent outside of a conversation: its reply is not stored, and calls that need approval are refused. */
export function startUnkept(ctx: Context, who: Caller, options: UnkeptRun, signal: AbortSignal): Promise<Run> {
  const { setup, run, userId, sink, steps = newSteps(ctx, who), found, conversationId = '' } = options
  const { agent, prices } = setup
  const { version = agent.version } = options
  const now = ctx.now()
  const common = {
    workspace_id: who.workspace,
    conversation_id: conversationId,
    parent_id: conversationId,
    timestamp: timestamp(now),
    alive_at: now,
    agent_id: agent.id,
    user_id: userId,
    evaluation_id: null,
  }
  const reply = { ...blankReply(ctx, common, setup), agent_version: version }
  const facts = turnFacts(agent)
  steps.observer.describe({ workspace: who.workspace, ...facts })
  const purpose = { agentId: agent.id, userId, ...(options.callers && { callers: options.callers }) }
  // A handoff back goes to the version that started.
  const binding = version === null ? null : { agentId: agent.id, version, label: setup.label }
  const started = { reply, run, facts, purpose, prices, steps, sink, binding, ...(found && { found }) }
  return ctx.state.runs.start(who, started, signal)
}
