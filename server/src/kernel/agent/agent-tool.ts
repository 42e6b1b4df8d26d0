import type { Need, NeededConnection, ToolAnswer, ToolQuestion, WaitingStatus } from './needs.ts'
import type { RunningStep } from './steps.ts'

/** A passage that a reply cites. */
export interface Citation {
  index: number
  tool_call_id: string
  source: string
  page: number
  document_id: string
  chunk_id: string
  start: number
  end: number
  quote: string
  /** The table and the numbers of its rows, if these are cited. */
  table_id?: string
  rows?: number[]
}

export interface ToolOutput {
  /** Sent to the model. */
  content: string
  /** The same result as structured data, for programs. */
  structured?: Record<string, unknown>
  /** The same result as MCP content blocks, which may be images or audio, for MCP clients. */
  blocks?: Record<string, unknown>[]
  citations?: CitablePassage[]
  /** Documents that the result shows beside those that it offers for citation. */
  documents?: string[]
  /** The same content with its citations numbered from `first`. */
  numberedFrom?(first: number): string
  /** The fact that the call has written. */
  remembered?: { id: string; content: string }
  /** Set if the agent that answers the call waits for a person. There is no content yet. */
  awaits?: AwaitedReply
  /** Set if a person has to do something before the call can be made. There is no content yet. */
  needs?: Need
}

/** A result that reports a failure. MCP clients get its images and data, too. */
export class ToolFailure extends Error {
  readonly output: ToolOutput

  constructor(output: ToolOutput) {
    super(output.content)
    this.output = output
  }
}

/** The documents that a result shows. */
export const documentsShown = ({ citations = [], documents = [] }: ToolOutput): string[] => [
  ...new Set([...citations.map(({ document_id }) => document_id), ...documents]),
]

/** A reply of another agent that waits for a person. */
export interface AwaitedReply {
  messageId: string
  status: WaitingStatus
  /** The approval that it waits for. */
  approvalId: string | null
  /** The account that it waits for. */
  connection?: NeededConnection
  /** The question that it waits for. */
  question?: ToolQuestion
  /** The agents that led to the call that waits. */
  path?: AskingReply[]
}

/** A reply of an agent that led to another one: it asked the other one as a tool. */
export interface AskingReply {
  agent_id: string | null
  agent_name: string | null
  /** Null outside of a conversation. */
  conversation_id: string | null
  message_id: string | null
}

/** A passage that a tool found, with its best quote. */
export interface CitablePassage extends Omit<Citation, 'index' | 'tool_call_id'> {
  /** The whole passage, and where it starts in its document. */
  passage?: { text: string; start: number }
}

/** The people who may decide about the calls of a tool. Without groups and users, those who may by default. */
export interface Approvers {
  groups: string[]
  users: string[]
  /** The person who asked may not decide. */
  exclude_requester?: boolean
}

/** Something an agent can do. */
export interface AgentTool {
  id: string
  /** `api` (the default) calls an HTTP API, `mcp` a tool of an MCP server, `search` searches documents, and `agent` asks another agent. */
  kind?: 'api' | 'mcp' | 'search' | 'agent'
  /** Counts the changes of the resource. */
  revision?: number
  /** The name of the tool on the MCP server `id`. */
  part?: string
  /** The function name that the model calls. */
  name: string
  description: string
  /** JSON Schema of the arguments. */
  parameters: Record<string, unknown>
  /** A person must approve each call. */
  requiresApproval?: boolean
  /** Calls change nothing. Without approvers, whoever may converse there may approve then, else editors and above. */
  readOnly?: boolean
  approvers?: Approvers | null
  /** After this time without a decision a call is refused. */
  approvalTimeoutMinutes?: number
  /** Shown to the approver: the method and URL, or the URL of the MCP server. */
  target?: string
  /** Serializes the tool, so that its toolbox can recreate exactly the tool that was approved. */
  pin?(): unknown
  /** Throws if the arguments do not match the schema, before a call is made with them. */
  check?(input: unknown): Promise<void>
  /** The agent that a call passes the conversation on to. Such a call is not run. */
  handoff?: string
  /** Creates the conversation in which the call is answered, before the call is shown. Returns its id, or null if it is not kept. */
  open?(input: unknown, purpose: CallPurpose): Promise<string | null>
  run(
    input: unknown,
    signal: AbortSignal,
    purpose?: CallPurpose,
    onProgress?: (progress: ToolProgress) => void,
  ): Promise<ToolOutput>
}

/** How far a call is. `progress` only grows; `total` is unknown for many tools. */
export interface ToolProgress {
  progress: number
  total: number | null
  message: string | null
}

/** Tools that need no approval in a run, by id: the version of the tool that was approved. */
export type Grants = Readonly<Record<string, string>>

/** The owner of a call, for the ledger, the thresholds and the trace. */
export interface CallPurpose {
  agentId?: string | null
  conversationId?: string | null
  messageId?: string | null
  userId?: string | null
  evaluationId?: string | null
  /** The replies that led to this one by asking agents as tools, the first one first. */
  callers?: readonly AskingReply[]
  /** Tools that need no approval here, nor in the run of an agent that the call asks. */
  grants?: Grants
  /** Whether the call may wait for a person. */
  canPause?: boolean
  /** The answers that people gave to the questions of the tool in this call. */
  answers?: readonly ToolAnswer[]
  /** The conversation in which the call is answered, and the reply if the call has waited for it. */
  answered?: { conversationId: string; messageId?: string }
  /** The step of the turn that makes the call. */
  step?: RunningStep
}

/** Capabilities that are a risk in combination, though seldom in one tool alone. */
export interface ToolTraits {
  /** Shows private data of the workspace to the model. */
  readsPrivate?: boolean
  /** Shows the model text that strangers may have written. */
  readsUntrusted?: boolean
  /** Can send data elsewhere without a person approving each call. */
  sendsOut?: boolean
}
