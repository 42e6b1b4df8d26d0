import type { Static, TObject } from 'typebox'
import type { Caller, Context } from '../../../kernel/context.ts'
import { Problem } from '../../../kernel/errors.ts'
import { ProviderError } from '../../../kernel/llm/model.ts'
import type { Db } from '../../../kernel/store/database.ts'
import type { LedgerEntry } from '../runs/model-call.ts'
import type { EvaluationType } from '../schema.ts'

/** A passage that was found for an answer, best first. */
export interface Passage {
  content: string
  source: string
  document_id: string
  chunk_id: string
  page: number
}

interface SeenCall {
  tool_id: string | null
  name: string
  arguments: unknown
}

/** What there is to judge about one case. */
export interface Observation {
  input: string
  expected: string | null
  metadata: Record<string, unknown>
  output: string
  toolCalls: SeenCall[]
  passages: Passage[]
  latencyMs: number
  tokens: number
  costNano: number
}

/** What a scorer may use. */
export interface Bench {
  ctx: Context
  who: Caller
  evaluationId: string
  signal: AbortSignal
  /** Patterns that took too long in this run, and how often. */
  slowPatterns: Map<string, number>
  /** What the scoring itself cost, to be stored with the case. */
  charge(...entries: LedgerEntry[]): void
}

export interface Mark {
  /** From 0 to 1. */
  score: number
  reason?: string
}

/** Where a configuration is checked: a field's path, and what the workspace holds. */
export interface Place {
  db: Db
  who: Caller
  path: string
}

/** One way to score: its settings, and how it comes to a score. */
export interface ScorerKind<Config extends TObject = TObject> {
  config: Config
  /** The types of evaluation it makes sense for; left out: all. */
  suits?: readonly EvaluationType[]
  usualThreshold(config: Static<Config>): number
  /** Refuses settings that the shape alone cannot; may answer with the settings to keep instead. */
  check?(config: Static<Config>, place: Place): Promise<Static<Config>> | undefined
  score(config: Static<Config>, seen: Observation, bench: Bench): Promise<Mark> | Mark
}

export const scorerKind = <Config extends TObject>(kind: ScorerKind<Config>): ScorerKind =>
  kind as unknown as ScorerKind

/** A case that could not be scored or run; the message is for people. */
export class CaseError extends Error {}

/** What is the case's fault becomes its error; anything else is the run's trouble. */
export function inWords(error: unknown): string {
  if (error instanceof CaseError || error instanceof Problem || error instanceof ProviderError) return error.message
  throw error
}

export const nothingExpected: Mark = { score: 0, reason: 'The case has no expected_output to compare with.' }

export const yesOrNo = (yes: boolean, reason: string): Mark => (yes ? { score: 1 } : { score: 0, reason })

/** The beginning of a text, for a reason. */
export const quoted = (text: string): string =>
  text.length <= 80 ? `"${text}"` : `"${text.slice(0, 80).toWellFormed()}…"`
