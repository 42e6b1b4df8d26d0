const maxLength = 64
/** `_` and up to seven digits. */
const maxSuffixLength = 8

/** A name that models accept. */
export const toToolName = (text: string): string =>
  text
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, maxLength) || 'operation'

/** Gives each tool a distinct name by adding a number if it is taken. Takes linear time for any names. */
export class ToolNames {
  readonly #taken: Set<string>
  /** The next number to try, by the tool's name without its numeric suffix. */
  readonly #numbers = new Map<string, number>()

  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set(taken)
  }

  add(wanted: string): string {
    const stem = wanted.slice(0, maxLength - maxSuffixLength)
    let name = wanted
    while (this.#taken.has(name)) {
      const number = this.#numbers.get(stem) ?? 2
      this.#numbers.set(stem, number + 1)
      const suffix = `_${number}`
      name = wanted.slice(0, maxLength - suffix.length) + suffix
    }
    this.#taken.add(name)
    return name
  }
}
