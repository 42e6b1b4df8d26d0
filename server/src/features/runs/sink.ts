import type { Pause } from '../../kernel/agent/approval.ts'
import type { TurnFacts } from '../../kernel/agent/steps.ts'
import type { Statement } from '../../kernel/store/commits.ts'
import type { Db } from '../../kernel/store/database.ts'
import type { Keeper } from '../usage/calls-under-way.ts'
import type { Price } from '../usage/cost.ts'
import type { MessageRow } from './reply.ts'
import type { Run } from './run.ts'
import type { PreparedRun } from './setup.ts'

/** Keeps the result of a run: adds its statements to the start, the progress and the end. */
export interface Sink {
  /** Nobody waits for the result, so a busy provider is waited for longer. */
  isUnattended?: boolean
  /** If the run is interrupted, another one repeats it. So it is billed once, at its end, and not at all if it was interrupted. */
  isRepeatable?: boolean
  /** Committed with the reservation of the first call. */
  start?(): Statement[]
  /** Lets the run wait for approval. Without it, calls that need approval are refused. */
  pause?(run: Run, pause: Pause): void
  /** Stores that another agent goes on with the reply, in one transaction with the bill of the agent before it. */
  handOff?(run: Run, handed: HandedOn): Statement[]
  /** Stores the end of the run, or that it waits, in one transaction with the bill. */
  end?(run: Run): Statement[]
  /** Publishes events in that transaction. */
  publish?(tx: Db): Promise<void>
  /** Stores the reply as far as it has come, while the run goes on. */
  progress?: Progress
  /** The reply as others have stored it, who have ended the run; undefined if they have deleted it. */
  stored?(): Promise<MessageRow | undefined>
  /** Called when nothing more is stored. */
  closed?(run: Run, how: 'stored' | 'ended by others' | 'failed'): void
}

/** The agent that goes on with a reply. */
export interface HandedOn {
  run: PreparedRun
  facts: TurnFacts
  prices: Map<string, Price | null>
  /** The usage of the reply so far. */
  usage: MessageRow['usage']
}

export interface Progress {
  /** Bills the calls of the run if its process ends. */
  readonly keeper: Keeper
  /** Whether the start of the run stores enough to bill its first model call, so that the call itself need not be stored. */
  readonly knowsFirstCall: boolean
  begin(run: Run): void
  /** Stores the reply with the changes of its meter. Fails with `Conflict` if others have ended the run. */
  storeCalls(run: Run): Promise<void>
  /** Waits for writes that are under way. */
  settle(run: Run): Promise<void>
}

/** Keeps nothing but the usage. */
export const keepNothing: Sink = {}
