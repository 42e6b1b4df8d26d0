/**
 * Inference that stays valid however often one looks: normal-mixture confidence sequences (Robbins; in the asymptotic form of
 * Waudby-Smith et al. 2021) and the p-value of the mixture sequential probability ratio test that they invert.
 */

export interface Sample {
  n: number
  mean: number
  /** The variance of one value. */
  variance: number
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
const guarded = ({ n, mean, variance }: Sample): number =>
  Math.max(variance, Math.max(mean * mean, 1e-12) / (n + 1) / 4)

export function meanInterval(sample: Sample, alpha = 0.05): [number, number] | null {
  if (sample.n < 2) return null
  const variance = guarded(sample)
  return interval({ value: sample.mean, variance: variance / sample.n, prior: variance * mixture }, alpha)
}

export interface Comparison {
  difference: number
  ci95: [number, number]
  p_value: number
}

/** The mean of one sample less the mean of another. `comparisons` is how many are made together (Bonferroni). */
export function compare(sample: Sample, against: Sample, comparisons = 1): Comparison | null {
  if (sample.n < 2 || against.n < 2) return null
  const variances = [guarded(sample), guarded(against)] as const
  const estimate = {
    value: sample.mean - against.mean,
    variance: variances[0] / sample.n + variances[1] / against.n,
    prior: (variances[0] + variances[1]) * mixture,
  }
  return {
    difference: estimate.value,
    ci95: interval(estimate, 0.05 / comparisons),
    p_value: Math.min(1, pValue(estimate) * comparisons),
  }
}
