import { CheckField } from '../ui/field.tsx'
import { isoDay } from '../ui/format.ts'
import { useListParams } from '../ui/list.tsx'

const day = 86_400_000
const ranges = [
  { value: '1', label: 'Today' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
]

const isDate = (text: string | undefined): text is string => /^\d{4}-\d{2}-\d{2}$/.test(text ?? '')

/** The period of a page of figures, kept in the URL. */
export function usePeriod() {
  const { search, change } = useListParams()
  const days = Number(ranges.find(({ value }) => value === search.days)?.value ?? 30)
  return {
    days: isDate(search.from) || isDate(search.to) ? null : days,
    start: isDate(search.from) ? search.from : isoDay(days - 1),
    // Nothing has happened on days to come.
    end: isDate(search.to) && search.to < isoDay() ? search.to : isoDay(),
    isCompared: search.compare === 'yes',
    search,
    change,
  }
}

export type Period = ReturnType<typeof usePeriod>

/** The days of the same number right before a period. */
export function periodBefore(start: string, end: string): { start: string; end: string } {
  const length = Date.parse(end) - Date.parse(start) + day
  const shifted = (date: string) => new Date(Date.parse(date) - length).toISOString().slice(0, 10)
  return { start: shifted(start), end: shifted(end) }
}

/** A range by its name, or from one date to another. */
export const PeriodFields = ({ days, start, end, change }: Period) => (
  <>
    <select
      aria-label="Period"
      value={days === null ? '' : String(days)}
      onChange={({ target: { value } }) =>
        change(value === '' ? { from: start, to: end } : { days: value, from: undefined, to: undefined })
      }
    >
      {ranges.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
      <option value="">Custom</option>
    </select>
    <span className={days === null ? 'dates' : 'dates named-period'}>
      <input
        type="date"
        aria-label="From"
        value={start}
        max={end}
        onChange={(event) => event.target.value && change({ from: event.target.value, to: end })}
      />
      <span className="muted">–</span>
      <input
        type="date"
        aria-label="To"
        value={end}
        min={start}
        max={isoDay()}
        onChange={(event) => event.target.value && change({ from: start, to: event.target.value })}
      />
    </span>
  </>
)

export const CompareField = ({ isCompared, change }: Period) => (
  <CheckField
    label="Compare with previous period"
    value={isCompared}
    onChange={(is) => change({ compare: is ? 'yes' : undefined })}
  />
)
