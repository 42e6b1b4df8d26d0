import type { Schemas } from '@parley/client'
import { isoDay } from '../../ui/format.ts'
import { useListParams } from '../../ui/list.tsx'

export type ConversationAnalytics = Schemas['ConversationAnalytics']

export const intervals = ['hour', 'day', 'week'] as const
type Interval = (typeof intervals)[number]

const isDate = (text: string | undefined): text is string => /^\d{4}-\d{2}-\d{2}$/.test(text ?? '')

/** The period, filters and interval, kept in the URL. */
export function usePeriod() {
  const { search, change } = useListParams()
  const days = Number(search.days) || 30
  return {
    days: isDate(search.from) || isDate(search.to) ? null : days,
    start: isDate(search.from) ? search.from : isoDay(days - 1),
    end: isDate(search.to) ? search.to : isoDay(),
    agent: search.agent,
    user: search.user,
    interval: (intervals.find((each) => each === search.interval) ?? 'day') as Interval,
    withEvaluations: search.evaluations === 'yes',
    isCompared: search.compare === 'yes',
    change,
  }
}

export type Period = ReturnType<typeof usePeriod>

/** The days of the same number right before a period. */
export function periodBefore(start: string, end: string): { start: string; end: string } {
  const day = 86_400_000
  const length = Date.parse(end) - Date.parse(start) + day
  const shifted = (date: string) => new Date(Date.parse(date) - length).toISOString().slice(0, 10)
  return { start: shifted(start), end: shifted(end) }
}
