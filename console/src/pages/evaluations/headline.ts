import { count } from '../../ui/format.ts'
import type { Comparison } from './draft.ts'
import { scorerLabel } from './scorer-label.ts'

interface Headline {
  text: string
  /** Nothing if nothing changed. */
  tone?: 'good' | 'warn' | 'bad'
}

/** Sums up the difference between two runs. It is never good if a case broke, even if that may be chance. */
export function headline({ cases, broken, fixed, pass_rate: rate, scores, regression }: Comparison): Headline {
  if (cases.paired === 0) return { text: 'The runs have no cases in common.' }
  const of = (changed: number) => `${count(changed)} of ${count(cases.paired)}`
  const changes =
    broken > 0 && fixed > 0
      ? `${of(broken)} broke and ${count(fixed)} ${fixed === 1 ? 'was' : 'were'} fixed`
      : broken > 0
        ? `${of(broken)} broke`
        : fixed > 0
          ? `${of(fixed)} ${fixed === 1 ? 'was' : 'were'} fixed`
          : 'No case broke or was fixed'
  const changed = (direction: 1 | -1) =>
    Object.entries(scores)
      .filter(([, { significant, change }]) => significant && change * direction > 0)
      .map(([scorer]) => scorerLabel(scorer))
  const worse = changed(-1)
  const better = changed(1)
  const ofScores = [
    worse.length > 0 && ` Lower scores: ${worse.join(', ')}.`,
    better.length > 0 && ` Higher scores: ${better.join(', ')}.`,
  ]
  const isUncertain = broken + fixed > 0 && !rate.significant
  const certainty = isUncertain ? '; too few cases to be certain.' : '.'
  const isBetter = broken === 0 && (fixed > 0 || better.length > 0)
  return {
    text: [`${changes}${certainty}`, ...ofScores].filter(Boolean).join(''),
    ...(regression
      ? { tone: 'bad' }
      : broken > 0
        ? { tone: 'warn' }
        : isBetter && { tone: isUncertain && better.length === 0 ? 'warn' : 'good' }),
  }
}
