import { spellings, type Words } from './words.ts'

// Each script walks the words before the cursor to the command that they name. Values of options are skipped. Where nothing is known,
// such as the name of an agent, the shell completes files.

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
const list = (words: readonly string[]): string => words.map(quoted).join(' ')
const valued = ({ flags }: Words): string[] => spellings(flags.filter(({ takesValue }) => takesValue))

function bash(all: readonly Words[]): string {
  const cases = all.map((words) => {
    const names = [...words.commands.map(({ name }) => name), ...words.values]
    return [
      `    ${quoted(words.path)})`,
      `      words=${quoted(names.join(' '))}`,
      `      flags=${quoted(spellings(words.flags).join(' '))}`,
      `      valued=${quoted(valued(words).join(' '))} ;;`,
    ].join('\n')
  })
  return `# Completes parley in bash: source <(parley completion bash)
_parley_at() {
  case "$1" in
${cases.join('\n')}
    *) return 1 ;;
  esac
}

_parley() {
  local current="\${COMP_WORDS[COMP_CWORD]}" at='' word next words flags valued i
  _parley_at ''
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    next="\${at:+$at }$word"
    if [[ " $valued " == *" $word "* ]]; then ((i++))
    elif _parley_at "$next"; then at="$next"; fi
  done
  COMPREPLY=()
  if ((i > COMP_CWORD)); then return
  elif [[ $current == -* ]]; then COMPREPLY=($(compgen -W "$flags" -- "$current"))
  else COMPREPLY=($(compgen -W "$words" -- "$current")); fi
}

complete -o default -F _parley parley
`
}

function zsh(all: readonly Words[]): string {
  const cases = all.map((words) => {
    const described = words.commands.map(({ name, description }) => `${name}:${description}`)
    const flags = words.flags.flatMap((flag) => spellings([flag]).map((name) => `${name}:${flag.description}`))
    return [
      `    (${quoted(words.path)})`,
      `      subcommands=(${list([...described, ...words.values])})`,
      `      flags=(${list(flags)})`,
      `      valued=(${list(valued(words))}) ;;`,
    ].join('\n')
  })
  return `#compdef parley
# Completes parley in zsh: source <(parley completion zsh), after compinit. Or save it as _parley in a folder of $fpath.
_parley_at() {
  case "$1" in
${cases.join('\n')}
    (*) return 1 ;;
  esac
}

_parley() {
  local at='' word next i
  local -a subcommands flags valued
  _parley_at ''
  for ((i = 2; i < CURRENT; i++)); do
    word="\${words[i]}"
    next="\${at:+$at }$word"
    if ((\${valued[(Ie)$word]})); then ((i++))
    elif _parley_at "$next"; then at="$next"; fi
  done
  if ((i > CURRENT)); then _files
  elif [[ "\${words[CURRENT]}" == -* ]]; then _describe -o option flags
  elif (($#subcommands)); then _describe command subcommands
  else _files; fi
}

if [[ "\${funcstack[1]}" == _parley ]]; then _parley "$@"; else compdef _parley parley; fi
`
}

function fish(all: readonly Words[]): string {
  // Within quotes, fish escapes backslashes too.
  const text = (value: string): string => `'${value.replace(/[\\']/g, '\\$&')}'`
  const lines = all.flatMap((words) => {
    const start = `complete -c parley -n ${text(`__parley_at "${words.path}"`)}`
    return [
      ...words.commands.map(({ name, description }) => `${start} -f -a ${text(name)} -d ${text(description)}`),
      ...words.values.map((value) => `${start} -f -a ${text(value)}`),
      ...words.flags.map(
        ({ name, short, description, takesValue }) =>
          `${start} -l ${name.slice(2)}${short === null ? '' : ` -s ${short}`}${takesValue ? ' -r' : ''} -d ${text(description)}`,
      ),
    ]
  })
  const paths = all.map(({ path }) => path).filter(Boolean)
  const skipped = all.flatMap((words) => valued(words).map((flag) => `${words.path} ${flag}`.trim()))
  return `# Completes parley in fish: parley completion fish | source
set -g __parley_paths ${paths.map(text).join(' ')}
set -g __parley_valued ${skipped.map(text).join(' ')}

function __parley_at
    set -l at ''
    set -l skips 0
    set -l words (commandline -opc)
    set -e words[1]
    for word in $words
        set -l next (string trim -- "$at $word")
        if test $skips = 1
            set skips 0
        else if contains -- "$next" $__parley_valued
            set skips 1
        else if contains -- "$next" $__parley_paths
            set at "$next"
        end
    end
    test "$at" = "$argv[1]"
end

${lines.join('\n')}
`
}

export const scripts: Record<string, (all: readonly Words[]) => string> = { bash, zsh, fish }
