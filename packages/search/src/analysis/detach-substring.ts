/** Copies a substring, so that a cache of it does not keep the whole text in memory. */
export const detachSubstring = (text: string): string => ` ${text}`.slice(1)
