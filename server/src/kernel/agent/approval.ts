import type { ModelMessage, ToolCall } from '../llm/model.ts'
import type { AgentTool, Approvers, AwaitedReply } from './agent-tool.ts'
import { lateNeed, type Need, type ToolAnswer } from './needs.ts'

export interface StartedCall {
  id: string
  toolId: string | null
  name: string
  /** The parsed arguments, or the model's text if it is not JSON. */
  input: unknown
  /** The conversation in which another agent answers the call. */
  conversationId?: string
}

/** A call that waits for a decision. */
export interface PendingCall extends StartedCall {
  target?: string
  readOnly?: boolean
  approvers?: Approvers
  timeoutMinutes?: number
  /** The tool as it was when the call was shown for approval. */
  pin?: unknown
  /** The call itself needs no decision: the agent that answers it waits for one. */
  awaits?: AwaitedReply
  /** The call needs no decision, but something else from a person. */
  needs?: Need
  /** Arguments of the approver, if it was approved before. */
  edited?: Record<string, unknown> | null
}

export type ToolResult = Extract<ModelMessage, { role: 'tool' }>

/** A run that waits for approvals. Plain data, so that it can be stored and resumed by another process. */
export interface Pause {
  /** The step in which the model requested the calls. */
  step: number
  /** The messages so far; the last one requests the calls. */
  messages: ModelMessage[]
  /** Results of the calls of this step that have ended. */
  results: ToolResult[]
  /** Calls that wait for a decision. */
  pending: PendingCall[]
  /** How many of the messages are the conversation that the user sees. */
  visible?: number
}

/** The decision about a call that needed approval. */
export interface Verdict {
  status: 'approved' | 'refused' | 'expired'
  comment?: string | null
  /** The arguments that the approver has changed. */
  edited?: Record<string, unknown> | null
  /** The answers to the questions of its tool. */
  answers?: readonly ToolAnswer[]
}

/** The verdicts by the ids of the calls. */
export type Decisions = ReadonlyMap<string, Verdict>

/** The tool result that tells the model that a call was not approved. */
export const refusalText = ({ status, comment }: Verdict, needs?: Need): string =>
  status === 'expired'
    ? needs
      ? lateNeed(needs)
      : 'Nobody decided about this call in time, so it was not made. Say so, and go on without it.'
    : `The user refused this call, so it was not made. Do not ask for it again unless the user wants it; go on without it.${
        comment ? ` The reason they gave: ${comment}` : ''
      }`

/** Tells the model with the result that a call was made with other arguments than its own. */
export const withEditNote = (result: string, edited: unknown): string =>
  edited === undefined || edited === null
    ? result
    : `A person changed the arguments before they approved this call. It was made with ${JSON.stringify(edited)}. The result:\n${result}`

export const refusedWithoutApprover =
  'This tool needs the approval of a person, and nobody can give it here, so it was not called. Tell the user so, and go on without it.'

/** The calls that need approval. Calls with invalid arguments fail anyway and need none. */
export const callsToApprove = (calls: ToolCall[], tools: AgentTool[]): PendingCall[] =>
  calls.flatMap((call) => {
    const tool = tools.find(({ name }) => name === call.name)
    const input = parseJson(call.arguments)
    return tool?.requiresApproval && input !== undefined
      ? [
          {
            id: call.id,
            toolId: tool.id,
            name: call.name,
            input,
            ...(tool.target !== undefined && { target: tool.target }),
            ...(tool.readOnly && { readOnly: true }),
            ...(tool.approvers && { approvers: tool.approvers }),
            ...(tool.approvalTimeoutMinutes !== undefined && { timeoutMinutes: tool.approvalTimeoutMinutes }),
            ...(tool.pin && { pin: tool.pin() }),
          },
        ]
      : []
  })

/** The ids of all calls in these messages. */
export const callIds = (messages: readonly ModelMessage[]): Set<string> =>
  new Set(
    messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : [])).map(({ id }) => id),
  )

/**
 * Some providers reuse ids in every step. A decision names a call by its id, so it must not match a later call. Adds the ids
 * to those that are used.
 */
export function withUniqueIds(calls: ToolCall[], used: Set<string>): ToolCall[] {
  return calls.map((call) => {
    let id = call.id
    for (let count = 2; id === '' || used.has(id); count++) id = `${call.id || 'call'}_${count}`
    used.add(id)
    return id === call.id ? call : { ...call, id }
  })
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
