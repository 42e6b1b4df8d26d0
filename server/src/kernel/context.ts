import type { Parser, TokenCounter } from '@parley/documents'
import type { Embedding } from '@parley/embedding'
import type { Preparation } from '@parley/search/preparation'
import type { Tables } from '@parley/tables'
import type { Logger } from 'pino'
import type { AgentTool, ToolTraits } from './agent/agent-tool.ts'
import type { AuditLog } from './audit.ts'
import type { Caller } from './caller.ts'
import type { Config } from './config.ts'
import type { Egress } from './egress/egress.ts'
import type { Events } from './events.ts'
import type { Files } from './files/files.ts'
import type { Metrics } from './http/metrics.ts'
import type { RateLimit } from './http/rate-limit.ts'
import type { NewId } from './ids.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { ProviderPool } from './llm/http.ts'
import type { Log } from './log.ts'
import type { People } from './people.ts'
import type { ErasedPerson, ExportedFile, ListsOfUsers, Person, PersonalTable } from './personal-data.ts'
import type { Search } from './search.ts'
import type { Secrets } from './secrets/secrets.ts'
import type { Db } from './store/database.ts'
import type { Nodes } from './store/nodes.ts'
import type { Store } from './store/open-store.ts'
import type { ResourceKind } from './store/references.ts'
import type { Signals } from './store/signals.ts'
import type { Telemetry } from './telemetry/telemetry.ts'
import type { Clock } from './time.ts'

export { type Caller, type Role, roles, type Scope, scopes } from './caller.ts'

/** Turns the resources of a feature into tools. */
export interface Toolbox {
  /** The prefix of the ids of its resources. */
  prefix: string
  tools(ctx: Context, who: Caller, ids: string[]): Promise<AgentTool[]>
  /** The ids of all its tools in the caller's workspace; by default, those of all its resources. */
  all?(ctx: Context, who: Caller): Promise<string[]>
  /** Makes a tool from its `pin`. */
  pinned?(ctx: Context, who: Caller, pin: unknown): Promise<AgentTool>
  /** The traits of tools that differ from the default of their kind. */
  traits?(ctx: Context, who: Caller, ids: string[]): Promise<ReadonlyMap<string, ToolTraits>>
}

/** Scores of replies to real people, which experiments can use as a metric. */
export interface ScoreSource {
  /** How many scorers of this name score replies of the agent. */
  count(ctx: Context, workspace: string, agentId: string, scorer: string): Promise<number>
  /** The mean score of each conversation in a period, including both timestamps, by the first of these scorers. */
  values(
    ctx: Context,
    workspace: string,
    agentId: string,
    scorer: string,
    period: { from: string; to: string },
  ): Promise<ReadonlyMap<string, number>>
}

/** A kind of resource that others can reference. */
export interface Resource extends ResourceKind {
  /** Agents that it references read text that strangers may have written. */
  bringsUntrusted?: true
  /** The ids of the resources that the caller may not see. */
  unseen?(ctx: Context, who: Caller): Promise<string[]>
}

/** Data that is deleted after RETENTION_DAYS. */
export interface Retained {
  what: string
  /** Deletes one batch of rows older than `before` (milliseconds) and returns their number. */
  remove(ctx: Context, before: number): Promise<number>
}

/** Personal data that a declaration cannot describe. */
export interface PersonalFunctions {
  files?(ctx: Context, person: Person): AsyncIterable<ExportedFile>
  /**
   * Erases one batch and returns whether there was anything to erase. It is called until there is nothing left, and again
   * after a crash.
   */
  erase?(ctx: Context, person: ErasedPerson): Promise<boolean>
  /** Removes remains of deleted rows from the database files. Called after everything is erased. */
  compact?(ctx: Context, signal: AbortSignal): Promise<void>
}

/** Personal data of a feature, for exports and erasure. Declare it if possible. */
export type PersonalData = PersonalTable | ListsOfUsers | PersonalFunctions

/** The in-memory state of the features, each declared by its feature under its name (`declare module` adds to this interface). */
// biome-ignore lint/suspicious/noEmptyInterface: features add their state to it
export interface FeatureState {}

/** Everything that services depend on. Tests replace parts of it. */
export interface Context extends Store {
  config: Config
  now: Clock
  newId: NewId
  /** From 0 to 1, for jitter. Not for secrets. */
  random(): number
  log: Logger
  logRequest: Log['logRequest']
  secrets: Secrets
  audit: AuditLog
  people: People
  limiter: RateLimit
  jobs: Jobs
  metrics: Metrics
  telemetry: Telemetry
  egress: Egress
  files: Files
  parser: Parser<Preparation>
  tokens: TokenCounter
  embedding: Embedding
  tables: Tables
  search: Search
  providers: ProviderPool
  events: Events
  /** Contributions of the features, composed by `app.ts`. */
  toolboxes: readonly Toolbox[]
  scoreSources: readonly ScoreSource[]
  retention: readonly Retained[]
  personalData: readonly PersonalData[]
  /** By ID prefix. */
  resources: ReadonlyMap<string, Resource>
  workspaceCreated(tx: Db, workspace: string): Promise<void>
  state: FeatureState
  startedAt: number
  node: string
  nodes: Nodes
  signals: Signals
  version: string
}
