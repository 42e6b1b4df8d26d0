/** Wrong usage of a command: exit code 2. */
export class UsageError extends Error {}

/** A failure with advice: exit code 1. */
export class CliError extends Error {
  readonly hint: string | null
  constructor(message: string, hint: string | null = null) {
    super(message)
    this.hint = hint
  }
}
