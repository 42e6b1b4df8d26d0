/** Milliseconds since 1970. Injected, so that tests can control it. */
export type Clock = () => number

export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

/** The format of all times in the API: UTC, whole seconds. */
export function timestamp(milliseconds: number): string {
  const at = Math.floor(milliseconds / second)
  if (at !== last.at) last = { at, text: `${new Date(milliseconds).toISOString().slice(0, 19)}Z` }
  return last.text
}

/** The last result: most calls are for the same second. */
let last = { at: Number.NaN, text: '' }
