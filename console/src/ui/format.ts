// Numbers and dates follow the locale of the browser; words are English, as all others.
const money = new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD', minimumFractionDigits: 2 })
const small = new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD', maximumSignificantDigits: 3 })
const precise = new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD', maximumFractionDigits: 9 })
const shares = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 })
const tenths = new Intl.NumberFormat(undefined, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const scores = new Intl.NumberFormat(undefined, { maximumFractionDigits: 3 })
const whole = new Intl.NumberFormat()
const short = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const timeOfDay = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' })

/** Dollars. Amounts under a cent keep three significant digits. */
export const dollars = (amount: number): string =>
  amount !== 0 && Math.abs(amount) < 0.01 ? small.format(amount) : money.format(amount)
/** The cost of calls of which some may have had no known price. */
export const costOfCalls = ({
  cost,
  unpriced_requests: unpriced,
}: {
  cost: number
  unpriced_requests: number
}): string => costText(cost, unpriced === 0)
/** The cost of calls. Calls of models without a price add nothing to the amount, so it is only the least that they cost. */
export const costText = (amount: number, isKnown: boolean): string =>
  isKnown ? dollars(amount) : amount === 0 ? 'not known' : `at least ${dollars(amount)}`
/** Dollars of a limit, exact enough to see how far it is, and rounded down: a limit that is not reached never looks reached. */
export const truncatedDollars = (amount: number, limit: number): string => {
  const digits = limit > 0 ? Math.min(9, Math.max(2, 2 - Math.floor(Math.log10(limit)))) : 2
  const options = { style: 'currency', currency: 'USD', minimumFractionDigits: 2, maximumFractionDigits: digits }
  return new Intl.NumberFormat(undefined, { ...options, roundingMode: 'trunc' } as Intl.NumberFormatOptions).format(
    amount,
  )
}
/** A price, never rounded. */
export const price = (amount: number): string => precise.format(amount)
export const count = (number: number): string => whole.format(number)
export const compact = (number: number): string => short.format(number)
export const dateTime = (timestamp: string): string => exact.format(new Date(timestamp))
export const clock = (timestamp: string): string => timeOfDay.format(new Date(timestamp))
export const dayName = (date: string): string => day.format(new Date(`${date}T00:00:00Z`))
/** A number with one digit after the point. */
export const decimal = (number: number): string => tenths.format(number)
/** A score, with three digits at most. */
export const scoreText = (score: number): string => scores.format(score)
/** A number with this many digits after the point. */
export const fixed = (number: number, digits: number): string =>
  new Intl.NumberFormat(undefined, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(number)
export const milliseconds = (time: number): string => (time < 1000 ? `${count(time)} ms` : `${decimal(time / 1000)} s`)

/** How long something still takes, roughly. */
export function timeLeft(seconds: number): string {
  if (seconds < 60) return 'less than a minute left'
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? `about ${minutes} min left` : `about ${Math.round(minutes / 60)} h left`
}

const sizes = ['B', 'KiB', 'MiB', 'GiB']

export function bytes(size: number): string {
  const step = size < 1 ? 0 : Math.min(sizes.length - 1, Math.floor(Math.log2(size) / 10))
  const amount = size / 1024 ** step
  return `${step > 0 && amount < 10 ? decimal(amount) : count(Math.round(amount))} ${sizes[step]}`
}
/** A share from 0 to 1. */
export const percent = (share: number): string => shares.format(share)

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

export function ago(timestamp: string): string {
  const seconds = (Date.parse(timestamp) - Date.now()) / 1000
  if (Math.abs(seconds) > 30 * 86_400) return exact.format(new Date(timestamp))
  for (const [unit, size] of units)
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit)
  return 'just now'
}

/** The UTC date a number of days ago. */
export const isoDay = (daysAgo = 0): string => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
