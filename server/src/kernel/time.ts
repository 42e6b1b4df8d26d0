/** Milliseconds since 1970. Injected, so that tests can hold it still. */
export type Clock = () => number

export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

/** The one form in which a time leaves the service: UTC, whole seconds. */
export const timestamp = (milliseconds: number): string => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
