import { CommanderError, type Command as Program } from 'commander'
import { commands } from './commands/index.ts'
import { resolveConnection } from './connection.ts'
import { reportError, type Usage } from './errors.ts'
import { UsageError } from './failures.ts'
import type { Io } from './io.ts'
import { commandPath, createProgram } from './program.ts'
import { createSession } from './session.ts'

/** Runs a command line. Returns the exit code: 0 done, 1 failed, 2 wrong usage. */
export async function run(argv: string[], io: Io): Promise<number> {
  const isJson = argv.includes('--json')
  const sessionWith = (flags: object) => createSession(io, isJson, () => resolveConnection(flags, io.environment))
  let session = sessionWith({})
  let code = 0
  let usage: Usage = { text: 'Run "parley --help" for all commands.', code: 2 }
  const onExit = (error: CommanderError, program: Program): never => {
    const needsCommand = error.code === 'commander.help'
    if (needsCommand && argv.length < 2) program.outputHelp()
    else if (error.exitCode !== 0) {
      if (program.commands.length === 0) usage = describeUsage(program)
      const names = program.commands.map((each) => `parley ${commandPath(each)}`)
      throw new UsageError(needsCommand ? `Name a command: ${names.join(', ')}.` : formatMessage(error))
    }
    throw error
  }
  const program = createProgram(session.out, onExit, async (command, called, values) => {
    usage = describeUsage(called)
    session = sessionWith(values)
    code = (await command.run(session, called.args, values, program)) ?? 0
  })
  try {
    await program.parseAsync(argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv, { from: 'user' })
    return code
  } catch (error) {
    const hasShownHelp = error instanceof CommanderError
    return hasShownHelp ? 0 : reportError(session, error, usage)
  }
}

const describeUsage = (program: Program): Usage => {
  const name = commandPath(program)
  return {
    text: `Usage: parley ${name} ${program.usage()}\nRun "parley ${name} --help" for examples.`,
    code: commands.find((each) => each.name === name)?.usageCode ?? 2,
  }
}

/** Writes "error: unknown option '--jsno'\n(Did you mean --json?)" as sentences. */
const formatMessage = ({ message }: CommanderError): string =>
  message.replace(/^error: (.)/, (_, first: string) => first.toUpperCase()).replace(/\n\((.*)\)$/, '. $1')
