import type { Schemas } from '@parley/client'
import { usePeriod as useDates } from '../../parts/period.tsx'

export type ConversationAnalytics = Schemas['ConversationAnalytics']

export const intervals = ['hour', 'day', 'week'] as const
type Interval = (typeof intervals)[number]

/** The period, filters and interval, kept in the URL. */
export function usePeriod() {
  const dates = useDates()
  const { agent, user, interval, evaluations } = dates.search
  return {
    ...dates,
    agent,
    user,
    interval: (intervals.find((each) => each === interval) ?? 'day') as Interval,
    withEvaluations: evaluations === 'yes',
  }
}

export type Period = ReturnType<typeof usePeriod>
