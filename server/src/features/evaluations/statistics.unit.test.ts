import { describe, expect, it } from 'vitest'
import { type Compared, compare } from './results/comparison.ts'
import { holm, mcnemar, percentile, wilcoxon, wilson } from './statistics.ts'

// The expected values were worked out with SciPy 1.17 (binomtest, wilcoxon), those with ties by counting every outcome.
describe('statistics', () => {
  it.each([
    [0, 10, 0, 0.277532799862889],
    [7, 10, 0.396778147461145, 0.892208732593699],
    [10, 10, 0.722467200137111, 1],
    [1, 1, 0.206549314377237, 1],
    [950, 1000, 0.934686179755749, 0.961869737607251],
    [9999, 10_000, 0.999433731102599, 0.999982347326399],
  ])("Wilson's interval of %i in %i", (passed, total, low, high) => {
    const interval = wilson(passed, total)
    expect(interval?.[0]).toBeCloseTo(low, 12)
    expect(interval?.[1]).toBeCloseTo(high, 12)
  })

  it("Wilson's interval holds its own rate, however it is rounded", () => {
    for (let total = 1; total <= 300; total++) {
      for (const passed of [0, 1, total - 1, total]) {
        const [low, high] = wilson(passed, total) ?? [1, 0]
        expect([passed, total, low <= passed / total, high >= passed / total]).toEqual([passed, total, true, true])
      }
    }
    expect(wilson(10, 10)?.[1]).toBe(1)
  })

  it('has no interval of nothing', () => expect(wilson(0, 0)).toBeNull())

  it.each([
    [0, 0, 1],
    [1, 0, 1],
    [5, 0, 0.0625],
    [0, 6, 0.03125],
    [2, 9, 0.0654296875],
    [10, 10, 1],
    [30, 60, 0.0020602656809630745],
    [400, 500, 0.000956444136918938],
    [1000, 1200, 2.1817026407914204e-5],
  ])("McNemar's exact test of %i fixed and %i broken", (fixed, broken, p) => {
    expect(mcnemar(fixed, broken) / p).toBeCloseTo(1, 8)
    expect(mcnemar(broken, fixed)).toBe(mcnemar(fixed, broken))
  })

  const waves = (count: number, shift: number) =>
    Array.from({ length: count }, (_, i) => Math.sin((i + 1) * 1.7) + shift)
  it.each<[string, number[], number]>([
    ['nothing', [], 1],
    ['no difference', [0, 0, 0], 1],
    ['nine patients', [0.952, -0.147, 1.022, 0.43, 0.62, 0.59, 0.49, -0.08, 0.01], 0.0390625],
    ['thirty values', waves(30, 0.3).map((value) => Math.round(value * 1000) / 1000), 0.027741437777876854],
    ['few values with ties', [1, 1, 1, -1, 2, 2, -2, 3, 3, 0, 0], 0.125],
    ['many values', waves(200, 0.15), 0.0013065446234910853],
    ['many values with ties', Array.from({ length: 120 }, (_, i) => (((i + 1) * 7) % 5) - 1.5), 0.000526034477407693],
    ['all in one direction', Array.from({ length: 300 }, (_, i) => -0.4 - (i % 3) * 0.1), 2.451315492787961e-52],
  ])("Wilcoxon's signed-rank test of %s", (_, differences, p) => {
    expect(wilcoxon(differences) / p).toBeCloseTo(1, 6)
    expect(wilcoxon(differences.map((each) => -each))).toBeCloseTo(wilcoxon(differences), 12)
  })

  it('percentiles by nearest rank', () => {
    const values = Array.from({ length: 100 }, (_, index) => index + 1)
    expect([percentile(values, 0.5), percentile(values, 0.95), percentile([7], 0.95), percentile([], 0.5)]).toEqual([
      50,
      95,
      7,
      null,
    ])
  })

  it("Holm's correction", () => {
    expect(holm([0.01, 0.04, 0.03])).toEqual([0.03, 0.06, 0.06])
    expect(holm([0.9, 0.8])).toEqual([1, 1])
  })
})

describe('comparing two runs', () => {
  const done = (outcomes: string, score: (index: number) => number = () => 1): Compared[] =>
    [...outcomes].map((mark, position) => ({
      position,
      fingerprint: `case ${position}`,
      outcome: mark === 'p' ? 'passed' : mark === 'e' ? 'error' : 'failed',
      scores: mark === 'e' ? [] : [{ scorer: 'similarity', score: score(position), passed: mark === 'p' }],
    }))
  const between = (before: Compared[], after: Compared[]) => compare({ id: 'run_before', cases: before }, after)

  it('lists fixed and broken cases', () => {
    const view = between(done('ppffe'), done('pfpfp'))
    expect(view).toMatchObject({
      run_id: 'run_before',
      cases: { paired: 5, only_in_run: 0, only_in_baseline: 0 },
      fixed: 2,
      broken: 1,
      pass_rate: { before: 0.4, after: 0.6, p_value: 1, significant: false },
      verdict: 'passed',
    })
    expect(view.changed.map((each) => [each.case, each.change])).toEqual([
      [1, 'broken'],
      [2, 'fixed'],
      [4, 'fixed'],
    ])
  })

  it('fails on a significant loss of passes only', () => {
    expect(between(done('p'.repeat(10)), done('fffff'.padEnd(10, 'p'))).verdict).toBe('passed')
    expect(between(done('p'.repeat(10)), done('ffffff'.padEnd(10, 'p')))).toMatchObject({
      verdict: 'failed',
      regression: true,
    })
    expect(between(done('f'.repeat(10)), done('p'.repeat(10))).verdict).toBe('passed')
  })

  it('fails on falling scores even if every case passes', () => {
    const all = 'p'.repeat(20)
    const view = between(
      done(all, () => 0.9),
      done(all, (index) => 0.8 - index / 1000),
    )
    expect(view.scores.similarity).toMatchObject({ significant: true })
    expect(view.scores.similarity?.change).toBeCloseTo(-0.1095)
    expect(view.verdict).toBe('failed')
  })

  it('pairs cases by content, also moved, new, removed and duplicate ones', () => {
    const one = (fingerprint: string, position: number, mark = 'p'): Compared => ({
      ...(done(mark)[0] as Compared),
      fingerprint,
      position,
    })
    const view = between(
      [one('a', 0), one('b', 1), one('b', 2, 'f'), one('gone', 3)],
      [one('new', 0), one('b', 1), one('b', 2, 'p'), one('a', 3, 'f')],
    )
    expect(view.cases).toEqual({ paired: 3, only_in_run: 1, only_in_baseline: 1 })
    expect(view.changed).toEqual([
      { case: 2, baseline_case: 2, change: 'fixed' },
      { case: 3, baseline_case: 0, change: 'broken' },
    ])
  })
})
