import type { Schemas } from '@parley/client'

const day = 86_400_000

/** One entry per day of a period, including days without usage. */
export function dailyUsage(costs: Schemas['UsageCosts'], start: string, end: string) {
  const byDay = new Map(costs.daily.map((each) => [each.date, each]))
  const first = Date.parse(start)
  return Array.from({ length: Math.max(0, Math.round((Date.parse(end) - first) / day) + 1) }, (_, index) => {
    const date = new Date(first + index * day).toISOString().slice(0, 10)
    return { date, cost: 0, tokens: 0, unpriced_requests: 0, groups: [], ...byDay.get(date) }
  })
}
