import { Default, Errors } from 'typebox/value'
import { invalid } from '../../../kernel/errors.ts'
import type { EvaluationType, Scorer } from '../schema.ts'
import { kinds } from './kinds.ts'
import type { ScorerName } from './names.ts'
import type { Place } from './scorer.ts'

/** A scorer with everything filled in. */
export interface SettledScorer {
  type: ScorerName
  threshold: number
  config: Record<string, unknown>
}

/** Checks the scorers of an evaluation and fills in what was left out. */
export async function settleScorers(
  given: Scorer[],
  type: EvaluationType,
  place: Omit<Place, 'path'>,
): Promise<SettledScorer[]> {
  const settled: SettledScorer[] = []
  for (const [index, scorer] of given.entries()) {
    settled.push(await settle(scorer, type, { ...place, path: `scorers[${index}].config` }, index))
  }
  return settled
}

async function settle(scorer: Scorer, type: EvaluationType, place: Place, index: number): Promise<SettledScorer> {
  const kind = kinds[scorer.type]
  if (kind.suits && !kind.suits.includes(type)) {
    invalid(`scorers[${index}].type`, `does not suit an evaluation of type ${type}, only ${kind.suits.join(', ')}`)
  }
  const config = Default(kind.config, { ...scorer.config }) as Record<string, unknown>
  const unknown = Object.keys(config).find((name) => !Object.hasOwn(kind.config.properties, name))
  if (unknown !== undefined) invalid(`${place.path}.${unknown}`, `is not a setting of ${scorer.type}`)
  const missing = (kind.config.required ?? []).find((name) => config[name] === undefined)
  if (missing !== undefined) invalid(`${place.path}.${missing}`, 'is required')
  const [wrong] = Errors(kind.config, config)
  if (wrong) invalid(place.path + wrong.instancePath.replaceAll('/', '.'), wrong.message)
  const kept = (await kind.check?.(config, place)) ?? config
  return { type: scorer.type, threshold: scorer.threshold ?? kind.usualThreshold(kept), config: kept }
}

/** What the scorers are called in results: by their type, numbered where one comes twice. */
export function scorerLabels(scorers: { type: string }[]): string[] {
  const seen = new Map<string, number>()
  return scorers.map(({ type }) => {
    const times = (seen.get(type) ?? 0) + 1
    seen.set(type, times)
    return times === 1 ? type : `${type}_${times}`
  })
}
