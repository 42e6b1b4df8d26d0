import type { Schemas } from '@parley/client'
import { dayName, isoDay } from './format.ts'

/** Every day of the range, those without calls too. */
export function daysOf(costs: Schemas['UsageCosts'], days: number) {
  const byDay = new Map(costs.daily.map((each) => [each.date, each]))
  return Array.from({ length: days }, (_, place) => {
    const date = isoDay(days - 1 - place)
    return { label: dayName(date), cost: byDay.get(date)?.cost ?? 0, tokens: byDay.get(date)?.tokens ?? 0 }
  })
}
