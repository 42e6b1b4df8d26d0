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

const skewedMean = Math.exp(7 + 0.6 ** 2 / 2)

interface Simulation {
  draw: Draw
  control?: Draw
  variants?: number
  /** Conversations of the control for each of a variant. */
  weight?: number
  /** Conversations of each variant other than the control. */
  pairs?: number
}

/** The share of experiments that are ever called significant, looked at after every tenth conversation of each variant. */
function alarms(experiments: number, simulation: Simulation): number {
  const { draw, control: drawControl = draw, variants = 2, weight = 1, pairs = 2000 } = simulation
  const random = randomSource(20_260_118)
  let alarmed = 0
  for (let experiment = 0; experiment < experiments; experiment++) {
    const samples = Array.from({ length: variants }, () => new Running())
    const [control, ...others] = samples as [Running, ...Running[]]
    for (let pair = 1; pair <= pairs; pair++) {
      for (let n = 0; n < weight; n++) control.add(drawControl(random))
      for (const sample of others) sample.add(draw(random))
      if (pair % 10 > 0 || pair < minValues) continue
      const isFound = others.some((sample) => Number(compare(sample, control, others.length)?.p_value) < 0.05)
      if (!isFound) continue
      alarmed++
      break
    }
  }
  return alarmed / experiments
}

it.each<Simulation & { values: string }>([
  { values: 'mostly thumbs up', draw: rated(0.85) },
  { values: 'few failures', draw: rated(0.97) },
  { values: 'durations', draw: skewed },
  { values: 'five variants', draw: rated(0.6), variants: 5 },
])('1,000 experiments without a difference raise fewer than 5 % false alarms: $values', (simulation) => {
  expect(alarms(1000, simulation)).toBeLessThan(0.05)
})

it.each<Simulation & { values: string }>([
  { values: 'few failures, 4 : 1', draw: rated(0.97), weight: 4 },
  { values: 'rare, 4 : 1', draw: rated(0.03), weight: 4 },
  { values: 'rare, 9 : 1', draw: rated(0.01), weight: 9 },
  { values: 'durations, 9 : 1', draw: skewed, weight: 9 },
  { values: 'rare, 49 : 1', draw: rated(0.01), weight: 49, pairs: 300 },
  { values: 'the small variant varies more, 4 : 1', draw: skewed, control: () => skewedMean, weight: 4 },
])('unequal weights raise no more false alarms: $values', (simulation) => {
  expect(alarms(250, { pairs: 600, ...simulation })).toBeLessThan(0.05)
})

it('finds a real difference', () => {
  expect(alarms(200, { draw: rated(0.8), control: rated(0.7) })).toBeGreaterThan(0.95)
})

it('its interval excludes zero exactly if the difference is significant', () => {
  for (const mean of [0.5, 0.55, 0.6, 0.65, 0.7, 0.8]) {
    const found = compare({ n: 300, mean, variance: 0.24 }, { n: 300, mean: 0.5, variance: 0.25 })
    const excludesZero = Number(found?.ci95[0]) > 0
    expect(excludesZero).toBe(Number(found?.p_value) < 0.05)
  }
  expect(compare({ n: 1, mean: 1, variance: 0 }, { n: 300, mean: 0.5, variance: 0.25 })).toBeNull()
})

it.each([0.8, 0.97, 0.01])('the interval of a mean contains it at all times in most experiments: %s', (rate) => {
  const random = randomSource(7)
  let missed = 0
  for (let experiment = 0; experiment < 400; experiment++) {
    const sample = Object.assign(new Running(), { max: 1 })
    for (let n = 1; n <= 1000; n++) {
      sample.add(rated(rate)(random))
      const [low = 0, high = 1] = n < minValues || n % 10 > 0 ? [] : (meanInterval(sample) ?? [])
      if (low <= rate && high >= rate) continue
      missed++
      break
    }
  }
  expect(missed / 400).toBeLessThan(0.05)
})
