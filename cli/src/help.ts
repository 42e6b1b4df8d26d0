import type { Command } from './command.ts'
import { connectionOptions } from './connection.ts'
import type { Option, Options } from './options.ts'
import type { Printer } from './printer.ts'
import { wrap } from './text.ts'

const maxWidth = 100

const flagOf = (name: string, { short, value, type }: Option): string =>
  `${short ? `-${short}, ` : ''}--${name}${type === 'string' ? ` <${value ?? 'text'}>` : ''}`

export const usageOf = ({ name, args, options, connects }: Command): string =>
  ['parley', name, args, (connects || Object.keys(options ?? {}).length > 0) && '[options]'].filter(Boolean).join(' ')

function printPairs(out: Printer, pairs: [string, string][]): void {
  const indent = Math.min(30, Math.max(...pairs.map(([left]) => left.length))) + 4
  const width = Math.min(out.width ?? maxWidth, maxWidth) - indent
  for (const [left, right] of pairs) {
    const [first = '', ...rest] = wrap(right, Math.max(20, width))
    if (left.length > indent - 4) out.line(`  ${left}\n${' '.repeat(indent)}${first}`)
    else out.line(`  ${left.padEnd(indent - 2)}${first}`)
    for (const line of rest) out.line(' '.repeat(indent) + line)
  }
}

const optionPairs = (options: Options): [string, string][] =>
  Object.entries(options).map(([name, option]) => [flagOf(name, option), option.description])

export function printCommandHelp(out: Printer, command: Command): void {
  const title = (text: string) => out.line(`\n${out.paint('bold', text)}`)
  out.line(command.summary)
  title('Usage')
  out.line(`  ${usageOf(command)}`)
  if (command.details) {
    out.line()
    out.line(command.details)
  }
  title('Options')
  printPairs(out, [...optionPairs(command.options ?? {}), ['-h, --help', 'Show this help']])
  if (command.connects) {
    title('Connection')
    printPairs(out, optionPairs(connectionOptions))
  }
  title('Examples')
  for (const example of command.examples) out.line(`  ${example}`)
}

/** The help of `parley agents`: the commands that start with this word. */
export function printGroupHelp(out: Printer, group: string, commands: Command[]): void {
  out.line(`${out.paint('bold', 'Usage')}\n  parley ${group} <command> [options]`)
  out.line(`\n${out.paint('bold', 'Commands')}`)
  printPairs(
    out,
    commands.map(({ name, args, summary }) => [[name, args].filter(Boolean).join(' '), summary]),
  )
  out.line(`\nRun "parley ${group} <command> --help" for its options.`)
}

export function printHelp(out: Printer, version: string, commands: Command[]): void {
  const title = (text: string) => out.line(`\n${out.paint('bold', text)}`)
  out.line(`Parley ${version}: a self-hosted platform for conversational AI agents`)
  title('Usage')
  out.line('  parley <command> [options]')
  title('Commands')
  printPairs(out, overview(commands))
  title('Connection')
  printPairs(out, optionPairs(connectionOptions))
  out.line(
    '  Flags come before the environment, then the profile that "parley login" saved, then the service of this checkout.',
  )
  title('Examples')
  for (const example of ['parley serve', 'parley chat Guide', 'parley agents list --json', 'parley doctor']) {
    out.line(`  ${example}`)
  }
  out.line('\nExit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted.')
  out.line('Run "parley <command> --help" for its options and examples.')
}

/** One line for a command, one for a group of commands. */
function overview(commands: Command[]): [string, string][] {
  const lines = new Map<string, [string, string]>()
  for (const { name, args, summary } of commands) {
    const [first = '', second] = name.split(' ')
    if (second === undefined) lines.set(name, [[name, args].filter(Boolean).join(' '), summary])
    else {
      const words = commands.flatMap((other) => (other.name.startsWith(`${first} `) ? other.name.split(' ')[1] : []))
      lines.set(first, words.length === 1 ? [`${name} ${args ?? ''}`.trim(), summary] : [first, words.join(', ')])
    }
  }
  return [...lines.values()]
}
