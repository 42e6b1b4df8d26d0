import type { Parser, TokenCounter } from '@parley/documents'
import type { Embedding } from '@parley/embedding'
import type { SearchIndex } from '@parley/search'
import type { Preparation } from '@parley/search/preparation'
import type { Logger } from 'pino'
import type { Toolbox } from './agent/tools.ts'
import type { Config } from './config.ts'
import type { Egress } from './egress/egress.ts'
import type { Events } from './events.ts'
import type { Files } from './files/files.ts'
import type { Metrics } from './http/metrics.ts'
import type { NewId } from './ids.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { ProviderPool } from './llm/http.ts'
import type { Log } from './log.ts'
import type { Retained } from './retention.ts'
import type { Secrets } from './secrets/secrets.ts'
import type { Statistics } from './statistics/statistics.ts'
import type { Db } from './store/database.ts'
import type { Store } from './store/open-store.ts'
import type { ResourceKinds } from './store/references.ts'
import type { Clock } from './time.ts'

/** The in-memory state of the features, each declared by its feature under its name (`declare module` adds to this interface). */
// biome-ignore lint/suspicious/noEmptyInterface: features add their state to it
export interface FeatureState {}

/** What a service needs from the world. Everything that tests want to hold still comes in through here. */
export interface Context extends Store {
  config: Config
  now: Clock
  newId: NewId
  log: Logger
  logRequest: Log['logRequest']
  secrets: Secrets
  jobs: Jobs
  metrics: Metrics
  egress: Egress
  files: Files
  statistics: Statistics
  parser: Parser<Preparation>
  tokens: TokenCounter
  embedding: Embedding
  search: SearchIndex
  providers: ProviderPool
  events: Events
  /** What the features contribute, composed by `app.ts`. */
  toolboxes: readonly Toolbox[]
  retention: readonly Retained[]
  resources: ResourceKinds
  workspaceCreated(tx: Db, workspace: string): Promise<void>
  state: FeatureState
  startedAt: number
  node: string
  version: string
}

export const roles = ['viewer', 'user', 'editor', 'admin', 'owner'] as const
export type Role = (typeof roles)[number]

/** Who is asking: a token opens exactly one workspace, with one role. */
export interface Caller {
  workspace: string
  role: Role
  /** The token's id, or the identity of an OIDC subject. */
  token: string
  userId: string | null
  rateLimit: number | null
  /** What the token is called. */
  name?: string | null
  /** The request it asks by; not there where the service acts by itself. */
  requestId?: string
  /** Whether something was noted in the audit for this request. */
  audited?: boolean
}
