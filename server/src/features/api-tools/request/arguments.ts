import type { Context } from '../../../kernel/context.ts'
import { isObject } from '../../../kernel/is-object.ts'
import { CallError, InvalidArguments } from '../errors.ts'
import { SandboxError, type Work } from '../sandbox/sandbox.ts'
import type { Arguments } from './template.ts'

/** Arguments after a check: only the declared ones are sent. */
export interface CheckedArguments {
  declared: Arguments
  /** The names of arguments that the schema does not declare. */
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
  if (!isObject(args)) throw new InvalidArguments([{ path: '', message: 'must be an object' }])
  const { faults, undeclared, problem } = await ctx.state['api-tools'].sandbox
    .validate(JSON.stringify(schema), JSON.stringify(args), work)
    .catch((error) => {
      if (error instanceof SandboxError) throw uncheckable(error.message)
      throw error
    })
  if (faults.length > 0) throw new InvalidArguments(faults)
  const declared = Object.fromEntries(Object.entries(args).filter(([name]) => !undeclared.includes(name)))
  return { declared, dropped: undeclared, problem }
}

export const uncheckable = (why: string): CallError => new CallError(`The arguments could not be checked: ${why}.`)

/** Tells the model which arguments were dropped. */
export const droppedNote = (dropped: readonly string[]): string =>
  `[Not sent, because the tool has no such arguments: ${dropped.join(', ').slice(0, maxNamesLength)}]`

const maxNamesLength = 500
