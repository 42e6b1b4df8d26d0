import { dayRange } from '../../kernel/dates.ts'
import { invalid } from '../../kernel/errors.ts'
import { day, hour, timestamp } from '../../kernel/time.ts'
import type { AnalyticsQuery } from './schema.ts'

export interface Period {
  start_date: string
  end_date: string
  interval: AnalyticsQuery['interval']
}

const defaultDays = 30
const maxSteps = 10_000
const stepMilliseconds = { hour, day, week: 7 * day }

const toDay = (time: number): string => timestamp(time).slice(0, 10)

/** Both days are inclusive. */
export function parsePeriod(query: AnalyticsQuery, now: number): Period {
  const { start, end } = dayRange(query)
  const end_date = end ?? latest(toDay(now), start)
  const start_date = start ?? toDay(Date.parse(end_date) - (defaultDays - 1) * day)
  const steps = (Date.parse(end_date) + day - Date.parse(start_date)) / stepMilliseconds[query.interval]
  if (steps > maxSteps) invalid('interval', `is too short for this period: it would have more than ${maxSteps} steps`)
  return { start_date, end_date, interval: query.interval }
}

const latest = (one: string, other: string | undefined): string => (other !== undefined && other > one ? other : one)

/** The start of the step that contains a day (2026-01-31) or an hour (2026-01-31T12). */
export function stepStart(at: string, interval: Period['interval']): string {
  if (interval === 'hour') return `${at}:00:00Z`
  const date = at.slice(0, 10)
  if (interval === 'day') return `${date}T00:00:00Z`
  const time = Date.parse(date)
  const sinceMonday = (new Date(time).getUTCDay() + 6) % 7
  return timestamp(time - sinceMonday * day)
}

export function periodSteps({ start_date, end_date, interval }: Period): string[] {
  const steps: string[] = []
  const end = Date.parse(end_date) + day
  for (let at = Date.parse(stepStart(`${start_date}T00`, interval)); at < end; at += stepMilliseconds[interval])
    steps.push(timestamp(at))
  return steps
}
