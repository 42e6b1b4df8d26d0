import { day, minute, timestamp } from '../../../kernel/time.ts'

/**
 * Converts between instants and the times that a clock on the wall of a time zone shows. A local time is a number of
 * milliseconds, as if that clock were in UTC.
 */
export class LocalTime {
  readonly #format: Intl.DateTimeFormat

  constructor(timeZone: string) {
    const part = '2-digit'
    const time = { hour: part, minute: part, second: part, hourCycle: 'h23' } as const
    this.#format = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: part, day: part, ...time })
  }

  at(instant: number): number {
    const parts = this.#format.formatToParts(instant).map(({ type, value }) => [type, Number(value)])
    const { year, month, day, hour, minute, second } = Object.fromEntries(parts) as Record<string, number>
    return Date.UTC(year as number, (month as number) - 1, day, hour, minute, second)
  }

  /** When a local time occurs first. One that does not exist becomes the moment at which the clock is put forward. */
  toInstant(local: number): number {
    const offsets = [local - day, local + day].map((near) => this.at(near) - near)
    const candidates = offsets.map((offset) => local - offset).sort((one, other) => one - other)
    const [first, second] = candidates as [number, number]
    return candidates.find((instant) => this.at(instant) === local) ?? this.#changeBetween(first, second)
  }

  /** The minute at which the offset changes. */
  #changeBetween(before: number, after: number): number {
    const offset = this.at(before) - before
    let [low, high] = [before, after]
    while (high - low > minute) {
      const middle = low + Math.floor((high - low) / minute / 2) * minute
      if (this.at(middle) - middle === offset) low = middle
      else high = middle
    }
    return high
  }
}

/** A local time as people write it. */
export const parseLocal = (text: string): number => Date.parse(`${text}Z`)

/** Whether the day of a time exists: JavaScript reads 30 February as a day of March. */
export const isCalendarTime = (text: string): boolean => {
  const local = text.slice(0, 16)
  const time = parseLocal(local)
  return !Number.isNaN(time) && timestamp(time).startsWith(local.toUpperCase())
}
