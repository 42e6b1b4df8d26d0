import { Type } from 'typebox'
import { invalid } from './errors.ts'
import { day, second, timestamp } from './time.ts'

const dateOrTime = '^\\d{4}-\\d{2}-\\d{2}([Tt ]\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?([Zz]|[+ -]\\d{2}:?\\d{2})?)?$'

/** A query parameter that names a day: a date, or a timestamp, which counts as its UTC day. */
export const DayParameter = (description: string) =>
  Type.Optional(
    Type.String({
      maxLength: 40,
      pattern: dateOrTime,
      patternMessage: 'must be a date such as 2026-01-31, or a timestamp',
      description: `${description} A timestamp counts as its UTC day.`,
      examples: ['2026-01-31'],
    }),
  )

/** A query parameter that bounds a time: a timestamp, or a date, which counts as its whole UTC day. */
export const TimeBound = (description: string) =>
  Type.Optional(
    Type.String({
      maxLength: 40,
      pattern: dateOrTime,
      patternMessage: 'must be a timestamp such as 2026-01-31T12:00:00Z, or a date',
      description: `${description} A date counts as its whole UTC day.`,
      examples: ['2026-01-31T12:00:00Z'],
    }),
  )

/** The stored form of a `TimeBound`: times are stored in whole seconds. */
export function parseBound(parameter: string, text: string, side: 'gte' | 'lte'): string {
  const time = parseTime(parameter, text)
  if (text.length === dateLength) return timestamp(side === 'gte' ? time : time + day - second)
  return timestamp(side === 'gte' ? Math.ceil(time / second) * second : time)
}

/** The UTC day of a `DayParameter`. */
const utcDay = (parameter: string, text: string): string => toDay(parseTime(parameter, text))

const dateLength = '2026-01-31'.length

function parseTime(parameter: string, text: string): number {
  const date = text.slice(0, dateLength)
  const midnight = Date.parse(date)
  if (Number.isNaN(midnight) || toDay(midnight) !== date) invalid(parameter, `is not a day of the calendar: ${date}`)
  if (text.length === dateLength) return midnight
  // An unencoded + in a query arrives as a space. A time without a zone is UTC.
  const clock = text
    .slice(dateLength + 1)
    .replace(' ', '+')
    .toUpperCase()
  const zoned = /(Z|[+-]\d{2}:?\d{2})$/.test(clock) ? clock.replace(/([+-]\d{2})(\d{2})$/, '$1:$2') : `${clock}Z`
  const time = Date.parse(`${date}T${zoned}`)
  return Number.isNaN(time) ? invalid(parameter, `is not a time of the day: ${text.slice(dateLength + 1)}`) : time
}

const toDay = (time: number): string => new Date(time).toISOString().slice(0, dateLength)

/** The days of `start_date` and `end_date`, each if given. The start must not be after the end. */
export function dayRange(query: { start_date?: string | undefined; end_date?: string | undefined }): {
  start?: string
  end?: string
} {
  const start = query.start_date === undefined ? undefined : utcDay('start_date', query.start_date)
  const end = query.end_date === undefined ? undefined : utcDay('end_date', query.end_date)
  if (start !== undefined && end !== undefined && start > end) invalid('start_date', 'must not be after end_date')
  return { ...(start !== undefined && { start }), ...(end !== undefined && { end }) }
}
