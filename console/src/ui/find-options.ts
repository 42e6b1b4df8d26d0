import type { Option } from './option.ts'

/** Whether a text has all words that were entered. */
export const hasWords = (text: string, entered: string): boolean =>
  entered
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word))

/**
 * The options that have all words of a text, and how many of them are beyond the limit. A value is found by its beginning only, because
 * the random part of an id contains any short word.
 */
export function findOptions<Each extends Option>(options: readonly Each[], text: string, limit: number) {
  const start = text.toLowerCase()
  const all = options.filter(
    ({ label, value, group = '' }) => hasWords(`${label} ${group}`, text) || value.toLowerCase().startsWith(start),
  )
  return { found: all.slice(0, limit), hidden: Math.max(0, all.length - limit) }
}
