import type { ToolProgress } from '../../kernel/agent/tools.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { invalid, Problem } from '../../kernel/errors.ts'
import type { IdempotencyKey } from '../../kernel/http/idempotency-store.ts'
import { allRows } from '../../kernel/store/list.ts'
import { agents } from '../agents/service.ts'
import { earlierConversation } from '../conversations/repetition.ts'
import type { Message } from '../conversations/schema.ts'
import { send } from '../conversations/send.ts'
import { conversations } from '../conversations/service.ts'
import type { EventSource } from '../conversations/streaming/events.ts'
import { citationUri } from './resources.ts'

interface ListedAgent {
  id: string
  name: string
  description: string | null
}

const maxSlugLength = 48
const idSuffixLength = 6

export const askInput = {
  type: 'object',
  properties: {
    message: { type: 'string', minLength: 1, description: 'The message to the agent.' },
    conversation_id: {
      type: 'string',
      description: 'Continues an earlier conversation. If omitted, a new one starts.',
    },
  },
  required: ['message'],
  additionalProperties: false,
} as const

export const askOutput = {
  type: 'object',
  properties: {
    answer: { type: 'string' },
    conversation_id: { type: 'string' },
    message_id: { type: 'string' },
    status: { type: 'string' },
    citations: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          index: { type: 'integer', description: 'The n of [n] in the answer.' },
          source: { type: 'string', description: 'The name of the document.' },
          page: { type: 'integer' },
          document_id: { type: 'string' },
          quote: { type: 'string', description: 'The words that the statement rests on.' },
          uri: { type: 'string', description: 'The resource with the quote.' },
        },
        required: ['index', 'source', 'page', 'document_id', 'quote', 'uri'],
      },
    },
  },
  required: ['answer', 'conversation_id', 'message_id', 'status', 'citations'],
} as const

export interface AgentAnswer extends Record<string, unknown> {
  answer: string
  conversation_id: string
  message_id: string
  status: string
  citations: (Message['citations'][number] & { uri: string })[]
}

/** The active agents, each with the name its tool should have. */
export async function agentTools(ctx: Context, who: Caller): Promise<{ preferred: string; agent: ListedAgent }[]> {
  const rows = await allRows((query) => agents.list(ctx, who, query), { status: 'active' })
  return rows.map((agent) => ({ preferred: `ask_${slugOf(agent.name) || agent.id.slice(-idSuffixLength)}`, agent }))
}

const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, maxSlugLength)

/** Sends a message in a conversation of the caller. Tool calls that need approval are refused, because nobody can approve them here. */
export async function ask(
  ctx: Context,
  who: Caller,
  agent: ListedAgent,
  input: unknown,
  key: IdempotencyKey | null,
  onProgress?: (progress: ToolProgress) => void,
): Promise<AgentAnswer> {
  const { message, conversation } = readInput(input)
  const id = conversation ?? (await earlierConversation(ctx, who, key)) ?? (await startConversation(ctx, who, agent.id))
  const { agent_id } = await conversations.get(ctx, who, id)
  if (agent_id !== agent.id) invalid('conversation_id', `belongs to another agent than "${agent.name}"`)
  const turn = await send(ctx, who, id, message, { canPause: false, key })
  const unsubscribe = onProgress && reportTools(turn, onProgress)
  const reply = await turn.finished
  unsubscribe?.()
  if (reply.status === 'completed') {
    const { content, status } = reply
    const citations = reply.citations.map((citation) => ({ ...citation, uri: citationUri(reply, citation) }))
    return { answer: content, conversation_id: id, message_id: reply.id, status, citations }
  }
  throw new Problem(
    (reply.code ?? 'internal_error') as Problem['code'],
    reply.error ?? `The reply was ${reply.status}.`,
  )
}

/** Reports the tools that a turn calls, and their own progress. */
function reportTools(turn: EventSource, onProgress: (progress: ToolProgress) => void): () => void {
  let seen = 0
  let progress = 0
  return turn.subscribe(() => {
    while (seen < turn.length) {
      const event = turn.at(++seen)
      if (event.type === 'tool.started')
        onProgress({ progress: ++progress, total: null, message: `Calling ${event.name}` })
      if (event.type === 'tool.progress') onProgress({ progress: ++progress, total: null, message: event.text })
    }
  })
}

const maxMessageLength = 500_000

function readInput(input: unknown): { message: string; conversation: string | undefined } {
  const { message, conversation_id, ...unknown } = (input ?? {}) as Record<string, unknown>
  const [field] = Object.keys(unknown)
  if (field !== undefined) invalid(field, 'is not a known argument')
  if (typeof message !== 'string' || message === '') return invalid('message', 'must be a non-empty string')
  if (message.length > maxMessageLength) invalid('message', `must not be longer than ${maxMessageLength} characters`)
  if (message.includes('\0')) invalid('message', 'must not contain NUL characters')
  if (conversation_id !== undefined && typeof conversation_id !== 'string')
    return invalid('conversation_id', 'must be a string')
  return { message, conversation: conversation_id || undefined }
}

async function startConversation(ctx: Context, who: Caller, agentId: string): Promise<string> {
  const body = { agent_id: agentId, user_id: who.userId, title: null, metadata: { channel: 'mcp' } }
  return (await conversations.create(ctx, who, body)).id
}
