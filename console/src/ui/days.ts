import type { Schemas } from '@parley/client'
import { dayName, isoDay } from './format.ts'

/** One entry per day of the range, including days without usage. */
export function dailyUsage(costs: Schemas['UsageCosts'], days: number) {
  const byDay = new Map(costs.daily.map((each) => [each.date, each]))
  return Array.from({ length: days }, (_, index) => {
    const date = isoDay(days - 1 - index)
    return { label: dayName(date), cost: byDay.get(date)?.cost ?? 0, tokens: byDay.get(date)?.tokens ?? 0 }
  })
}
