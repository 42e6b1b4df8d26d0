import type { Caller, Context } from '../../kernel/context.ts'
import { invalid, Problem } from '../../kernel/errors.ts'
import { agents } from '../agents/service.ts'
import { conversations, send } from '../conversations/service.ts'

interface ListedAgent {
  id: string
  name: string
  description: string | null
}

const mostAgents = 1000
const longestSlug = 48
const idTail = 6

export const askInput = {
  type: 'object',
  properties: {
    message: { type: 'string', minLength: 1, description: 'What to say to the agent.' },
    conversation_id: {
      type: 'string',
      description: 'Goes on with an earlier conversation. Left out, a new one begins.',
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
  },
  required: ['answer', 'conversation_id', 'message_id', 'status'],
} as const

export interface AskedAnswer extends Record<string, unknown> {
  answer: string
  conversation_id: string
  message_id: string
  status: string
}

/** The agents that can be asked, under names that models can use. */
export async function askableAgents(ctx: Context, who: Caller): Promise<{ toolName: string; agent: ListedAgent }[]> {
  const query = { page: 1, limit: mostAgents, sort: 'created_at', order: 'desc', where: { status: 'active' } } as const
  const { rows } = await agents.list(ctx, who, { ...query, q: undefined, fields: undefined })
  const slugs = rows.map(({ name }) => slugOf(name))
  return rows.map((agent, index) => {
    const slug = slugs[index] as string
    const isUnique = slug !== '' && slugs.filter((other) => other === slug).length === 1
    return { toolName: ['ask', slug, isUnique ? '' : agent.id.slice(-idTail)].filter(Boolean).join('_'), agent }
  })
}

const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, longestSlug)

/** A turn in a conversation of the caller, as if it had been sent there. Nobody can approve calls in the middle of it. */
export async function ask(ctx: Context, who: Caller, agent: ListedAgent, input: unknown): Promise<AskedAnswer> {
  const { message, conversation } = readInput(input)
  const id = conversation ?? (await begin(ctx, who, agent.id))
  const { agent_id } = await conversations.get(ctx, who, id)
  if (agent_id !== agent.id) invalid('conversation_id', `is a conversation with another agent than "${agent.name}"`)
  const turn = await send(ctx, who, id, message, { canPause: false })
  const reply = await turn.finished
  if (reply.status === 'completed') {
    return { answer: reply.content, conversation_id: id, message_id: reply.id, status: reply.status }
  }
  throw new Problem(
    (reply.code ?? 'internal_error') as Problem['code'],
    reply.error ?? `The reply was ${reply.status}.`,
  )
}

const longestMessage = 500_000

function readInput(input: unknown): { message: string; conversation: string | undefined } {
  const { message, conversation_id, ...unknown } = (input ?? {}) as Record<string, unknown>
  const [stranger] = Object.keys(unknown)
  if (stranger !== undefined) invalid(stranger, 'is not a known argument')
  if (typeof message !== 'string' || message === '') return invalid('message', 'must be a text')
  if (message.length > longestMessage) invalid('message', `must not be longer than ${longestMessage} characters`)
  if (message.includes('\0')) invalid('message', 'contains a NUL character, which text cannot hold')
  if (conversation_id !== undefined && typeof conversation_id !== 'string')
    return invalid('conversation_id', 'must be a text')
  return { message, conversation: conversation_id || undefined }
}

async function begin(ctx: Context, who: Caller, agentId: string): Promise<string> {
  const body = { agent_id: agentId, user_id: who.userId, title: null, metadata: { channel: 'mcp' } }
  return (await conversations.create(ctx, who, body)).id
}
