/**
 * Inference that stays valid however often one looks: normal-mixture confidence sequences (Robbins; in the asymptotic form of
 * Waudby-Smith et al. 2021) and the p-value of the mixture sequential probability ratio test that they invert.
 */

export interface Sample {
  n: number
  mean: number
  /** The variance of one value. */
  variance: number
  /** The highest possible value, if there is one. The lowest is 0. */
  max?: number
}

/** Below this many values the normal approximation does not hold, and nothing is called significant. */
export const minValues = 50

/** The mixture is tightest around this many values of each variant. */
const tightestAt = 500
/** For intervals of 95 %: (2 ln(1/α) + ln(1 + 2 ln(1/α))) / tightestAt. */
const mixture = (2 * Math.log(20) + Math.log(1 + 2 * Math.log(20))) / tightestAt

/** An estimate with its variance, and the variance of the prior over which the test mixes. */
interface Estimate {
  value: number
  variance: number
  prior: number
}

/** The interval holds at all times together with probability 1 − alpha. */
function interval({ value, variance, prior }: Estimate, alpha: number): [number, number] {
  const ratio = (variance + prior) / variance
  const reach = Math.sqrt(((2 * variance * (variance + prior)) / prior) * Math.log(Math.sqrt(ratio) / alpha))
  return [value - reach, value + reach]
}

/** The inverse of the likelihood ratio of the mixture: under no difference it ever falls below α with probability α. */
function pValue({ value, variance, prior }: Estimate): number {
  const logRatio =
    0.5 * Math.log(variance / (variance + prior)) + (prior * value * value) / (2 * variance * (variance + prior))
  return Math.min(1, Math.exp(-logRatio))
}

/** Values that are all equal say nothing of their variance yet: one further value that differs is assumed. */
const guarded = ({ n, mean, variance, max = 0 }: Sample): number =>
  Math.max(variance, Math.max(mean, max - mean, 1e-6) ** 2 / (n + 1) / 4)

/** Rare values show late, so a sample without them underestimates its variance: further values at both ends are assumed. */
const assumedValues = 12

export function meanInterval(sample: Sample, alpha = 0.05): [number, number] | null {
  const { n, max = 0 } = sample
  if (n < 2) return null
  const variance = guarded(sample) + (assumedValues * (max / 2) ** 2) / n
  return interval({ value: sample.mean, variance: variance / sample.n, prior: variance * mixture }, alpha)
}

export interface Comparison {
  difference: number
  ci95: [number, number]
  p_value: number
}

/** The variance of one value where both samples have the same distribution. */
function pooledVariance(one: Sample, other: Sample): number {
  const n = one.n + other.n
  const mean = (one.n * one.mean + other.n * other.mean) / n
  const within = ((one.n - 1) * one.variance + (other.n - 1) * other.variance) / (n - 2)
  return guarded({ ...one, n, mean, variance: within })
}

/**
 * A small sample of rare values underestimates its own variance, which raises false alarms where weights are unequal, so
 * the variance of both together counts. The larger of both holds also where one sample varies more than the other.
 */
const differenceVariance = (one: Sample, other: Sample): number =>
  Math.max(pooledVariance(one, other) * (1 / one.n + 1 / other.n), guarded(one) / one.n + guarded(other) / other.n)

/** The mean of one sample less the mean of another. `comparisons` is how many are made together (Bonferroni). */
export function compare(sample: Sample, against: Sample, comparisons = 1): Comparison | null {
  if (sample.n < 2 || against.n < 2) return null
  const estimate = {
    value: sample.mean - against.mean,
    variance: differenceVariance(sample, against),
    prior: 2 * pooledVariance(sample, against) * mixture,
  }
  return {
    difference: estimate.value,
    ci95: interval(estimate, 0.05 / comparisons),
    p_value: Math.min(1, pValue(estimate) * comparisons),
  }
}
