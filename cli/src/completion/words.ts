import type { Command as Program } from 'commander'

interface Word {
  name: string
  description: string
}

interface Flag extends Word {
  /** Without its dash. */
  short: string | null
  takesValue: boolean
}

export interface Words {
  /** The words of the command: `agents list`; empty: the program itself. */
  path: string
  commands: Word[]
  flags: Flag[]
  /** The values of an argument that lists them: `<bash|zsh|fish>`. */
  values: string[]
}

/** All that can be typed, by command, as the help shows it. */
export function listWords(program: Program, path = ''): Words[] {
  const help = program.createHelp()
  const commands = help.visibleCommands(program)
  const flags = help.visibleOptions(program).map(({ long, short, description, required }) => ({
    name: long ?? '',
    short: short?.slice(1) ?? null,
    description,
    takesValue: required,
  }))
  const own: Words = {
    path,
    commands: commands.map((each) => ({ name: each.name(), description: each.summary() })),
    flags,
    values: program.registeredArguments.flatMap((each) => (each.name().includes('|') ? each.name().split('|') : [])),
  }
  return [own, ...commands.flatMap((each) => listWords(each, `${path} ${each.name()}`.trim()))]
}

/** The spellings of flags. */
export const spellings = (flags: readonly Flag[]): string[] =>
  flags.flatMap(({ name, short }) => (short === null ? [name] : [name, `-${short}`]))
