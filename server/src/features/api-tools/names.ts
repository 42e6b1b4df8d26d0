const maxLength = 64

/** A name that models accept. */
export const toToolName = (text: string): string =>
  text
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, maxLength) || 'operation'

/** The name itself, or the name with the first number that makes it unique. */
export function uniqueName(name: string, isTaken: (name: string) => boolean): string {
  let unique = name
  for (let number = 2; isTaken(unique); number++)
    unique = `${name.slice(0, maxLength - 1 - String(number).length)}_${number}`
  return unique
}
