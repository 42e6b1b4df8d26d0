import { invalid } from '../../../kernel/errors.ts'
import { fillDefaults } from '../../../kernel/http/validators.ts'
import type { EvaluationType, Scorer, ScorerType } from '../schema.ts'
import { jsonMatch } from './json.ts'
import { jsonSchema } from './json-schema.ts'
import { llmJudge } from './judge.ts'
import { cost, latency } from './limits.ts'
import { regex } from './regex.ts'
import type { ConfigLocation, ScorerKind } from './scorer.ts'
import { similarity } from './similarity.ts'
import { contains, exactMatch } from './text.ts'
import { retrievalHit, toolCalled } from './tools.ts'

export const scorerKinds: Record<ScorerType, ScorerKind> = {
  exact_match: exactMatch,
  contains,
  regex,
  json_match: jsonMatch,
  json_schema: jsonSchema,
  similarity,
  llm_judge: llmJudge,
  tool_called: toolCalled,
  retrieval_hit: retrievalHit,
  latency,
  cost,
}

/** A scorer with defaults applied. */
export interface SettledScorer {
  type: ScorerType
  threshold: number
  config: Record<string, unknown>
}

/** Validates the scorers of an evaluation and applies defaults. */
export async function settleScorers(
  scorers: Scorer[],
  type: EvaluationType,
  location: Omit<ConfigLocation, 'path'>,
): Promise<SettledScorer[]> {
  const settled: SettledScorer[] = []
  for (const [index, scorer] of scorers.entries()) {
    settled.push(await settle(scorer, type, { ...location, path: `scorers[${index}].config` }, index))
  }
  return settled
}

async function settle(
  scorer: Scorer,
  type: EvaluationType,
  location: ConfigLocation,
  index: number,
): Promise<SettledScorer> {
  const kind = scorerKinds[scorer.type]
  if (kind.supports && !kind.supports.includes(type)) {
    invalid(
      `scorers[${index}].type`,
      `is not available for evaluations of type ${type}, only for ${kind.supports.join(', ')}`,
    )
  }
  const config: Record<string, unknown> = structuredClone({ ...scorer.config })
  const wrong = fillDefaults(kind.config, config)
  const unknown = Object.keys(config).find((name) => !Object.hasOwn(kind.config.properties, name))
  if (unknown !== undefined) invalid(`${location.path}.${unknown}`, `is not an option of ${scorer.type}`)
  const missing = (kind.config.required ?? []).find((name) => config[name] === undefined)
  if (missing !== undefined) invalid(`${location.path}.${missing}`, 'is required')
  if (wrong) invalid(location.path + wrong.instancePath.replaceAll('/', '.'), wrong.message ?? 'is invalid')
  const kept = (await kind.check?.(config, location)) ?? config
  return { type: scorer.type, threshold: scorer.threshold ?? kind.defaultThreshold(kept), config: kept }
}

/** The scorers' names in results: their type, numbered if it occurs more than once. */
export function scorerLabels(scorers: { type: string }[]): string[] {
  const seen = new Map<string, number>()
  return scorers.map(({ type }) => {
    const times = (seen.get(type) ?? 0) + 1
    seen.set(type, times)
    return times === 1 ? type : `${type}_${times}`
  })
}
