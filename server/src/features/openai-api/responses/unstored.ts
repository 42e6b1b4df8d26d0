import type { Caller, Context } from '../../../kernel/context.ts'
import { bindingFrom, loadAgentFor } from '../../conversations/binding.ts'
import { refuseUnseenImages } from '../../conversations/files/attachments.ts'
import { turnFiles, withFiles } from '../../conversations/files/turn-files.ts'
import { withoutHidden } from '../../conversations/hidden.ts'
import type { ReplySource } from '../../runs/events.ts'
import { documentsIn, questionMessage, readInStep, toHistory } from '../../runs/history.ts'
import type { Attachment } from '../../runs/schema.ts'
import { type AgentSetup, agentRun, loadAgent, type PreparedRun } from '../../runs/setup.ts'
import { keepNothing } from '../../runs/sink.ts'
import { newSteps, startUnkept } from '../../runs/unkept.ts'
import { storeBriefly } from '../chat-files.ts'
import { findPersonId } from '../service.ts'
import { hasCallerTools, requestRecord, withRequest } from './parameters.ts'
import type { Plan } from './plan.ts'
import type { ResponseRequest } from './record.ts'
import type { ResponseBody } from './schema.ts'

/** A response that has started. */
export interface Started {
  source: ReplySource
  request: ResponseRequest
}

interface Options {
  output: Pick<PreparedRun, 'output'>
  signal: AbortSignal
}

/** Answers without storing anything but the usage. Files are stored until the end. */
export async function runUnstoredResponse(
  ctx: Context,
  who: Caller,
  body: ResponseBody,
  plan: Plan,
  options: Options,
): Promise<Started> {
  const { attached, remove } = await storeBriefly(ctx, who, plan.input.files, options.signal)
  try {
    const started = await start(ctx, who, body, plan, attached, options)
    void started.source.finished.then(remove, remove)
    return started
  } catch (error) {
    await remove()
    throw error
  }
}

async function start(
  ctx: Context,
  who: Caller,
  body: ResponseBody,
  plan: Plan,
  attached: Attachment[],
  { output, signal }: Options,
): Promise<Started> {
  const { agentId, conversation } = plan
  const userId = findPersonId(who, body)
  const setup = conversation
    ? await loadAgent(ctx, who, agentId, { variables: conversation.variables, binding: bindingFrom(conversation) })
    : await loadAgentFor(ctx, who, agentId, userId)
  const steps = newSteps(ctx, who)
  const said = plan.text === '' ? [] : [questionMessage(plan.text, attached)]
  refuseUnseenImages(setup.model, said[0])
  const asked = [...plan.continued, ...said]
  const hasTools = setup.tools.length > 0 || hasCallerTools(body)
  const read = () => withoutHidden(ctx, who, toHistory(plan.earlier.slice(0, plan.kept)))
  const { messages: past } = await readInStep(steps, read, hasTools)
  const bare = { ...withRequest(agentRun(setup, [...past, ...asked]), body, plan, who.role), ...output }
  const run = attached.length === 0 ? bare : await readingFiles(ctx, who, setup, bare, attached)
  ctx.people.seen(who.workspace, userId)
  const conversationId = ctx.newId('cnv')
  const source = await startUnkept(ctx, who, { setup, run, userId, sink: keepNothing, steps, conversationId }, signal)
  return { source, request: requestRecord(body, plan, run) }
}

async function readingFiles<Run extends PreparedRun>(
  ctx: Context,
  who: Caller,
  setup: AgentSetup,
  run: Run,
  attached: Attachment[],
): Promise<Run> {
  return withFiles(ctx, who, run, await turnFiles(ctx, who, setup.choices[0], documentsIn(attached)))
}
