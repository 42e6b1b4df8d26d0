import type { Context } from '../../../kernel/context.ts'
import { isObject } from '../../../kernel/is-object.ts'
import { CallError, InvalidArguments } from '../errors.ts'
import { type ArgumentPath, shownPath, withoutPaths } from '../sandbox/declared.ts'
import { SandboxError, type Work } from '../sandbox.ts'
import type { Arguments } from './template.ts'

/** Arguments after a check: only the declared ones are sent. */
export interface CheckedArguments {
  declared: Arguments
  /** The arguments that the schema does not declare, such as `filter.limit`. */
  dropped: string[]
  /** Why the schema cannot be used. Then the declared arguments were not validated. */
  problem: string | null
}

/** Validates arguments against the schema of a tool, HTTP or MCP, and drops what it does not declare. */
export async function checkArguments(
  ctx: Context,
  schema: object,
  args: unknown,
  work: Work,
): Promise<CheckedArguments> {
  const values = objectIn(args)
  const { sandbox } = ctx.state['api-tools']
  const { faults, undeclared, problem } = await sandbox
    .validate(JSON.stringify(schema), JSON.stringify(values), work)
    .catch(throwUncheckable)
  if (faults.length > 0) throw new InvalidArguments(faults)
  return { ...withoutUndeclared(values, undeclared), problem }
}

/** Drops what a schema does not declare, and validates nothing. */
export async function dropUndeclared(
  ctx: Context,
  schema: object,
  args: unknown,
  work: Work,
): Promise<Omit<CheckedArguments, 'problem'>> {
  const values = objectIn(args)
  const { sandbox } = ctx.state['api-tools']
  const undeclared = sandbox.undeclared(JSON.stringify(schema), JSON.stringify(values), work)
  return withoutUndeclared(values, await undeclared.catch(throwUncheckable))
}

const objectIn = (args: unknown): Arguments => (isObject(args) ? args : notAnObject())

function notAnObject(): never {
  throw new InvalidArguments([{ path: '', message: 'must be an object' }])
}

const withoutUndeclared = (args: Arguments, undeclared: readonly ArgumentPath[]) => ({
  declared: withoutPaths(args, undeclared),
  dropped: undeclared.map(shownPath),
})

function throwUncheckable(error: unknown): never {
  throw error instanceof SandboxError ? uncheckable(error.message) : error
}

export const uncheckable = (why: string): CallError => new CallError(`The arguments could not be checked: ${why}.`)

/** Tells the model which arguments were dropped. */
export const droppedNote = (dropped: readonly string[]): string =>
  `[Not sent, because the tool has no such arguments: ${dropped.join(', ').slice(0, maxNamesLength)}]`

const maxNamesLength = 500
