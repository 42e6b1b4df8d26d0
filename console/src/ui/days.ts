import type { Schemas } from '@parley/client'
import { isoDay } from './format.ts'

/** One entry per day of the range, including days without usage. `before` days lie between its end and today. */
export function dailyUsage(costs: Schemas['UsageCosts'], days: number, before = 0) {
  const byDay = new Map(costs.daily.map((each) => [each.date, each]))
  return Array.from({ length: days }, (_, index) => {
    const date = isoDay(before + days - 1 - index)
    const { cost = 0, tokens = 0, groups = [] } = byDay.get(date) ?? {}
    return { date, cost, tokens, groups }
  })
}
