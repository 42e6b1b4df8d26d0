import { Cron } from 'croner'
import cronstrue from 'cronstrue'
import { invalid } from '../../../kernel/errors.ts'
import { timestamp } from '../../../kernel/time.ts'

export interface Times {
  cron: string | null
  at: string | null
  timezone: string
}

/** Where a local time does not exist, it runs when the clock goes forward; where it exists twice, the first time. */
const parse = (cron: string, timezone: string): Cron => new Cron(cron, { timezone, mode: '5-part', paused: true })

export function checkTimezone(timezone: string): void {
  try {
    if (/^[+-]/.test(timezone)) throw new Error('an offset is not a zone')
    new Intl.DateTimeFormat('en', { timeZone: timezone })
  } catch {
    invalid('timezone', `there is no time zone "${timezone}"; use a name such as Europe/Berlin`)
  }
}

const fieldNames = ['minute', 'hour', 'day of month', 'month', 'day of week']

export function checkCron(cron: string, timezone: string, now: number): void {
  const fields = cron.trim().split(/\s+/)
  if (fields.length !== fieldNames.length) invalid('cron', `must have five fields: ${fieldNames.join(', ')}`)
  for (const [at, field] of fields.entries())
    if (!isPattern(fieldNames.map((_, n) => (n === at ? field : '*')).join(' ')))
      invalid('cron', `"${field}" is not a valid ${fieldNames[at]}`)
  if (nextAfter({ cron, at: null, timezone }, now) === null) invalid('cron', 'never occurs')
}

function isPattern(cron: string): boolean {
  try {
    parse(cron, 'UTC')
    return true
  } catch {
    return false
  }
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/i
const local = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/

/** A time with an offset as UTC. A local time stays as it is, because it depends on the time zone. */
export function normalizeAt(at: string): string {
  if (instant.test(at) && !Number.isNaN(Date.parse(at))) return timestamp(Date.parse(at))
  if (local.test(at) && !Number.isNaN(Date.parse(`${at}Z`))) return at
  return invalid('at', 'must be a time such as 2026-01-31T12:00:00Z, or without Z a local time of the time zone')
}

export function singleTime(at: string, timezone: string): number {
  if (!local.test(at)) return Date.parse(at)
  const whole = at.length === 16 ? `${at}:00` : at
  return new Cron(whole, { timezone, paused: true }).nextRun(new Date(0))?.getTime() ?? Number.NaN
}

/** The first due time after a moment. */
export function nextAfter({ cron, at, timezone }: Times, moment: number): string | null {
  if (at !== null) {
    const time = singleTime(at, timezone)
    return time > moment ? timestamp(time) : null
  }
  const next = parse(cron ?? '', timezone).nextRun(new Date(moment))
  return next && timestamp(next.getTime())
}

export interface Missed {
  /** How many due times passed, this number at most. */
  count: number
  last: string
}

/** Counting a longer outage would take seconds. */
export const maxCounted = 1000

/** The due times from `first` until `before`, both included. */
export function missedTimes(times: Times, first: string, before: number): Missed {
  let count = 1
  let last = first
  for (let next = nextAfter(times, Date.parse(first)); next !== null && Date.parse(next) <= before; ) {
    count++
    last = next
    if (count > maxCounted && times.cron !== null) {
      const [latest] = parse(times.cron, times.timezone).previousRuns(1, new Date(before + 1000))
      return { count, last: latest ? timestamp(latest.getTime()) : last }
    }
    next = nextAfter(times, Date.parse(next))
  }
  return { count, last }
}

export function preview(cron: string, timezone: string, now: number): { description: string; next: string[] } {
  checkTimezone(timezone)
  checkCron(cron, timezone, now)
  const next = parse(cron, timezone).nextRuns(5, new Date(now))
  return { description: describe(cron), next: next.map((time) => timestamp(time.getTime())) }
}

function describe(cron: string): string {
  try {
    return cronstrue.toString(cron, { use24HourTimeFormat: true })
  } catch {
    return cron
  }
}
