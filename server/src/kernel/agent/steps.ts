import { Problem } from '../errors.ts'
import { type FinishReason, ProviderError, type TokenUsage } from '../llm/model.ts'

/**
 * agent:     the agent, its prompt and its tools are loaded
 * history:   the messages that fit the model are chosen
 * model:     one request to a language model, with its retries
 * tool:      a call of an API tool or of a tool of an MCP server
 * retrieval: a call of a RAG or retrieval tool, with `embedding`, `search` and `rerank` as parts
 * approval:  calls wait for a decision
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

/** How a step ended, if not well. */
export type StepFailure = 'failed' | 'refused' | 'cancelled' | 'interrupted'

export interface StepFacts {
  /** The provider's name of the model, or what the model calls the tool. */
  name?: string
  provider?: string
  modelId?: string
  usage?: TokenUsage
  estimated?: boolean
  /** Nano-dollars. */
  cost?: number
  /** Milliseconds from the start of the step to the first text. */
  firstText?: number
  finishReason?: FinishReason
  /** Requests to the provider, if more than one. */
  attempts?: number
  toolCallId?: string
  toolId?: string | null
  /** Calls that wait for a decision. */
  toolCallIds?: string[]
  /** Passages that were found. */
  results?: number
  /** Messages of the history that are sent, and older ones that are not. */
  messages?: number
  omitted?: number
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

/** A step that runs. */
export interface RunningStep {
  /** Starts a part of this step. */
  part(type: StepType, facts?: StepFacts): RunningStep
  /** Adds facts that are known before the end. */
  note(facts: StepFacts): void
  end(facts?: StepFacts): void
  /** Milliseconds since it started. */
  elapsed(): number
}

interface StoredSteps {
  start: number
  steps: Step[]
}

/** Records what a turn does, once: its stored trace, its spans and its metrics are made from these steps. */
export class Steps {
  /** When the turn started (milliseconds since 1970). */
  readonly startedAt: number
  readonly list: Step[]
  /** What the steps are relative to, by the clock of `performance`. */
  readonly #zero: number

  constructor(now: number, stored: StoredSteps = { start: now, steps: [] }) {
    this.startedAt = stored.start
    this.list = stored.steps
    this.#zero = performance.now() - Math.max(now - stored.start, endOf(stored.steps))
  }

  /** Goes on with the steps of a turn that was stored. */
  static resume(encoded: string | null, now: number): Steps {
    const steps = encoded === null ? new Steps(now) : new Steps(now, JSON.parse(encoded) as StoredSteps)
    steps.endOpen()
    return steps
  }

  start(type: StepType, facts: StepFacts = {}, parent?: number): RunningStep {
    const step: Step = { type, at: this.#now(), ms: null, ...(parent !== undefined && { parent }), ...facts }
    const position = this.list.push(step) - 1
    return {
      part: (partType, partFacts) => this.start(partType, partFacts, position),
      note: (more) => void Object.assign(step, more),
      end: (more) => {
        if (step.ms !== null) return
        const now = this.#now()
        Object.assign(step, more, { ms: now - step.at })
        // A part that failed may not have been ended.
        endOpenSteps(
          this.list.filter(({ parent }) => parent === position),
          now,
          'failed',
        )
      },
      elapsed: () => this.#now() - step.at,
    }
  }

  /** Runs something as a step. */
  async run<T>(type: StepType, work: (step: RunningStep) => Promise<T>): Promise<T> {
    const step = this.start(type)
    try {
      const result = await work(step)
      step.end()
      return result
    } catch (error) {
      step.end({ failure: 'failed' })
      throw error
    }
  }

  /** Ends what still runs. */
  endOpen(failure?: StepFailure): void {
    endOpenSteps(this.list, this.#now(), failure)
  }

  encode(): string {
    return JSON.stringify({ start: this.startedAt, steps: this.list } satisfies StoredSteps)
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
    else stored.steps.push({ type: 'model', at: endOf(stored.steps), ms: null, ...openCall })
  }
  endOpenSteps(stored.steps, at - stored.start, failure)
  return JSON.stringify(stored)
}

function endOpenSteps(steps: Step[], now: number, failure: StepFailure | undefined): void {
  for (const step of steps) {
    if (step.ms === null) Object.assign(step, { ms: Math.max(0, now - step.at), ...(failure && { failure }) })
  }
}

const endOf = (steps: Step[]): number => steps.reduce((end, { at, ms }) => Math.max(end, at + (ms ?? 0)), 0)

/** What a step says about an error. Messages may quote what a reader must not see. */
export function failureOf(error: unknown): Pick<StepFacts, 'failure' | 'error'> {
  if (error instanceof ProviderError) return { failure: 'failed', error: String(error.status ?? error.kind) }
  return { failure: 'failed', error: error instanceof Problem ? error.code : 'internal_error' }
}
