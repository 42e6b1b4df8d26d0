/** The same text in memory of its own. What was cut out of a longer text keeps all of it for as long as it is remembered. */
export const apart = (text: string): string => ` ${text}`.slice(1)
