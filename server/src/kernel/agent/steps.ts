import { Problem } from '../errors.ts'
import { type FinishReason, type ModelMessage, ProviderError, type TokenUsage, type ToolCall } from '../llm/model.ts'

/**
 * agent:     the agent, its prompt and its tools are loaded
 * history:   the messages that fit the model are chosen
 * model:     one request to a language model, with its retries
 * tool:      a call of an API tool or of a tool of an MCP server
 * retrieval: a call of a RAG or retrieval tool, with `embedding`, `search` and `rerank` as parts
 * approval:  calls wait for a decision
 * recall:    facts are recalled before the answer
 * remember:  a fact is written
 * summary:   messages that no longer fit are summarized
 */
export type StepType =
  | 'agent'
  | 'history'
  | 'model'
  | 'tool'
  | 'retrieval'
  | 'embedding'
  | 'search'
  | 'rerank'
  | 'approval'
  | 'recall'
  | 'remember'
  | 'summary'

/** How a step failed. */
export type StepFailure = 'failed' | 'refused' | 'cancelled' | 'interrupted'

export interface StepFacts {
  /** The provider's name of the model, or the function name of the tool. */
  name?: string
  provider?: string
  modelId?: string
  usage?: TokenUsage
  estimated?: boolean
  /** Nano-dollars. Null if the price was not known. */
  cost?: number | null
  /** Milliseconds from the start of the step to the first text. */
  firstText?: number
  finishReason?: FinishReason
  /** Requests to the provider, if more than one. */
  attempts?: number
  toolCallId?: string
  toolId?: string | null
  /** Calls that wait for a decision. */
  toolCallIds?: string[]
  /** Passages that were found or scored. */
  results?: number
  /** Messages of the history that are sent, and older ones that are not. */
  messages?: number
  omitted?: number
  /** Facts that were recalled or written, and why. */
  memories?: { id: string; score: number | null; keyword: number | null; vector: number | null }[]
  failure?: StepFailure
  /** Why it failed: an HTTP status or a short name, never a message. */
  error?: string
}

export interface Step extends StepFacts {
  type: StepType
  /** Milliseconds from the start of the turn. */
  at: number
  /** How long it took. Null while it runs. */
  ms: number | null
  /** The position of the step that it is a part of. */
  parent?: number
}

/** Content sent and received. It is only exported on request, and never stored with the steps. */
export interface StepContent {
  input?: ModelMessage[]
  output?: { text: string; toolCalls: ToolCall[]; finishReason: FinishReason }
  arguments?: unknown
  result?: string
}

/** The facts of a request to a provider for spans and metrics. They are not stored with the step. */
export interface RemoteFacts {
  serverAddress?: string
  serverPort?: number
  /** The model that answered, as the provider names it. */
  responseModel?: string
}

/** A step that runs. */
export interface RunningStep {
  /** Starts a part of this step. */
  part(type: StepType, facts?: StepFacts): RunningStep
  /** Adds facts that are known before the end. */
  note(facts: StepFacts): void
  /** Adds the content sent and received, if it is captured. */
  content(content: () => StepContent): void
  /** Adds what is exported of a request to a provider, if anything is exported. */
  remote(facts: () => RemoteFacts): void
  end(facts?: StepFacts): void
  /** Milliseconds since it started. */
  elapsed(): number
  /** The W3C trace context that requests made in this step carry. */
  traceparent(): string | null
}

export interface TurnFacts {
  workspace?: string
  conversationId?: string
  messageId?: string
  agentId?: string
  agentName?: string
  agentVersion?: number
}

/** `refused`: it could not start, so nothing was stored. */
export type TurnStatus = StepFailure | 'completed' | 'awaiting_approval'

/** Follows a turn as it happens, for metrics and spans. */
export interface TurnObserver {
  readonly capturesContent: boolean
  describe(facts: TurnFacts): void
  started(step: Step, parent: Step | undefined): void
  ended(step: Step): void
  content(step: Step, content: StepContent): void
  /** Missing if nothing is exported. */
  remote?(step: Step, facts: RemoteFacts): void
  /** The turn has ended or waits for approval. */
  finished(status: TurnStatus, error: string | null): void
  traceparent(step?: Step): string | null
}

interface StoredSteps {
  start: number
  steps: Step[]
  /** The trace context of the turn. */
  traceparent?: string
}

/** Records the steps of a turn. Its stored trace, its spans and its metrics are derived from them. */
export class Steps {
  /** When the turn started (milliseconds since 1970). */
  readonly startedAt: number
  readonly list: Step[]
  readonly observer: TurnObserver
  /** The origin of the steps' times, by the clock of `performance`. */
  readonly #zero: number

  constructor(now: number, observer: TurnObserver, stored: StoredSteps = { start: now, steps: [] }) {
    this.startedAt = stored.start
    this.list = stored.steps
    this.observer = observer
    this.#zero = performance.now() - Math.max(now - stored.start, lastEnd(stored.steps))
  }

  get traceparent(): string | null {
    return this.observer.traceparent()
  }

  start(type: StepType, facts: StepFacts = {}, parent?: number): RunningStep {
    const step: Step = { type, at: this.#now(), ms: null, ...(parent !== undefined && { parent }), ...facts }
    const position = this.list.push(step) - 1
    this.observer.started(step, parent === undefined ? undefined : this.list[parent])
    return {
      part: (partType, partFacts) => this.start(partType, partFacts, position),
      note: (more) => void Object.assign(step, more),
      content: (content) => {
        if (this.observer.capturesContent) this.observer.content(step, content())
      },
      remote: (facts) => this.observer.remote?.(step, facts()),
      end: (more) => {
        if (step.ms !== null) return
        // A part that failed may not have been ended.
        this.#endOpen(
          this.list.filter((part) => part.parent === position),
          'failed',
        )
        Object.assign(step, more, { ms: this.#now() - step.at })
        this.observer.ended(step)
      },
      elapsed: () => this.#now() - step.at,
      traceparent: () => this.observer.traceparent(step),
    }
  }

  /** Prepares the turn in a step. */
  async run<T>(type: 'agent' | 'history', work: (step: RunningStep) => Promise<T>): Promise<T> {
    const step = this.start(type)
    try {
      const result = await work(step)
      step.end()
      return result
    } catch (error) {
      step.end(stepFailure(error))
      this.refuse(error)
      throw error
    }
  }

  /** The turn waits for approval, or has ended, which ends its running steps. */
  finish(status: TurnStatus, error: string | null = null): void {
    if (status !== 'awaiting_approval') this.#endOpen(this.list, status === 'completed' ? undefined : status)
    this.observer.finished(status, error)
  }

  /** The turn could not start. */
  refuse(error: unknown): void {
    this.finish('refused', stepFailure(error).error)
  }

  /** The wait for approval is over. */
  endWait(): void {
    this.#endOpen(this.list)
  }

  encode(): string {
    const { startedAt: start, list: steps, traceparent } = this
    return JSON.stringify({ start, steps, ...(traceparent !== null && { traceparent }) } satisfies StoredSteps)
  }

  #endOpen(steps: Step[], failure?: StepFailure): void {
    for (const step of endOpenSteps(steps, this.#now(), failure)) this.observer.ended(step)
  }

  #now = (): number => Math.round(performance.now() - this.#zero)
}

export const decodeSteps = (encoded: string | null): StoredSteps | null =>
  encoded === null ? null : (JSON.parse(encoded) as StoredSteps)

interface Ending {
  /** When it ended, or was last heard of (milliseconds since 1970). */
  at: number
  failure: StepFailure
  /** The model call that was running, if one was. */
  openCall?: StepFacts | null
}

/** Ends the running steps of a stored turn that no process runs. */
export function endStoredSteps(encoded: string | null, { at, failure, openCall = null }: Ending): string | null {
  const stored = decodeSteps(encoded)
  if (stored === null) return null
  if (openCall) {
    const step = stored.steps.findLast(({ type, ms }) => type === 'model' && ms === null)
    // The first call of a turn is not stored before it is made.
    if (step) Object.assign(step, openCall)
    else stored.steps.push({ type: 'model', at: lastEnd(stored.steps), ms: null, ...openCall })
  }
  endOpenSteps(stored.steps, at - stored.start, failure)
  return JSON.stringify(stored)
}

/** Ends the steps that run, parts first, and returns them. */
function endOpenSteps(steps: Step[], now: number, failure?: StepFailure): Step[] {
  const open = steps.filter(({ ms }) => ms === null).reverse()
  for (const step of open) Object.assign(step, { ms: Math.max(0, now - step.at), ...(failure && { failure }) })
  return open
}

const lastEnd = (steps: Step[]): number => steps.reduce((end, { at, ms }) => Math.max(end, at + (ms ?? 0)), 0)

/** Reduces an error to its code, because messages may quote data that the reader must not see. */
export function stepFailure(error: unknown): { failure: 'failed'; error: string } {
  if (error instanceof ProviderError) return { failure: 'failed', error: String(error.status ?? error.kind) }
  return { failure: 'failed', error: error instanceof Problem ? error.code : 'internal_error' }
}

/** The server at an address that is an http or https URL. */
export function serverFacts(endpoint: string | null): RemoteFacts {
  if (endpoint === null) return {}
  const { hostname, port, protocol } = new URL(endpoint)
  return { serverAddress: hostname, serverPort: Number(port) || (protocol === 'https:' ? 443 : 80) }
}
