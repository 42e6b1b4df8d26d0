import { Cron } from 'croner'
import cronstrue from 'cronstrue'
import { invalid } from '../../../kernel/errors.ts'
import { second, timestamp } from '../../../kernel/time.ts'
import { isCalendarTime, LocalTime, parseLocal } from './local-time.ts'

export interface Times {
  cron: string | null
  at: string | null
  timezone: string
}

const parse = (cron: string, timezone: string): Cron => new Cron(cron, { timezone, mode: '5-part', paused: true })

/** An expression for every hour runs by elapsed time. Every other one names times of the day, each of which runs once a day. */
const isHourly = (cron: string): boolean => cron.trim().split(/\s+/)[1] === '*'

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
  if (isCalendarTime(at)) {
    if (instant.test(at) && !Number.isNaN(Date.parse(at))) return timestamp(Date.parse(at))
    if (local.test(at) && !Number.isNaN(parseLocal(at))) return at
  }
  return invalid('at', 'must be a time such as 2026-01-31T12:00:00Z, or without Z a local time of the time zone')
}

export const singleTime = (at: string, timezone: string): number =>
  local.test(at) ? new LocalTime(timezone).toInstant(parseLocal(at)) : Date.parse(at)

/** The first due time after a moment. */
export function nextAfter({ cron, at, timezone }: Times, moment: number): string | null {
  if (at !== null) {
    const time = singleTime(at, timezone)
    return time > moment ? timestamp(time) : null
  }
  const next = isHourly(cron ?? '')
    ? parse(cron ?? '', timezone)
        .nextRun(new Date(moment))
        ?.getTime()
    : nextLocal(cron ?? '', timezone, moment)
  return next === undefined ? null : timestamp(next)
}

/** The clock of the time zone decides which times come next; where it is put back, those that have occurred are passed over. */
function nextLocal(cron: string, timezone: string, moment: number): number | undefined {
  const zone = new LocalTime(timezone)
  const times = parse(cron, 'UTC')
  for (let local = times.nextRun(new Date(zone.at(moment))); local !== null; local = times.nextRun(local)) {
    const time = zone.toInstant(local.getTime())
    if (time > moment) return time
  }
  return undefined
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
    if (count > maxCounted) return { count, last: lastUntil(times, before) ?? last }
    next = nextAfter(times, Date.parse(next))
  }
  return { count, last }
}

/** The last due time until a moment, that included. */
function lastUntil({ cron, timezone }: Times, moment: number): string | null {
  const zone = new LocalTime(timezone)
  const isElapsed = isHourly(cron ?? '')
  const until = new Date((isElapsed ? moment : zone.at(moment)) + second)
  const [near] = parse(cron ?? '', isElapsed ? timezone : 'UTC').previousRuns(1, until)
  if (!near) return null
  let last = timestamp(isElapsed ? near.getTime() : zone.toInstant(near.getTime()))
  // Where the clock was put back, later times have occurred before.
  for (let next: string | null = last; next !== null && Date.parse(next) <= moment; ) {
    last = next
    next = nextAfter({ cron, at: null, timezone }, Date.parse(next))
  }
  return last
}

export function preview(cron: string, timezone: string, now: number): { description: string; next: string[] } {
  checkTimezone(timezone)
  checkCron(cron, timezone, now)
  const next: string[] = []
  for (let time = nextAfter({ cron, at: null, timezone }, now); time !== null && next.length < 5; ) {
    next.push(time)
    time = nextAfter({ cron, at: null, timezone }, Date.parse(time))
  }
  return { description: inWords(cron), next }
}

export function inWords(cron: string): string {
  try {
    return cronstrue.toString(cron, { use24HourTimeFormat: true })
  } catch {
    return cron
  }
}
