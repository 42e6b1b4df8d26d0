import type { Caller, Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { checkResponseFormat } from '../../agents/response-format.ts'
import { agents } from '../../agents/service.ts'
import type { TurnEvent } from '../../runs/events.ts'
import { type EventSource, isLast, present } from '../../runs/events.ts'
import { readInStep, toHistory } from '../../runs/history.ts'
import type { Run } from '../../runs/run.ts'
import { agentRun, loadAgent } from '../../runs/setup.ts'
import { keepNothing } from '../../runs/sink.ts'
import { newSteps, startUnkept } from '../../runs/unkept.ts'
import { presentStep } from '../trace.ts'
import type { TriedReply, TryBody } from './schema.ts'

/**
 * Runs an agent with changes that are not saved. Throws if the changes are invalid or the budget is exhausted. Only the
 * usage is stored.
 */
export async function tryAgent(
  ctx: Context,
  who: Caller,
  id: string,
  { messages, base_version, stream, ...changes }: TryBody,
  signal: AbortSignal,
): Promise<Run> {
  const question = messages.at(-1)
  if (question?.role !== 'user') return invalid('messages', 'must end with a message of the user')
  await checkResponseFormat(ctx, who, changes.response_format)
  const draft = await agents.draft(ctx, who, id, changes, base_version)
  const steps = newSteps(ctx, who)
  const setup = await steps.run('agent', () => loadAgent(ctx, who, id, { pinned: draft }))
  const read = () => toHistory(messages.slice(0, -1))
  const { messages: past } = await readInStep(steps, read, setup.tools.length > 0)
  const version = Object.keys(changes).length > 0 ? null : (base_version ?? draft.version)
  const run = agentRun(setup, [...past, { role: 'user', content: question.content }])
  return startUnkept(ctx, who, { setup, run, userId: who.userId, sink: keepNothing, steps, version }, signal)
}

export const triedReply = ({ row, steps }: Run): TriedReply => ({
  ...present(row),
  steps: steps.list.map(presentStep),
})

/** The events of the turn; the last one carries the steps. */
export const triedEvents = (run: Run): EventSource => ({
  get length() {
    return run.length
  },
  get ended() {
    return run.ended
  },
  at(sequence): TurnEvent {
    const event = run.at(sequence)
    return isLast(event) ? { ...event, message: triedReply(run) } : event
  },
  subscribe: (listener) => run.subscribe(listener),
})
