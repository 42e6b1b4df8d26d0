import { withGrants } from '../../kernel/agent/grants.ts'
import type { Handoff } from '../../kernel/agent/loop.ts'
import { addTools } from '../../kernel/agent/tools.ts'
import { isToolMessage } from '../../kernel/agent/window.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import type { ModelMessage } from '../../kernel/llm/model.ts'
import type { NewRun } from './new-run.ts'
import type { Run } from './run.ts'
import { type AgentSetup, agentRun, loadAgent, turnFacts } from './setup.ts'

/** After this many handoffs in one reply, the agent that has it must answer. */
const maxHandoffs = 5

/** The rest of a run, with the agent that it is handed to. */
export interface HandedRun extends NewRun {
  setup: AgentSetup
}

/**
 * Loads the agent that goes on with a reply. It gets the conversation as the user sees it, and not the tool calls that the
 * agent before it has made for this reply.
 */
export async function handTo(
  ctx: Context,
  who: Caller,
  run: Run,
  given: NewRun,
  { agentId, reason, messages }: Handoff,
): Promise<HandedRun> {
  const { variables = {}, binding = null } = given
  const setup = await loadAgent(ctx, who, agentId, { variables, binding })
  const { lookup, callerTools, canPause, loadImage, output, grants } = given.run
  const mayHandOn = run.handoffs + 1 < maxHandoffs
  const offered = withGrants(addTools(setup.tools, (await given.conversationTools?.(setup.agent)) ?? []), grants)
  const own = mayHandOn ? offered : offered.filter(({ handoff }) => handoff === undefined)
  const tools = lookup && own.length > 0 ? [...own, lookup.tool] : own
  const past = tools.length > 0 || callerTools ? messages : messages.filter((message) => !isToolMessage(message))
  const note = handoffNote(given.facts.agentName ?? null, reason, run.text)
  return {
    ...given,
    setup,
    run: {
      ...agentRun({ ...setup, tools }, withNote(past, note)),
      ...(callerTools && { callerTools }),
      ...(canPause !== undefined && { canPause }),
      ...(loadImage && { loadImage }),
      ...(grants && { grants }),
      ...(run.row.response_format && output && { output }),
    },
    facts: turnFacts(setup.agent),
    purpose: { ...given.purpose, agentId: setup.agent.id },
    prices: setup.prices,
  }
}

/** The text and the reason were written by a model, so they are quoted and not part of the instructions. */
function handoffNote(from: string | null, reason: string, text: string): string {
  const sender = from === null ? 'Another agent' : `The agent "${from}"`
  return [
    `[${sender} has passed this conversation on to you. Answer the user yourself.`,
    ...(reason === '' ? [] : [`The reason it gave: ${JSON.stringify(reason)}`]),
    ...(text === ''
      ? []
      : [`The user has already read this beginning of the reply; go on after it: ${JSON.stringify(text)}`]),
  ]
    .join('\n')
    .concat(']')
}

/** Adds a note to the question. */
function withNote(messages: readonly ModelMessage[], text: string): ModelMessage[] {
  const [first] = messages
  const conversation = first?.role === 'system' ? messages.slice(1) : [...messages]
  const at = conversation.findLastIndex(({ role }) => role === 'user')
  const question = conversation[at]
  if (question?.role !== 'user') return [...conversation, { role: 'user', content: text }]
  return conversation.with(at, { ...question, parts: [...(question.parts ?? []), { type: 'text', text }] })
}
