import { isWaiting, type Need, needKinds } from '../../kernel/agent/needs.ts'
import type { ToolProgress } from '../../kernel/agent/tools.ts'
import { withoutAudit } from '../../kernel/audit.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { invalid, Problem } from '../../kernel/errors.ts'
import type { IdempotencyKey } from '../../kernel/http/idempotency-store.ts'
import { allRows } from '../../kernel/store/list.ts'
import { agents } from '../agents/service.ts'
import { earlierConversation, send } from '../conversations/send.ts'
import { belongsTo, conversations, follow } from '../conversations/service.ts'
import { type EventSource, ended, type MessageSource } from '../runs/events.ts'
import type { MessageRow } from '../runs/reply.ts'
import type { Message } from '../runs/schema.ts'
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
    message: {
      type: 'string',
      minLength: 1,
      description: 'The message to the agent. If omitted, the last reply of `conversation_id` is returned again.',
    },
    conversation_id: {
      type: 'string',
      description: 'Continues an earlier conversation. If omitted, a new one starts.',
    },
  },
  additionalProperties: false,
} as const

export const askOutput = {
  type: 'object',
  properties: {
    answer: { type: 'string' },
    conversation_id: { type: 'string' },
    message_id: { type: 'string' },
    status: {
      type: 'string',
      description:
        '`completed`, or `awaiting_approval`, `awaiting_connection` or `awaiting_input` if a person must do something first.',
    },
    approvals: {
      type: 'array',
      description: 'The calls that wait for a person.',
      items: {
        type: 'object',
        properties: {
          id: { type: 'string', description: 'Decided with `POST /api/approvals/{id}`, or in the console.' },
          name: { type: 'string', description: 'The tool.' },
        },
        required: ['id', 'name'],
      },
    },
    needs: {
      type: 'array',
      description: 'The accounts that the user must connect, and the questions of tools that they must answer.',
      items: {
        type: 'object',
        properties: {
          kind: { type: 'string', enum: needKinds },
          tool_call_id: { type: 'string' },
          name: { type: 'string', description: 'The tool.' },
          message: { type: 'string', description: 'What the user must do, or the question.' },
          url: { type: 'string', description: 'The page that the user opens. If missing: the console.' },
        },
        required: ['kind', 'tool_call_id', 'name', 'message'],
      },
    },
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
  required: ['answer', 'conversation_id', 'message_id', 'status', 'approvals', 'needs', 'citations'],
} as const

interface AgentNeed {
  kind: Need['kind']
  tool_call_id: string
  name: string
  message: string
  url?: string
}

export interface AgentAnswer extends Record<string, unknown> {
  answer: string
  conversation_id: string
  message_id: string
  status: string
  approvals: { id: string; name: string }[]
  needs: AgentNeed[]
  citations: (Message['citations'][number] & { uri: string })[]
}

/** The active agents, each with the name its tool should have. */
export async function agentTools(ctx: Context, who: Caller): Promise<{ preferred: string; agent: ListedAgent }[]> {
  const rows = await agents.first(ctx, who, allRows({ status: 'active' }))
  return rows.map((agent) => ({ preferred: `ask_${toSlug(agent.name) || agent.id.slice(-idSuffixLength)}`, agent }))
}

const toSlug = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, maxSlugLength)

/**
 * Sends a message in a conversation of the caller. If a call needs approval, the answer says so. A later call without a
 * message returns the reply.
 */
export async function ask(
  ctx: Context,
  who: Caller,
  agent: ListedAgent,
  input: unknown,
  key: IdempotencyKey | null,
  onProgress?: (progress: ToolProgress) => void,
): Promise<AgentAnswer> {
  const { message, conversation } = readInput(input)
  const id =
    conversation ??
    (await earlierConversation(ctx, who, key)) ??
    (await startConversation(ctx, withoutAudit(who), agent.id))
  const found = await conversations.get(ctx, who, id)
  if (!(await belongsTo(ctx.db, found, agent.id)))
    invalid('conversation_id', `belongs to another agent than "${agent.name}"`)
  const source = message === undefined ? await lastReply(ctx, who, id) : await send(ctx, who, id, message, { key })
  const unsubscribe = onProgress && reportTools(source, onProgress)
  await ended(source)
  unsubscribe?.()
  const reply = source.row
  const { content, status } = reply
  if (status === 'completed' || isWaiting(status)) {
    const citations = reply.citations.map((citation) => ({ ...citation, uri: citationUri(reply, citation) }))
    const approvals = waitingIn(reply)
    const needs = needsIn(reply)
    return { answer: content, conversation_id: id, message_id: reply.id, status, approvals, needs, citations }
  }
  throw new Problem(
    (reply.code ?? 'internal_error') as Problem['code'],
    reply.error ?? `The reply was ${reply.status}.`,
  )
}

/** The reply that was written last, or is being written. */
async function lastReply(ctx: Context, who: Caller, id: string): Promise<MessageSource> {
  const { running_message_id, last_message_id } = await conversations.get(ctx, who, id)
  const reply = running_message_id ?? last_message_id
  return reply === null
    ? invalid('message', 'is missing, and the conversation has no reply yet')
    : follow(ctx, who, id, reply)
}

const waitingIn = ({ status, tool_calls }: MessageRow): AgentAnswer['approvals'] =>
  status !== 'awaiting_approval'
    ? []
    : tool_calls.flatMap(({ approval_id: id, name, status: is, approved }) =>
        is === 'awaiting_approval' && approved === undefined && id !== undefined ? [{ id, name }] : [],
      )

const needsIn = ({ status, tool_calls }: MessageRow): AgentNeed[] =>
  !isWaiting(status)
    ? []
    : tool_calls.flatMap((call): AgentNeed[] => {
        const { id: tool_call_id, connection, inputs } = call
        if (call.status === 'awaiting_connection' && connection) {
          const { name, authorize_url: url } = connection
          const where = url === null ? 'under Settings, Connected accounts, in the console' : `at ${url}`
          const message = `The user must connect their account for "${name}" ${where}.`
          return [{ kind: 'connection', tool_call_id, name, message, ...(url !== null && { url }) }]
        }
        const question = inputs?.at(-1)
        if (call.status !== 'awaiting_input' || !question) return []
        const { message, url } = question
        return [{ kind: 'input', tool_call_id, name: call.name, message, ...(url !== undefined && { url }) }]
      })

/** Explains to a person or a model what somebody has to do, and how to fetch the reply then. Null: the reply does not wait. */
export function waitingNote({ approvals, needs }: Pick<AgentAnswer, 'approvals' | 'needs'>): string | null {
  if (approvals.length === 0 && needs.length === 0) return null
  const names = approvals.map(({ id, name }) => `${name} (${id})`).join(', ')
  const approve =
    `The agent waits for a person to approve ${names}. ` +
    'That is decided under Approvals in the console, or with POST /api/approvals/{id}.'
  const parts = needs.map(({ kind, name, message, url }) => {
    if (kind === 'connection') return message
    const where =
      url === undefined ? 'The user answers in the conversation in the console' : `The user answers at ${url}`
    return `The tool ${name} asks the user: ${message} ${where}, or by POST /api/conversations/{id}/messages/{message}/input.`
  })
  const then = 'Then call this tool with the conversation_id and without a message to get the reply.'
  return [...(approvals.length > 0 ? [approve] : []), ...parts, then].join(' ')
}

/** Reports the tools that a turn calls, and their own progress. */
function reportTools(source: EventSource, onProgress: (progress: ToolProgress) => void): () => void {
  let seen = 0
  let progress = 0
  return source.subscribe(() => {
    while (seen < source.length) {
      const event = source.at(++seen)
      if (event.type === 'tool.started')
        onProgress({ progress: ++progress, total: null, message: `Calling ${event.name}` })
      if (event.type === 'tool.progress') onProgress({ progress: ++progress, total: null, message: event.text })
    }
  })
}

const maxMessageLength = 500_000

function readInput(input: unknown): { message: string | undefined; conversation: string | undefined } {
  const { message, conversation_id, ...unknown } = (input ?? {}) as Record<string, unknown>
  const [field] = Object.keys(unknown)
  if (field !== undefined) invalid(field, 'is not a known argument')
  const isFollowUp = message === undefined && typeof conversation_id === 'string' && conversation_id !== ''
  if (!isFollowUp && (typeof message !== 'string' || message === ''))
    return invalid('message', 'must be a non-empty string')
  if (typeof message === 'string') checkMessage(message)
  if (conversation_id !== undefined && typeof conversation_id !== 'string')
    return invalid('conversation_id', 'must be a string')
  return { message: isFollowUp ? undefined : (message as string), conversation: conversation_id || undefined }
}

function checkMessage(message: string): void {
  if (message.length > maxMessageLength) invalid('message', `must not be longer than ${maxMessageLength} characters`)
  if (message.includes('\0')) invalid('message', 'must not contain NUL characters')
}

async function startConversation(ctx: Context, who: Caller, agentId: string): Promise<string> {
  const body = { agent_id: agentId, user_id: who.userId, title: null, metadata: { channel: 'mcp' } }
  return (await conversations.create(ctx, who, body)).id
}
