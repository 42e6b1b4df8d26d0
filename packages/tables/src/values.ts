export type Cell = string | number | boolean | null

export const columnTypes = ['text', 'number', 'date', 'boolean'] as const
export type ColumnType = (typeof columnTypes)[number]

/** `point` and `comma` are decimal marks. Dates begin with the day or the month, if not with the year. */
export type ColumnFormat = 'point' | 'comma' | 'day' | 'month'

interface Reading {
  type: ColumnType
  format?: ColumnFormat
  read(text: string): Cell | undefined
}

/** Marks of cells without a value. */
const missing = /^(?:[-–—−.?]+|n\/?a|null|none|k\.? ?a\.?)$/i
const truths = /^(?:true|yes|y|ja|wahr|✓|✔|☑)$/i
const falsehoods = /^(?:false|no|n|nein|falsch|✗|✘|☐)$/i

const currency = '(?:US\\$|[$€£¥₹₽]|USD|EUR|GBP|CHF|JPY)'
const sign = '[-+−–]?'
const plain = '(?:0|[1-9]\\d*)'
const number = (grouped: string, decimal: string) =>
  new RegExp(
    `^(?<open>\\()?(?<sign>${sign}) ?(?:${currency} ?)?(?<sign2>${sign})(?<digits>(?:${grouped}|${plain})?(?:${decimal}\\d+)?)(?: ?(?:%|${currency}))?(?<close>\\))?$`,
    'iu',
  )
const pointNumber = number("[1-9]\\d{0,2}(?:(?:,\\d{3})+|(?:[ \\u00a0\\u202f'’]\\d{3})+)", '\\.')
const commaNumber = number("[1-9]\\d{0,2}(?:(?:\\.\\d{3})+|(?:[ \\u00a0\\u202f'’]\\d{3})+)", ',')
/** More digits do not fit into a number; such values are identifiers. */
const maxDigits = 15

/** Matches most numbers in a tenth of the time that the patterns above take. */
const plainNumber = /^-?(?:0|[1-9]\d{0,14})$/

function readNumber(text: string, pattern: RegExp, decimal: string): number | undefined {
  if (plainNumber.test(text)) return Number(text) || 0
  const groups = pattern.exec(text)?.groups
  if (!groups || Boolean(groups.open) !== Boolean(groups.close)) return undefined
  const digits = (groups.digits ?? '').replace(/[^\d.,]/g, '')
  const written = digits.replaceAll(decimal === '.' ? ',' : '.', '').replace(',', '.')
  const count = written.replace('.', '').length
  if (count === 0 || count > maxDigits) return undefined
  const isNegative = Boolean(groups.open) || /[-−–]/.test(`${groups.sign ?? ''}${groups.sign2 ?? ''}`)
  return (isNegative ? -1 : 1) * Number(written) || 0
}

const months = [
  'jan(?:uary|uar)?|jän(?:ner)?',
  'feb(?:ruary|ruar)?',
  'mar(?:ch)?|märz?|mrz',
  'apr(?:il)?',
  'may|mai',
  'june?|juni',
  'july?|juli',
  'aug(?:ust)?',
  'sept?(?:ember)?',
  'oct(?:ober)?|okt(?:ober)?',
  'nov(?:ember)?',
  'dec(?:ember)?|dez(?:ember)?',
].map((name) => new RegExp(`^(?:${name})$`, 'i'))

const yearFirst =
  /^(?<year>\d{4})[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})(?:[T ](?<time>\d{1,2}:\d{2}(?::\d{2})?)(?:\.\d+)?(?<zone>Z|[+-]\d{2}:?\d{2})?)?$/
const dayFirst =
  /^(?<day>\d{1,2})(?<mark>[./-])(?<month>\d{1,2})\k<mark>(?<year>\d{4})(?: (?<time>\d{1,2}:\d{2}(?::\d{2})?))?$/
const monthFirst = /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4})(?: (?<time>\d{1,2}:\d{2}(?::\d{2})?))?$/
const dayAndName = /^(?<day>\d{1,2})(?:\.|st|nd|rd|th)?[ -](?<month>\p{L}+)\.?,?[ -](?<year>\d{4})$/u
const nameAndDay = /^(?<month>\p{L}+)\.? (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})$/u

const isDate = (year: number, month: number, day: number): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)

const daysIn = (year: number, month: number): number => {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

function readDate(text: string, pattern: RegExp): string | undefined {
  const groups = pattern.exec(text)?.groups
  if (!groups) return undefined
  const { year = '', day = '', time, zone } = groups
  const named = /\d/.test(groups.month ?? '') ? 0 : months.findIndex((name) => name.test(groups.month ?? '')) + 1
  const date = `${year}-${String(named || groups.month).padStart(2, '0')}-${day.padStart(2, '0')}`
  if (!isDate(Number(year), named || Number(groups.month), Number(day))) return undefined
  if (time === undefined) return date
  const [hours = '', minutes = '', seconds = '00'] = time.split(':')
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined
  return `${date} ${hours.padStart(2, '0')}:${minutes}:${seconds}${zone ?? ''}`
}

const named = (text: string) => readDate(text, dayAndName) ?? readDate(text, nameAndDay)

/** In the order of preference: the first that reads every value of a column decides about its type. */
const readings: Reading[] = [
  {
    type: 'boolean',
    read: (text) => (truths.test(text) ? true : falsehoods.test(text) ? false : undefined),
  },
  { type: 'number', format: 'point', read: (text) => readNumber(text, pointNumber, '.') },
  { type: 'number', format: 'comma', read: (text) => readNumber(text, commaNumber, ',') },
  { type: 'date', read: (text) => readDate(text, yearFirst) ?? named(text) },
  { type: 'date', format: 'day', read: (text) => readDate(text, dayFirst) ?? named(text) },
  { type: 'date', format: 'month', read: (text) => readDate(text, monthFirst) },
]

const units: Record<string, string> = { USD: '$', US$: '$', EUR: '€', GBP: '£', JPY: '¥' }
const unit = new RegExp(`%|${currency}`, 'iu')

function findUnit(text: string): string | undefined {
  const found = plainNumber.test(text) ? undefined : unit.exec(text)?.[0].toUpperCase()
  return found && (units[found] ?? found)
}

const isSlashed = (text: string): boolean => /^\d{1,2}\/\d{1,2}\/\d{4}/.test(text)

/** Finds the type of a column from its values, one at a time. */
export class TypeFinder {
  #left = [...readings]
  #hasValue = false
  #hasSlashes = false
  readonly #units = new Set<string>()

  add(text: string): void {
    if (text === '' || missing.test(text)) return
    this.#hasValue = true
    this.#hasSlashes ||= isSlashed(text)
    if (this.#left.length > 0) this.#left = this.#left.filter(({ read }) => read(text) !== undefined)
    // Dollars and euros have no sum, so such a column stays text.
    const found = this.#left.length > 0 ? findUnit(text) : undefined
    if (found === undefined || this.#units.has(found)) return
    this.#units.add(found)
    if (this.#units.size > 1) this.#left = this.#left.filter(({ type }) => type !== 'number')
  }

  /** The only decimal mark with which all values are numbers, if there is only one. */
  decimalMark(): ColumnFormat | undefined {
    const numbers = this.#hasValue ? this.#left.filter(({ type }) => type === 'number') : []
    return numbers.length === 1 ? numbers[0]?.format : undefined
  }

  /**
   * `decimal` is the mark of other columns, which decides about values such as 1.200. Text if nothing else fits all values. Dates
   * such as 03/04/2026 stay text if all could be read both ways.
   */
  find(decimal: ColumnFormat = 'point'): { type: ColumnType; format?: ColumnFormat } {
    const [found] = this.#left.toSorted(
      (one, other) => Number(other.format === decimal) - Number(one.format === decimal),
    )
    if (!this.#hasValue || !found) return { type: 'text' }
    if (this.#hasSlashes && this.#left.length > 1) return { type: 'text' }
    return { type: found.type, ...(found.format && { format: found.format }) }
  }
}

/** Reads the values of a column. In a text column everything is kept as it is. */
export function cellReader({ type, format }: { type: ColumnType; format?: ColumnFormat }): (text: string) => Cell {
  if (type === 'text') return (text) => text || null
  const reading = readings.find((each) => each.type === type && each.format === format)
  return (text) => (text === '' ? null : (reading?.read(text) ?? null))
}
