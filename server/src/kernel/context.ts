import type { Parser, TokenCounter } from '@parley/documents'
import type { Embedding } from '@parley/embedding'
import type { SearchIndex } from '@parley/search'
import type { Preparation } from '@parley/search/preparation'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Egress } from './egress/egress.ts'
import type { Figures } from './figures/figures.ts'
import type { Files } from './files/files.ts'
import type { Metrics } from './http/metrics.ts'
import type { NewId } from './ids.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Timeouts } from './llm/exchange.ts'
import type { Log } from './log.ts'
import type { Secrets } from './secrets/secrets.ts'
import type { Store } from './store/database.ts'
import type { Clock } from './time.ts'

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
  figures: Figures
  parser: Parser<Preparation>
  tokens: TokenCounter
  embedding: Embedding
  search: SearchIndex
  /** How long a model's provider may be silent, where that is not the usual. */
  providerTimeouts: Partial<Timeouts>
  startedAt: number
  node: string
  version: string
  /** Who the tokens seen lately belong to; cleared whenever tokens or workspaces change. */
  callers: Map<string, KnownCaller>
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

export interface KnownCaller {
  caller: Caller
  /** Milliseconds, or null for a token that does not expire. */
  expiresAt: number | null
}
