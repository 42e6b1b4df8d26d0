import { Type } from 'typebox'
import { invalid } from './errors.ts'

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

/** The UTC day of a `DayParameter`. */
function utcDay(parameter: string, text: string): string {
  const date = text.slice(0, 10)
  const day = toDay(date)
  if (day !== date) invalid(parameter, `is not a day of the calendar: ${date}`)
  if (text.length === date.length) return date
  // An unencoded + in a query arrives as a space. A time without a zone is UTC.
  const time = text.slice(11).replace(' ', '+').toUpperCase()
  const zoned = /(Z|[+-]\d{2}:?\d{2})$/.test(time) ? time.replace(/([+-]\d{2})(\d{2})$/, '$1:$2') : `${time}Z`
  return toDay(`${date}T${zoned}`) ?? invalid(parameter, `is not a time of the day: ${text.slice(11)}`)
}

function toDay(text: string): string | undefined {
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().slice(0, 10)
}

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
