import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Command } from './command.ts'
import { commands } from './commands/index.ts'
import { connectionOptions, resolveConnection } from './connection.ts'
import { reportError } from './errors.ts'
import { UsageError } from './failures.ts'
import { printCommandHelp, printGroupHelp, printHelp, usageOf } from './help.ts'
import type { Io } from './io.ts'
import { createSession } from './session.ts'
import { nearest } from './text.ts'
import { version } from './version.ts'

const helpOptions = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' } } as const

/** Runs a command line. Returns the exit code: 0 done, 1 failed, 2 wrong usage. */
export async function run(argv: string[], io: Io): Promise<number> {
  const isJson = argv.includes('--json')
  const plain = createSession(io, isJson, () => resolveConnection({}, io.environment))
  try {
    const found = findCommand(argv)
    if (found.command !== null) return await runCommand(found.command, found.rest, io, isJson)
    const { words } = found
    if (words.length === 0 && argv.some((arg) => arg === '--version' || arg === '-v')) plain.out.line(version())
    else if (words.length === 0) printHelp(plain.out, version(), commands)
    else printGroupHelp(plain.out, words[0] ?? '', inGroup(words[0] ?? ''))
    return 0
  } catch (error) {
    return reportError(plain, error, 'Run "parley --help" for all commands.')
  }
}

async function runCommand(command: Command, rest: string[], io: Io, isJson: boolean): Promise<number> {
  let session = createSession(io, isJson, () => resolveConnection({}, io.environment))
  try {
    const { values, positionals } = parse(command, rest)
    if (values.help) {
      printCommandHelp(session.out, command)
      return 0
    }
    checkCount(command, positionals)
    session = createSession(io, isJson, () => resolveConnection(values, io.environment))
    return (await command.run(session, positionals, values)) ?? 0
  } catch (error) {
    return reportError(session, error, `Usage: ${usageOf(command)}\nRun "parley ${command.name} --help" for examples.`)
  }
}

const inGroup = (word: string): Command[] => commands.filter(({ name }) => name.startsWith(`${word} `))

interface Found {
  command: Command | null
  /** The arguments without the name of the command. */
  rest: string[]
  words: string[]
}

/** Finds the command. Its name may come after options, as in `parley --url http://… agents list`. */
function findCommand(argv: string[]): Found {
  const { tokens } = parseArgs({
    args: argv,
    options: { ...connectionOptions, ...helpOptions },
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const [first, second] = tokens.filter(({ kind }) => kind === 'positional')
  const wordOf = (token: typeof first): string => (token?.kind === 'positional' ? token.value : '')
  if (first && wordOf(first) === 'help') return { ...findCommand([...argv.slice(first.index + 1), '--help']) }
  if (first === undefined) {
    const unknown = argv.find((arg) => arg.startsWith('-') && !/^(-h|--help|-v|--version)$/.test(arg))
    if (unknown !== undefined) throw new UsageError(`Name a command. "${unknown}" alone does nothing.`)
    return { command: null, rest: argv, words: [] }
  }
  const without = (...indexes: number[]) => argv.filter((_, index) => !indexes.includes(index))
  const single = commands.find(({ name }) => name === wordOf(first))
  if (single) return { command: single, rest: without(first.index), words: [] }
  const group = inGroup(wordOf(first))
  if (group.length === 0)
    throw unknownCommand(wordOf(first), [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))])
  const wantsHelp = argv.includes('--help') || argv.includes('-h')
  if (second === undefined) {
    if (wantsHelp || argv.length === 1) return { command: null, rest: [], words: [wordOf(first)] }
    throw new UsageError(`Name a command: ${group.map(({ name }) => `parley ${name}`).join(', ')}.`)
  }
  const double = group.find(({ name }) => name === `${wordOf(first)} ${wordOf(second)}`)
  if (double) return { command: double, rest: without(first.index, second.index), words: [] }
  throw unknownCommand(
    `${wordOf(first)} ${wordOf(second)}`,
    group.map(({ name }) => name),
  )
}

function unknownCommand(given: string, known: string[]): UsageError {
  const close = nearest(given, known)
  return new UsageError(
    `There is no command "${given}".${close ? ` Did you mean "${close}"?` : ` There are: ${known.join(', ')}.`}`,
  )
}

type Parsed = { values: Record<string, string | boolean | (string | boolean)[] | undefined>; positionals: string[] }

function parse(command: Command, args: string[]): Parsed & { values: { [name: string]: never } } {
  const known = {
    ...(command.options ?? {}),
    ...(command.connects ? connectionOptions : {}),
    help: helpOptions.help,
  } as NonNullable<ParseArgsConfig['options']>
  try {
    return parseArgs({ args, options: known, allowPositionals: true }) as never
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    if (code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') throw new UsageError(message.split('. To specify')[0] ?? message)
    const [, flag = ''] = /'(-[^' ]*)/.exec(message) ?? []
    const close = nearest(flag.replace(/^-+/, ''), Object.keys(known))
    throw new UsageError(`Unknown option ${flag}.${close ? ` Did you mean --${close}?` : ''}`)
  }
}

function checkCount({ args = '' }: Command, given: string[]): void {
  const declared = args.split(' ').filter(Boolean)
  const missing = declared.filter((each) => each.startsWith('<'))[given.length]
  if (missing !== undefined) throw new UsageError(`${missing} is missing.`)
  const takesMore = declared.at(-1)?.includes('...') ?? false
  if (!takesMore && given.length > declared.length) {
    throw new UsageError(`"${given[declared.length]}" is one argument too many.`)
  }
}
