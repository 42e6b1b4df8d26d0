import type { Command as Program } from 'commander'
import type { Options, Values } from './options.ts'
import type { Session } from './session.ts'

export interface Command<O extends Options = Options> {
  /** One word, or two: `agents list`. */
  name: string
  summary: string
  /** Positional arguments: `<required> [optional] [rest...]`. */
  args?: string
  /** Further lines of the help. */
  details?: string
  options?: O
  examples: string[]
  /** Whether it talks to a service: adds --url, --token, --profile and --workspace. */
  connects?: boolean
  /** The exit code of wrong usage, if 2 means something else. */
  usageCode?: number
  /** Returns the exit code; undefined: 0. `program` is the whole command line. */
  run(session: Session, args: string[], values: Values<O>, program: Program): Promise<number | undefined>
}

/** Declares a command. `values` of `run` has the types of its options. */
export const command = <const O extends Options>(declared: Command<O>): Command => declared as unknown as Command
