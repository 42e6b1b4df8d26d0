import { endStoredSteps, type StepFacts } from '../../kernel/agent/steps.ts'
import type { Context } from '../../kernel/context.ts'
import type { Statement } from '../../kernel/store/commits.ts'
import { type Ending, endOpenCalls } from '../runs/ending.ts'
import type { MessageRow } from '../runs/reply.ts'
import { changeMessage } from './message-row.ts'
import { activeNow, freeConversation } from './store.ts'
import { toolCallRows } from './tool-call-rows.ts'

interface Known {
  /** When its steps ended, or were last heard of (milliseconds since 1970). */
  at?: number
  /** The model call that was running, if one was. */
  openCall?: StepFacts | null
}

/**
 * Ends a reply that no process runs: what was stored of it stays, its open calls and steps end, and its conversation is free.
 * Conflicts if others have ended it or let it go on. When the statements are committed, call `endedStored`.
 */
export function endStored(
  ctx: Context,
  row: MessageRow,
  ending: Ending,
  { at = ctx.now(), openCall = null }: Known = {},
): Statement[] {
  const { status: was } = row
  endOpenCalls(row, ending.status)
  const steps = endStoredSteps(row.steps, { at, failure: ending.status, openCall })
  Object.assign(row, ending, { alive_at: ctx.now(), steps })
  const { content, events, usage, tool_calls, alive_at } = row
  // One that was lost, or could not go on, is no activity.
  const activity = ending.status === 'cancelled' ? activeNow(ctx) : {}
  return [
    changeMessage(ctx, row, { ...ending, content, events, usage, tool_calls, alive_at, steps }, was),
    ...toolCallRows(ctx, row),
    freeConversation(ctx, row, activity),
  ]
}

export function endedStored(ctx: Context, row: MessageRow, { status }: Ending): void {
  ctx.state.conversations.histories.invalidate(row.conversation_id)
  ctx.metrics.turnEnded(status, null)
}
