import type { Caller, Context } from '../../../kernel/context.ts'
import { invalid, Problem, unknownReference } from '../../../kernel/errors.ts'
import type { ModelMessage } from '../../../kernel/llm/model.ts'
import { withoutHiddenResults } from '../../conversations/hidden.ts'
import { messagesUpTo } from '../../conversations/past.ts'
import { belongsTo, type ConversationRow, conversations } from '../../conversations/service.ts'
import { maxHistoryMessages } from '../../runs/history.ts'
import { agentNamed } from '../service.ts'
import { findResponse, type StoredResponse } from './find.ts'
import { type Input, readInput, type Said } from './input.ts'
import { findPending, type Pending } from './pending.ts'
import { type Waiting, withResults } from './record.ts'
import { resolveReferences } from './references.ts'
import type { ResponseBody } from './schema.ts'

/** A message before the question. */
interface Earlier extends Said {
  /** Set if the message is stored already. */
  id?: string
}

/** The question of a response and the conversation that it belongs to. */
export interface Plan {
  agentId: string
  /** The conversation that goes on, null for a new one. */
  conversation: ConversationRow | null
  /** Items that wait in the conversation, which this response answers too. */
  pending: Pending | null
  /** The response that this one follows. */
  previous: StoredResponse | null
  /** The first messages of a new conversation. */
  earlier: Earlier[]
  /** How many of them were in the input. */
  sentEarlier: number
  /** Messages that end with calls that were handed over, and the results of these calls. */
  continued: ModelMessage[]
  /** How many of the earlier messages are sent before that. */
  kept: number
  /** Empty if there are only results. */
  text: string
  input: Input
  standing: string[]
}

export async function planResponse(ctx: Context, who: Caller, body: ResponseBody, origin: string): Promise<Plan> {
  const { previous, conversation: found, pending = null } = await whereToGoOn(ctx, who, body)
  const agentId = body.model ? await agentNamed(ctx, who, body.model) : found?.agent_id
  if (!agentId) return invalid('model', 'is required: the id or the name of an agent')
  const isAgents = found !== null && (await belongsTo(ctx.db, found, agentId))
  if (found && !isAgents && body.conversation) {
    invalid('model', `is another agent than that of the conversation (${found.agent_id}); leave it out`)
  }
  const stored = previous?.record?.waiting
  const waiting = stored ? await withoutHiddenResults(ctx, who, stored) : null
  const waitingItems = (pending?.items ?? []).map((each) => ({ ...each, isStored: false, documents: [] }))
  const items = [...waitingItems, ...(await resolveReferences(ctx, who, body.input, origin))]
  const input = readInput(items, who.role, new Set(waiting?.calls.map(({ id }) => id)))
  if (waiting) requireOutputs(waiting, input)
  // Another agent, or a conversation that is completed: a new one goes on from a copy.
  const isCopied = found !== null && (!isAgents || (!body.conversation && found.status === 'completed'))
  const past = found && (isCopied || body.store === false) ? await earlierMessages(ctx, found, previous, input) : []
  const asked = found ? askedAfter(input) : askedFirst(input)
  const continued = waiting ? withResults(waiting, input.outputs) : asked.continued
  const earlier: Earlier[] = [...past, ...asked.earlier]
  return {
    agentId: found && !isCopied ? found.agent_id : agentId,
    conversation: isCopied ? null : found,
    pending,
    previous,
    earlier,
    sentEarlier: asked.earlier.length,
    continued,
    kept: waiting ? earlier.filter(({ id = '' }) => id <= waiting.after).length : earlier.length - asked.trailing,
    text: asked.text,
    input,
    standing: [...(previous?.record?.standing ?? []), ...input.standing],
  }
}

async function whereToGoOn(ctx: Context, who: Caller, body: ResponseBody) {
  const { previous_response_id: previousId, conversation: wanted } = body
  if (previousId && wanted) invalid('conversation', 'cannot be used together with previous_response_id')
  if (previousId) {
    const previous = await findResponse(ctx, who, previousId)
    if (!previous) return unknownReference('previous_response_id', 'response', previousId)
    return { previous, conversation: previous.conversation }
  }
  if (!wanted) return { previous: null, conversation: null }
  const id = typeof wanted === 'string' ? wanted : wanted.id
  if (typeof id !== 'string') return invalid('conversation', 'must be the id of a conversation, or an object with it')
  const pending = (await findPending(ctx, who, id)) ?? null
  if (pending?.isNew) return { previous: null, conversation: null, pending }
  const conversation = await conversations.get(ctx, who, id).catch((error) => {
    if (error instanceof Problem && error.code === 'not_found') unknownReference('conversation', 'conversation', id)
    throw error
  })
  const last = conversation.last_message_id
  return { previous: last === null ? null : ((await findResponse(ctx, who, last)) ?? null), conversation, pending }
}

function requireOutputs({ calls }: Waiting, { outputs }: Input): void {
  for (const { id, name } of calls) {
    if (!outputs.has(id)) {
      invalid('input', `the call "${id}" of ${name} has no result: add a function_call_output with this call_id`)
    }
  }
}

/** The messages up to the previous response, with the results that have come for it. */
async function earlierMessages(
  ctx: Context,
  conversation: ConversationRow,
  previous: StoredResponse | null,
  { outputs }: Input,
): Promise<Earlier[]> {
  const end = previous?.row.id ?? conversation.last_message_id
  if (end === null) return []
  const rows = await messagesUpTo(ctx.db, conversation, end, maxHistoryMessages)
  return rows.map(({ tool_calls = [], ...row }) => ({
    ...row,
    tool_calls: tool_calls.map((call) => withOutput(call, row.id === end ? outputs : new Map())),
  }))
}

export const withOutput = (call: Said['tool_calls'][number], outputs: ReadonlyMap<string, string>) => {
  const result = outputs.get(call.id)
  return result === undefined ? call : { ...call, status: 'completed' as const, result }
}

interface Asked {
  earlier: Said[]
  continued: ModelMessage[]
  /** How many of the earlier messages are in `continued`. */
  trailing: number
  text: string
}

/** In a conversation that goes on. */
function askedAfter({ said, outputs, files }: Input): Asked {
  if (said.some(({ role }) => role === 'assistant')) {
    invalid('input', 'has earlier replies or calls: with previous_response_id or conversation, send only what is new')
  }
  const text = said[0]?.content ?? ''
  if (text === '' && (outputs.size === 0 || files.length > 0)) noQuestion(files)
  return { earlier: [], continued: [], trailing: 0, text }
}

/** In a new conversation, which the client may begin with messages of its own. */
function askedFirst({ said, files }: Input): Asked {
  for (const { id } of said.flatMap(({ tool_calls }) => tool_calls.filter(({ result }) => result === null))) {
    invalid('input', `the call "${id}" has no result: add a function_call_output with this call_id`)
  }
  const last = said.at(-1)
  if (!last) return noQuestion(files)
  if (last.role === 'user') {
    if (last.content.trim() === '') noQuestion(files)
    return { earlier: said.slice(0, -1), continued: [], trailing: 0, text: last.content }
  }
  if (last.content !== '') invalid('input', 'ends with a reply: add a message of role user')
  return { earlier: said, continued: callMessages(last), trailing: 1, text: '' }
}

const noQuestion = (files: unknown[]): never =>
  invalid('input', files.length > 0 ? 'has files, but no text that says what to do' : 'has no message of role user')

const callMessages = ({ tool_calls }: Said): ModelMessage[] => [
  {
    role: 'assistant',
    content: '',
    toolCalls: tool_calls.map(({ id, name, arguments: sent }) => ({
      id,
      name,
      arguments: typeof sent === 'string' ? sent : JSON.stringify(sent),
    })),
  },
  ...tool_calls.map(
    ({ id, name, result }): ModelMessage => ({ role: 'tool', toolCallId: id, name, content: result ?? '' }),
  ),
]
