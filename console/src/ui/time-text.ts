import { milliseconds } from './format.ts'

const parts = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
} as const

/** A time as the clocks of a time zone show it. */
export const zonedTime = (timestamp: string, timeZone: string): string =>
  new Intl.DateTimeFormat(undefined, { ...parts, timeZone }).format(new Date(timestamp))

/** The time between two timestamps, which have whole seconds. */
export function duration(from: string, to: string): string {
  const time = Date.parse(to) - Date.parse(from)
  return time < 1000 ? 'under 1 s' : milliseconds(time)
}
