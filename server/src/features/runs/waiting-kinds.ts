import type { AwaitedReply } from '../../kernel/agent/agent-tool.ts'
import { isWaiting, type Need, needKinds, type WaitingStatus } from '../../kernel/agent/needs.ts'
import type { Item } from './events.ts'
import type { MessageRow } from './reply.ts'
import type { StoredToolCall, ToolCallView } from './schema.ts'

interface Kind {
  /** Whether nobody has done yet what the call waits for. */
  isOpen(call: StoredToolCall): boolean
  /** Shows in a call what it waits for. Returns the event. */
  show(view: ToolCallView, index: number, awaited: Omit<AwaitedReply, 'messageId'>): Exclude<Item, string>
  /** Describes what the call waits for, to the reply that asked its agent. */
  describe(call: StoredToolCall): Partial<AwaitedReply>
}

/** A kind with a row for each call that waits, by which the call is found and expires. Approvals have their own table. */
interface NeedKind<N extends Need = Need> extends Kind {
  /** The person by whom the row is found. Null for an account of the workspace. */
  person(need: N, reply: MessageRow): string | null
  /** Further data of the domain event. */
  eventData(need: N): Record<string, unknown>
  expire(call: StoredToolCall): void
  hasExpired(call: StoredToolCall): boolean
  /** Keeps the outcome in the call that asked the agent, too. */
  copyOutcome?(call: StoredToolCall, asking: StoredToolCall): void
}

/** The kinds of waiting for a person, as a call keeps them. */
const needs: { [K in Need['kind']]: NeedKind<Extract<Need, { kind: K }>> } = {
  connection: {
    isOpen: ({ connection }) => connection?.status === 'required',
    show(view, index, { connection }) {
      if (connection) {
        const { toolId: tool_id, name, authorizeUrl: authorize_url } = connection
        view.connection = { tool_id, name, authorize_url, status: 'required' }
      }
      return { c: index }
    },
    describe({ connection: needed }) {
      if (!needed) return {}
      const { tool_id: toolId, name, authorize_url: authorizeUrl } = needed
      return { connection: { toolId, name, userId: null, authorizeUrl } } // the row of the call names the person
    },
    person: ({ connection }) => connection.userId,
    eventData: ({ connection }) => ({ account: connection.userId === null ? 'workspace' : 'user' }),
    expire: ({ connection }) => void Object.assign(connection ?? {}, { status: 'expired', authorize_url: null }),
    hasExpired: ({ connection }) => connection?.status === 'expired',
  },
  input: {
    isOpen: ({ inputs }) => inputs?.at(-1)?.action === null,
    show(view, index, { question }) {
      if (!question) return { a: index }
      view.inputs = [...(view.inputs ?? []), { ...question, action: null }]
      return { i: index, m: view.inputs.length - 1 }
    },
    describe({ inputs }) {
      const question = inputs?.at(-1)
      if (!question) return {}
      const { message, schema, url } = question
      return { question: { message, ...(schema && { schema }), ...(url !== undefined && { url }) } }
    },
    person: (_, { user_id }) => user_id,
    eventData: ({ question: { message } }) => ({ message }),
    expire: ({ inputs }) => void Object.assign(inputs?.at(-1) ?? {}, { action: 'expired' }),
    hasExpired: ({ inputs }) => inputs?.at(-1)?.action === 'expired',
    copyOutcome({ inputs }, asking) {
      const { action, content, answered_by, answered_at } = inputs?.at(-1) ?? {}
      Object.assign(asking.inputs?.at(-1) ?? {}, { action, answered_by, answered_at, ...(content && { content }) })
    },
  },
}

export const kindByStatus: Record<WaitingStatus, Kind> = {
  awaiting_approval: {
    isOpen: ({ approved }) => approved === undefined,
    show: (_, index) => ({ a: index }),
    describe: ({ approval_id: approvalId = null }) => ({ approvalId }),
  },
  awaiting_connection: needs.connection,
  awaiting_input: needs.input,
}

export const needKind = (kind: Need['kind']): NeedKind => needs[kind]

/** The need that a call with this status waits for. */
export function awaitedNeed(status: string): NeedKind | undefined {
  const kind = needKinds.find((each) => status === `awaiting_${each}`)
  return kind && needs[kind]
}

/** Whether nobody has done yet what a call waits for. */
export const isUnsettled = (call: StoredToolCall): boolean =>
  isWaiting(call.status) && kindByStatus[call.status].isOpen(call)
