import { expect, it } from 'vitest'
import { compare, meanInterval, minValues, type Sample } from './sequential.ts'

/** Mulberry32: the same numbers in every run. */
function randomSource(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
}

class Running implements Sample {
  n = 0
  mean = 0
  #squares = 0
  add(value: number): void {
    const before = value - this.mean
    this.n++
    this.mean += before / this.n
    this.#squares += before * (value - this.mean)
  }
  get variance(): number {
    return this.n < 2 ? 0 : this.#squares / (this.n - 1)
  }
}

type Draw = (random: () => number) => number
const rated =
  (rate: number): Draw =>
  (random) =>
    random() < rate ? 1 : 0
/** Like latency: most are short, some very long. */
const skewed: Draw = (random) =>
  Math.exp(7 + 0.6 * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()))

/** The share of experiments that are ever called significant, looked at after every tenth conversation of each variant. */
function alarms(experiments: number, pairs: number, one: Draw, other: Draw, variants = 2): number {
  const random = randomSource(20_260_118)
  let alarmed = 0
  for (let experiment = 0; experiment < experiments; experiment++) {
    const samples = Array.from({ length: variants }, () => new Running())
    const [control, ...others] = samples as [Running, ...Running[]]
    for (let pair = 1; pair <= pairs; pair++) {
      control.add(one(random))
      for (const sample of others) sample.add(other(random))
      if (pair % 10 > 0 || pair < minValues) continue
      const isFound = others.some((sample) => Number(compare(sample, control, others.length)?.p_value) < 0.05)
      if (!isFound) continue
      alarmed++
      break
    }
  }
  return alarmed / experiments
}

it.each([
  { values: 'mostly thumbs up', draw: rated(0.85), variants: 2 },
  { values: 'few failures', draw: rated(0.97), variants: 2 },
  { values: 'durations', draw: skewed, variants: 2 },
  { values: 'five variants', draw: rated(0.6), variants: 5 },
])('1,000 experiments without a difference raise fewer than 5 % false alarms: $values', ({ draw, variants }) => {
  expect(alarms(1000, 2000, draw, draw, variants)).toBeLessThan(0.05)
})

it('finds a real difference', () => {
  expect(alarms(200, 2000, rated(0.7), rated(0.8))).toBeGreaterThan(0.95)
})

it('its interval excludes zero exactly if the difference is significant', () => {
  for (const mean of [0.5, 0.55, 0.6, 0.65, 0.7, 0.8]) {
    const found = compare({ n: 300, mean, variance: 0.24 }, { n: 300, mean: 0.5, variance: 0.25 })
    const excludesZero = Number(found?.ci95[0]) > 0
    expect(excludesZero).toBe(Number(found?.p_value) < 0.05)
  }
  expect(compare({ n: 1, mean: 1, variance: 0 }, { n: 300, mean: 0.5, variance: 0.25 })).toBeNull()
})

it('the interval of a mean contains it at all times in at least 95 % of all experiments', () => {
  const random = randomSource(7)
  let missed = 0
  for (let experiment = 0; experiment < 400; experiment++) {
    const sample = new Running()
    for (let n = 1; n <= 1000; n++) {
      sample.add(rated(0.8)(random))
      const [low = 0, high = 1] = n < minValues || n % 10 > 0 ? [] : (meanInterval(sample) ?? [])
      if (low <= 0.8 && high >= 0.8) continue
      missed++
      break
    }
  }
  expect(missed / 400).toBeLessThan(0.05)
})
