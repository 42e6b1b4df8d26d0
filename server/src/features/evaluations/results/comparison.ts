import type { CaseOutcome } from '../runs/store.ts'
import type { Comparison } from '../schema.ts'
import { holm, mcnemar, mean, wilcoxon } from '../statistics.ts'

/** The result of a case, with its fingerprint. */
export interface Compared extends Pick<CaseOutcome, 'position' | 'outcome' | 'scores'> {
  fingerprint: string
}

interface Pair {
  before: Compared
  after: Compared
}

const significance = 0.05
const maxChanged = 1000

/** Pairs cases with the same fingerprint, whatever their positions. Duplicates are paired in order. */
function pairCases(before: Compared[], after: Compared[]): Pair[] {
  const known = new Map<string, Compared[]>()
  for (const each of before) {
    const same = known.get(each.fingerprint)
    if (same) same.push(each)
    else known.set(each.fingerprint, [each])
  }
  for (const same of known.values()) same.reverse()
  return after.flatMap((each) => {
    const partner = known.get(each.fingerprint)?.pop()
    return partner ? [{ before: partner, after: each }] : []
  })
}

type WithoutInputs = Omit<Comparison, 'changed'> & { changed: Omit<Comparison['changed'][number], 'input'>[] }

export function compare(baseline: { id: string; cases: Compared[] }, cases: Compared[]): WithoutInputs {
  const pairs = pairCases(baseline.cases, cases)
  const passes = ({ outcome }: Compared) => outcome === 'passed'
  const changed = pairs.filter(({ before, after }) => passes(before) !== passes(after))
  const broken = changed.filter(({ before }) => passes(before)).length
  const fixed = changed.length - broken
  const rate = (of: keyof Pair) => mean(pairs.map((pair) => Number(passes(pair[of]))))
  const passRate = toDifference(rate('before'), rate('after'), mcnemar(fixed, broken))
  const scores = compareScores(pairs)
  const regression = [passRate, ...Object.values(scores)].some(({ change, significant }) => significant && change < 0)
  return {
    run_id: baseline.id,
    cases: {
      paired: pairs.length,
      only_in_run: cases.length - pairs.length,
      only_in_baseline: baseline.cases.length - pairs.length,
    },
    pass_rate: passRate,
    fixed,
    broken,
    scores,
    regression,
    verdict: regression ? 'failed' : 'passed',
    changed: changed.slice(0, maxChanged).map(({ before, after }) => ({
      case: after.position,
      baseline_case: before.position,
      change: passes(after) ? 'fixed' : 'broken',
    })),
  }
}

const toDifference = (before: number, after: number, p: number) => ({
  before,
  after,
  change: after - before,
  p_value: p,
  significant: p < significance,
})

/** Compares each scorer over the cases that have its score in both runs. */
function compareScores(pairs: Pair[]): Comparison['scores'] {
  const byScorer = new Map<string, [number, number][]>()
  for (const { before, after } of pairs) {
    for (const { scorer, score } of after.scores) {
      const earlier = before.scores.find((each) => each.scorer === scorer)
      if (!earlier) continue
      const values = byScorer.get(scorer) ?? []
      values.push([earlier.score, score])
      byScorer.set(scorer, values)
    }
  }
  const names = [...byScorer.keys()]
  const values = [...byScorer.values()]
  const corrected = holm(values.map((each) => wilcoxon(each.map(([before, after]) => after - before))))
  return Object.fromEntries(
    names.map((name, index) => {
      const [before, after] = [0, 1].map((side) => mean((values[index] ?? []).map((pair) => pair[side] ?? 0)))
      return [name, toDifference(before ?? 0, after ?? 0, corrected[index] ?? 1)]
    }),
  )
}
