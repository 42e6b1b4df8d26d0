/** Milliseconds since 1970. Injected, so that tests can hold it still. */
export type Clock = () => number

export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

/** The one form in which a time leaves the service: UTC, whole seconds. */
export function timestamp(milliseconds: number): string {
  const at = Math.floor(milliseconds / second)
  if (at !== written.at) written = { at, text: `${new Date(milliseconds).toISOString().slice(0, 19)}Z` }
  return written.text
}

/** Nearly always it is the same second as the last time. */
let written = { at: Number.NaN, text: '' }
