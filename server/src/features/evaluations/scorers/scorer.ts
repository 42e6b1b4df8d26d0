import type { Static, TObject } from 'typebox'
import type { Caller, Context } from '../../../kernel/context.ts'
import { Problem } from '../../../kernel/errors.ts'
import { ProviderError } from '../../../kernel/llm/model.ts'
import type { Db } from '../../../kernel/store/database.ts'
import type { Purpose } from '../../usage/ledger.ts'
import type { EvaluationType } from '../schema.ts'

export interface Passage {
  content: string
  source: string
  document_id: string
  chunk_id: string
  page: number
}

interface ObservedCall {
  tool_id: string | null
  name: string
  arguments: unknown
}

/** The input of all scorers: a case and the answer to it. */
export interface Observation {
  input: string
  expected: string | null
  metadata: Record<string, unknown>
  output: string
  toolCalls: ObservedCall[]
  passages: Passage[]
  latencyMs: number
  tokens: number
  costNano: number
}

export interface ScoringContext {
  ctx: Context
  /** The caller. Their tab collects the scorer's own costs until they are stored. */
  who: Caller
  signal: AbortSignal
  /** The ledger bills the scorer's calls to these entities and to the caller. */
  purpose?: Purpose
  /** How often each pattern timed out in this run. */
  slowPatterns: Map<string, number>
}

export interface Mark {
  /** From 0 to 1. */
  score: number
  reason?: string
}

/** Where a configuration is validated. */
export interface ConfigLocation {
  db: Db
  who: Caller
  path: string
}

/** A type of scorer: its configuration and its scoring function. */
export interface ScorerKind<Config extends TObject = TObject> {
  config: Config
  /** The evaluation types it supports. Default: all. */
  supports?: readonly EvaluationType[]
  defaultThreshold(config: Static<Config>): number
  /** Whether it compares with the expected output of a case, which replies to people do not have. */
  needsExpected?(config: Static<Config>): boolean
  /** Validates what the schema cannot express. May return a changed configuration. */
  check?(config: Static<Config>, location: ConfigLocation): Promise<Static<Config>> | undefined
  score(config: Static<Config>, seen: Observation, scoring: ScoringContext): Promise<Mark> | Mark
}

export const scorerKind = <Config extends TObject>(kind: ScorerKind<Config>): ScorerKind =>
  kind as unknown as ScorerKind

/** A case that could not be run or scored. */
export class CaseError extends Error {}

/** The message of an expected failure. Other errors are thrown again and interrupt the run. */
export function errorMessage(error: unknown): string {
  if (error instanceof CaseError || error instanceof Problem || error instanceof ProviderError) return error.message
  throw error
}

export const nothingExpected: Mark = { score: 0, reason: 'The case has no expected_output.' }

export const passOrFail = (passed: boolean, reason: string): Mark => (passed ? { score: 1 } : { score: 0, reason })

/** The start of a text in quotes. */
export const quoted = (text: string): string =>
  text.length <= 80 ? `"${text}"` : `"${text.slice(0, 80).toWellFormed()}…"`
