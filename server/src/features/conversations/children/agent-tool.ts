import { isWaiting } from '../../../kernel/agent/needs.ts'
import { toToolName } from '../../../kernel/agent/tool-names.ts'
import type { AgentTool, AskingReply, CallPurpose, ToolOutput, ToolTraits } from '../../../kernel/agent/tools.ts'
import { readTraits } from '../../../kernel/agent/tools.ts'
import type { Caller, Context, Toolbox } from '../../../kernel/context.ts'
import { Problem } from '../../../kernel/errors.ts'
import { isObject } from '../../../kernel/is-object.ts'
import { type AgentRow, agents } from '../../agents/service.ts'
import { questionMessage } from '../../runs/history.ts'
import type { MessageRow } from '../../runs/reply.ts'
import { agentRun, loadAgent } from '../../runs/setup.ts'
import { keepNothing } from '../../runs/sink.ts'
import { startUnkept } from '../../runs/unkept.ts'
import { conversations } from '../conversations.ts'
import { awaitedReply } from '../waiting/shown-waits.ts'
import { askInConversation } from './ask.ts'

/** The agent that a person talks to is level 0. */
const maxLevel = 5

const parameters = {
  type: 'object',
  properties: {
    message: {
      type: 'string',
      description:
        'The whole question or task. The agent sees nothing else of this conversation, except attached files.',
    },
  },
  required: ['message'],
}

/** Offers agents as tools. Each call is answered by an ordinary reply in a conversation of its own. */
export const agentToolbox: Toolbox = {
  prefix: 'agt',
  /** MCP clients get agents from the MCP server itself. */
  all: async () => [],
  async tools(ctx, who, ids) {
    const rows = await Promise.all(ids.map((id) => agents.find(ctx.db, who, id)))
    return rows.flatMap((agent) =>
      agent?.status === 'active' && agents.sees(who, agent) ? [agentTool(ctx, who, agent)] : [],
    )
  },
  /** An agent can do what its tools can do, and the agents that it asks. */
  async traits(ctx, who, ids) {
    const traits = new Map<string, ToolTraits>()
    for (const id of ids) {
      const tools = await reachableTools(ctx, who, id)
      const each = [...(await readTraits(ctx, who, tools)).values()]
      traits.set(id, Object.assign({}, ...each.map(onlySet)) as ToolTraits)
    }
    return traits
  },
}

/** The tools of an agent and of the agents that it asks, without these agents. Each is read once: many may ask the same one. */
async function reachableTools(ctx: Context, who: Caller, id: string): Promise<string[]> {
  const tools = new Set<string>()
  const asked = new Set([id])
  for (const agent of asked)
    for (const tool of (await agents.find(ctx.db, who, agent))?.tools ?? [])
      (tool.startsWith(`${agentToolbox.prefix}_`) ? asked : tools).add(tool)
  return [...tools]
}

const onlySet = (traits: ToolTraits): ToolTraits =>
  Object.fromEntries(Object.entries(traits).filter(([, isSet]) => isSet)) as ToolTraits

const agentTool = (ctx: Context, who: Caller, agent: AgentRow): AgentTool => ({
  id: agent.id,
  kind: 'agent',
  revision: agent.revision,
  name: toToolName(agent.name),
  description: agent.description ?? `Asks the agent "${agent.name}".`,
  parameters,
  async open(input, purpose) {
    messageIn(input)
    const callers = await callersFor(ctx, who, purpose)
    if (!purpose.conversationId) return null
    const conversation = await conversations.create(ctx, who, {
      agent_id: agent.id,
      user_id: purpose.userId ?? null,
      title: null,
      shared: false,
      variables: {},
      metadata: {},
      memory: agent.memory !== null && (await usesMemory(ctx, who.workspace, purpose.conversationId)),
      parent_message_id: purpose.messageId ?? null,
      callers: JSON.stringify(callers),
      evaluation_id: purpose.evaluationId ?? null,
    })
    return conversation.id
  },
  async run(input, signal, purpose = {}) {
    const message = messageIn(input)
    const traceparent = purpose.step?.traceparent()
    const asker = traceparent ? { ...who, traceparent } : who
    try {
      const reply = purpose.answered
        ? await askInConversation(ctx, asker, { ...purpose.answered, message, purpose, signal })
        : await askOnce(ctx, asker, agent, message, purpose, signal)
      return isWaiting(reply.status) ? { content: '', awaits: await awaitedReply(ctx.db, reply) } : output(reply)
    } catch (error) {
      // The code says what happened, for example that a budget is exhausted.
      throw error instanceof Problem ? new Error(`${error.code}: ${error.message}`) : error
    }
  },
})

function messageIn(input: unknown): string {
  const { message } = isObject(input) ? input : { message: undefined }
  if (typeof message !== 'string' || message.trim() === '')
    throw new Problem('invalid_request', 'The argument "message" must be a text that is not empty.')
  return message
}

/** The conversation that asks may be one without memory. */
const usesMemory = async (ctx: Context, workspace: string, conversationId: string): Promise<boolean> =>
  (await conversations.table.find(ctx.db, workspace, conversationId))?.memory ?? false

/** The replies that led to the call, with the one that makes it. */
async function callersFor(ctx: Context, who: Caller, purpose: CallPurpose): Promise<AskingReply[]> {
  const { agentId = null, conversationId = null, messageId = null, callers = [] } = purpose
  if (callers.length >= maxLevel)
    throw new Problem(
      'invalid_request',
      `Agents can ask each other at most ${maxLevel} levels deep. Answer without this one.`,
    )
  const asking = agentId === null ? undefined : await agents.find(ctx.db, who, agentId)
  const reply = {
    agent_id: agentId,
    agent_name: asking?.name ?? null,
    conversation_id: conversationId,
    message_id: messageId,
  }
  return [...callers, reply]
}

/** The reply to a run that is not kept is not kept either. */
async function askOnce(
  ctx: Context,
  who: Caller,
  agent: AgentRow,
  message: string,
  purpose: CallPurpose,
  signal: AbortSignal,
): Promise<MessageRow> {
  const callers = await callersFor(ctx, who, purpose)
  const setup = await loadAgent(ctx, who, agent.id)
  const run = agentRun(setup, [questionMessage(message, [])])
  const options = { setup, run, userId: purpose.userId ?? null, sink: keepNothing, callers }
  return (await startUnkept(ctx, who, options, signal)).finished
}

/** The final answer is the result of the call; its citations are numbered among those of the reply that asked. */
function output(reply: MessageRow): ToolOutput {
  const { status, content, code, error, tool_calls } = reply
  if (status !== 'completed')
    throw new Error(`${code ?? status}: ${error ?? 'The agent was stopped before it had answered.'}`)
  const citations = reply.citations.map(({ index, tool_call_id, ...citation }) => citation)
  const numberedFrom = (first: number) =>
    content.replace(/\[(\d+)\]/g, (mark, number) => {
      const at = reply.citations.findIndex(({ index }) => index === Number(number))
      return at < 0 ? mark : `[${first + at}]`
    })
  const documents = tool_calls.flatMap((call) => call.documents ?? [])
  return { content: numberedFrom(1), citations, documents, numberedFrom }
}
