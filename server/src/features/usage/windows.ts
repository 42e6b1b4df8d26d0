import { timestamp } from '../../kernel/time.ts'

export const windows = ['day', 'month', 'total'] as const
export type Window = (typeof windows)[number]

/** The first day (UTC) of the window at this time; empty for `total`. */
export function windowStart(window: Window, at: number): string {
  const today = timestamp(at).slice(0, 10)
  return window === 'day' ? today : window === 'month' ? `${today.slice(0, 7)}-01` : ''
}

/** When the next window starts; null for `total`. */
export function resetsAt(window: Window, at: number): string | null {
  const now = new Date(at)
  const [year, month, date] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  if (window === 'day') return timestamp(Date.UTC(year, month, date + 1))
  return window === 'month' ? timestamp(Date.UTC(year, month + 1, 1)) : null
}
