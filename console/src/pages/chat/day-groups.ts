const day = 86_400_000
const month = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric' })

const startOfDay = (time: number): number => new Date(time).setHours(0, 0, 0, 0)

/** The heading under which a time is listed: Today, Yesterday, …, then the month. */
export function dayGroup(timestamp: string, now = Date.now()): string {
  const time = Date.parse(timestamp)
  const days = Math.round((startOfDay(now) - startOfDay(time)) / day)
  if (days <= 0) return 'Today'
  if (days === 1) return 'Yesterday'
  if (days <= 7) return 'Previous 7 days'
  if (days <= 30) return 'Previous 30 days'
  return month.format(time)
}
