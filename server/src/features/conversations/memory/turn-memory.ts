import type { Steps } from '../../../kernel/agent/steps.ts'
import { type AgentTool, addTools } from '../../../kernel/agent/tools.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { reason } from '../../../kernel/errors.ts'
import { parseRecalled, recalledText } from '../../../kernel/llm/memory-prompt.ts'
import type { InputPart, ModelMessage } from '../../../kernel/llm/model.ts'
import type { AgentRow } from '../../agents/service.ts'
import { recallsFor } from '../../memories/access.ts'
import { type Recalled, readFacts, recall } from '../../memories/recall.ts'
import { readSettings } from '../../memories/settings.ts'
import { memoryTools } from '../../memories/tool.ts'
import type { MessageRow } from '../../runs/reply.ts'
import type { AgentSetup } from '../../runs/setup.ts'
import type { ConversationRow } from '../store.ts'

type Remembering = Pick<ConversationRow, 'memory' | 'user_id' | 'evaluation_id' | 'parent_message_id'>

/** Whether an agent uses its memory in a conversation. Most agents have none, so that nothing is read. */
async function usesMemory(ctx: Context, who: Caller, { memory }: AgentRow, conversation: Remembering) {
  if (!memory || !conversation.memory || conversation.evaluation_id !== null) return false
  if (memory.scope === 'user' && conversation.user_id === null) return false
  return (await readSettings(ctx, who)).enabled
}

/**
 * The tools by which an agent writes memories. In the conversation of a child, another agent wrote the question; without a
 * user, nobody is known whom a fact could be about.
 */
export async function conversationTools(
  ctx: Context,
  who: Caller,
  conversation: Remembering,
  agent: AgentRow,
): Promise<AgentTool[]> {
  const isPerson = conversation.parent_message_id === null && conversation.user_id !== null
  const tools = isPerson ? memoryTools(ctx, who, agent) : []
  return tools.length > 0 && (await usesMemory(ctx, who, agent, conversation)) ? tools : []
}

export async function withMemoryTools(
  ctx: Context,
  who: Caller,
  conversation: Remembering,
  setup: AgentSetup,
): Promise<AgentSetup> {
  if (!setup.agent.memory) return setup
  return { ...setup, tools: addTools(setup.tools, await conversationTools(ctx, who, conversation, setup.agent)) }
}

/** Recalls what fits a question. Without it the turn goes on all the same. */
export async function recallInStep(
  ctx: Context,
  who: Caller,
  steps: Steps,
  conversation: Remembering,
  agent: AgentRow,
  question: string,
): Promise<Recalled | null> {
  if (!(await usesMemory(ctx, who, agent, conversation))) return null
  const step = steps.start('recall')
  try {
    const { user_id } = conversation
    const userId = user_id !== null && recallsFor(who, user_id) ? user_id : null
    const recalled = await recall(ctx, who, agent, { userId, question })
    step.end(recalled.step)
    return recalled
  } catch (error) {
    ctx.log.warn({ error: reason(error) }, 'memories could not be recalled')
    step.end({ failure: 'failed', error: 'internal_error' })
    return null
  }
}

/** Facts are sent with the question, after the history: the prompt before them stays the same from turn to turn. */
export const withRecalled = (question: ModelMessage, recalled: Recalled | null): ModelMessage =>
  question.role === 'user' && recalled && recalled.facts.length > 0
    ? { ...question, parts: [...(question.parts ?? []), { type: 'text', text: recalled.text }] }
    : question

/** A reply that has waited, with the facts in its prompt as they are by now: some may have been changed or deleted since. */
export async function withPresentFacts<Step extends { messages: ModelMessage[] }>(
  ctx: Context,
  who: Caller,
  step: Step,
): Promise<Step> {
  const sent = step.messages.flatMap((message) => inputParts(message).flatMap((part) => factsIn(part) ?? []))
  if (sent.length === 0) return step
  const { enabled } = await readSettings(ctx, who)
  const ids = sent.map(({ id }) => id)
  const present = new Map(enabled ? (await readFacts(ctx, who.workspace, ids)).map((fact) => [fact.id, fact]) : [])
  const renewed = (part: InputPart): InputPart[] => {
    const facts = factsIn(part)
    if (facts === null) return [part]
    const left = facts.flatMap(({ id }) => present.get(id) ?? [])
    return left.length === 0 ? [] : [{ type: 'text', text: recalledText(left) }]
  }
  const messages = step.messages.map((message) =>
    message.role === 'user' && message.parts ? { ...message, parts: message.parts.flatMap(renewed) } : message,
  )
  return { ...step, messages }
}

const inputParts = (message: ModelMessage): InputPart[] => (message.role === 'user' ? (message.parts ?? []) : [])

const factsIn = (part: InputPart) => (part.type === 'text' ? parseRecalled(part.text) : null)

export const recalledFields = (recalled: Recalled | null): Partial<Pick<MessageRow, 'memories' | 'facts'>> =>
  recalled
    ? {
        memories: { recalled: recalled.facts.map(({ id }) => id), written: [] },
        facts: Object.fromEntries(recalled.facts.map(({ id, content }) => [id, content])),
      }
    : {}
