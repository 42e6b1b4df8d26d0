import type { Fault } from './sandbox/json-schema.ts'

/** A call that failed. The message is for people and models. */
export class CallError extends Error {}

/** Arguments that do not match the schema. Nothing was sent. */
export class InvalidArguments extends Error {
  readonly faults: Fault[]

  constructor(faults: Fault[]) {
    const problems = faults.map(({ path, message }) => `${path || 'they'} ${message}`).join('; ')
    super(`The arguments are not valid: ${problems}. Correct them and call the tool again.`)
    this.faults = faults
  }
}
