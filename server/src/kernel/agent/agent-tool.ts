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
}

export interface ToolOutput {
  /** What the model sees. */
  content: string
  /** The same as data, for programs. */
  structured?: Record<string, unknown>
  citations?: CitablePassage[]
  /** The same content with its citations numbered from another number than 1. */
  numberedFrom?(first: number): string
}

/** A passage that a tool found, with its best quote. */
export interface CitablePassage extends Omit<Citation, 'index' | 'tool_call_id'> {
  /** The whole passage, and where it starts in its document. */
  passage?: { text: string; start: number }
}

/** Who may decide about the calls of a tool. */
export interface Approvers {
  groups: string[]
  users: string[]
}

/** Something an agent can do. */
export interface AgentTool {
  id: string
  /** What it does: calls an API (the default), calls a tool of an MCP server, or searches documents. */
  kind?: 'api' | 'mcp' | 'search'
  /** Which tool of the server `id` it is, by the server's own name for it. */
  part?: string
  /** What the model calls it. */
  name: string
  description: string
  /** JSON Schema of the arguments. */
  parameters: Record<string, unknown>
  /** A person must approve each call. */
  requiresApproval?: boolean
  /** Who may approve them; left out: whoever may converse there. */
  approvers?: Approvers | null
  /** After this time without a decision a call is refused. */
  approvalTimeoutMinutes?: number
  /** What that person is shown: the method and the address, or the address of the server. */
  target?: string
  /** Plain data from which its toolbox makes the same tool again, so that what was approved is what is called. */
  pin?(): unknown
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

/** What a call belongs to, for the ledger, the thresholds and the trace. */
export interface CallPurpose {
  agentId?: string | null
  conversationId?: string | null
  messageId?: string | null
  userId?: string | null
  evaluationId?: string | null
  /** The step of the turn that makes the call. */
  step?: RunningStep
}

/** What a tool can do with data. One tool alone is seldom a risk; a combination may be. */
export interface ToolTraits {
  /** Shows private data of the workspace to the model. */
  readsPrivate?: boolean
  /** Shows the model text that strangers may have written. */
  readsUntrusted?: boolean
  /** Can send data elsewhere without a person approving each call. */
  sendsOut?: boolean
}
