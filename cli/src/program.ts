import { type CommanderError, Option as CommanderOption, Command as Program } from 'commander'
import type { Command } from './command.ts'
import { commands } from './commands/index.ts'
import { serviceCommands } from './commands/server.ts'
import { connectionOptions } from './connection.ts'
import type { Option, Options } from './options.ts'
import type { Printer } from './printer.ts'
import { version } from './version.ts'

const maxWidth = 100
const isServer = serviceCommands.length > 0

type OnExit = (error: CommanderError, program: Program) => never
type Run = (command: Command, program: Program, values: { [name: string]: never }) => Promise<void>

/** The command line as commander parses and explains it. It exits by calling `onExit`, also after the help. */
export function createProgram(out: Printer, onExit: OnExit, run: Run): Program {
  const examples = (lines: string[]) =>
    `\n${out.paint('bold', 'Examples')}\n${lines.map((line) => `  ${line}`).join('\n')}`
  const program = new Program('parley')
    .description(`Parley ${version()}: a self-hosted platform for conversational AI agents`)
    .version(version(), '-v, --version', 'Show the version')
    .helpOption('-h, --help', 'Show this help')
    .helpCommand(false)
    .enablePositionalOptions()
    .exitOverride((error) => onExit(error, program))
    .configureOutput({
      writeOut: out.text,
      writeErr: () => {}, // errors are reported with those of the commands
      getOutHelpWidth: () => Math.min(out.width ?? maxWidth, maxWidth),
    })
    .configureHelp({
      styleTitle: (title) => out.paint('bold', title.replace(/:$/, '')),
      subcommandTerm: (each) => `${commandPath(each)} ${each.usage().replace(/\[(options|command)\] ?/g, '')}`.trim(),
    })
  addOptions(program, connectionOptions, 'Connection:')
  for (const command of commands) {
    const [first = '', second] = command.name.split(' ')
    const parent = second === undefined ? program : groupIn(program, first, onExit)
    const made = parent.command(second ?? first).summary(command.summary)
    made.description([command.summary, command.details].filter(Boolean).join('\n\n'))
    for (const argument of (command.args ?? '').split(' ').filter(Boolean)) made.argument(argument)
    addOptions(made, command.options ?? {})
    if (command.connects) addOptions(made, connectionOptions, 'Connection:')
    made.addHelpText('after', examples(command.examples))
    made.exitOverride((error) => onExit(error, made))
    made.action(() => run(command, made, { ...program.opts(), ...made.opts() }))
  }
  return program.addHelpText(
    'after',
    `
Flags come before the environment, then the profile that "parley login" saved, then ${isServer ? 'the service of this checkout' : 'http://127.0.0.1:3000'}.
${examples([...(isServer ? ['parley serve'] : []), 'parley chat Guide', 'parley agents list --json', 'parley doctor'])}

Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted. Of "diff": 0 the same, 2 different, 1 failed.
Run "parley <command> --help" for its options and examples.`,
  )
}

/** The words of a command: `agents list`. */
export const commandPath = (program: Program): string =>
  program.parent?.parent ? `${program.parent.name()} ${program.name()}` : program.name()

/** The command `agents` of `agents list`. */
function groupIn(program: Program, name: string, onExit: OnExit): Program {
  const known = program.commands.find((each) => each.name() === name)
  if (known) return known
  const words = commands.flatMap((each) => (each.name.startsWith(`${name} `) ? each.name.split(' ').slice(1) : []))
  const group = program.command(name).summary(words.join(', ')).helpCommand(false).allowUnknownOption()
  return group.exitOverride((error) => onExit(error, group))
}

function addOptions(to: Program, options: Options, title = 'Options:'): void {
  for (const [name, option] of Object.entries<Option>(options)) {
    const { short, value = 'text', type, multiple, description } = option
    const flags = `${short ? `-${short}, ` : ''}--${name}${type === 'string' ? ` <${value}>` : ''}`
    const added = new CommanderOption(flags, description).helpGroup(title)
    added.attributeName = () => name // not in camel case
    if (multiple) added.argParser((value: string, before: string[] = []) => [...before, value])
    to.addOption(added)
  }
}
