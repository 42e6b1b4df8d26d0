/** Wrong usage of a command: exit code 2. */
export class UsageError extends Error {}

/** Something that failed, with what to do about it: exit code 1. */
export class CliError extends Error {
  readonly hint: string | null
  constructor(message: string, hint: string | null = null) {
    super(message)
    this.hint = hint
  }
}
