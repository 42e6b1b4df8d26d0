import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readConfig } from '../../src/kernel/config.ts'
import { documentedSettings } from '../architecture/deploy/files.ts'
import { type Block, root } from './blocks.ts'

/** Commands that install, start or deploy. They are recorded instead of run, and checked afterwards. */
const recorded = ['npm', 'docker', 'kubectl', 'systemctl']

const recorder = `#!/bin/sh
{ echo "$(basename "$0") $*"; env; } > "$RECORDED/$$"
`

/** The commands of the checkout are run, except those that would never end or need another machine. */
const npx = `#!/bin/sh
case "$1 $2" in
  "parley " | "parley serve" | "parley migrate") exec npm "$@" ;;
  "node examples/"*) test -f "${root}$2" ;; # examples/test runs them
  parley*) shift; exec "${process.execPath}" "${join(root, 'bin/parley.js')}" "$@" ;;
  *) echo "npx $*: there is no rule for this command" >&2; exit 1 ;;
esac
`

const prelude = `
curl() { command curl --silent --show-error --fail-with-body "$@"; }
`

/** Runs the blocks of a page in one shell, so that a block can use the variables of those before it. */
export async function runShell(blocks: Block[], folder: string, environment: Record<string, string>): Promise<string> {
  const bin = join(folder, '.bin')
  const calls = join(folder, '.calls')
  mkdirSync(bin)
  mkdirSync(calls)
  writeFileSync(join(bin, recorded[0] as string), recorder)
  for (const name of recorded.slice(1)) symlinkSync(join(bin, recorded[0] as string), join(bin, name))
  writeFileSync(join(bin, 'npx'), npx)
  for (const name of [recorded[0] as string, 'npx']) chmodSync(join(bin, name), 0o755)
  const env = { ...environment, RECORDED: calls, PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`, HOME: folder }
  const script = [prelude, ...blocks.map(commands)].join('\n')
  const { stdout } = await promisify(execFile)('bash', ['-eo', 'pipefail', '-c', script], { env, cwd: folder })
  for (const call of readdirSync(calls)) checkCall(readFileSync(join(calls, call), 'utf8'), env)
  return stdout
}

/** Settings are checked as the start would. */
const commands = ({ language, code, line }: Block): string =>
  `echo "--- line ${line}" >&2\n${language === 'ini' ? `(set -a\n${code}\nnpm start)` : code}`

function checkCall(call: string, outer: Record<string, string>): void {
  const [command = '', ...variables] = call.trimEnd().split('\n')
  const [name, ...words] = command.split(' ')
  for (const word of words)
    if (/^deploy\//.test(word) && !existsSync(join(root, word))) throw new Error(`${command}: there is no ${word}`)
  if (name !== 'npm') return
  const [verb = '', script = ''] = words.filter((word) => !/^--?\w/.test(word))
  if (verb === 'start') checkSettings(variables, outer)
  else if (verb === 'run') {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const { scripts: client } = JSON.parse(readFileSync(join(root, 'client/package.json'), 'utf8'))
    if (!(script in scripts) && !(script in client)) throw new Error(`${command}: there is no such script`)
  } else if (!['install', 'ci', 'test', 'pack', 'parley'].includes(verb))
    throw new Error(`${command}: no rule for this`)
}

function checkSettings(variables: string[], outer: Record<string, string>): void {
  const settings = Object.fromEntries(
    variables
      .map((line): [string, string] => [line.split('=')[0] ?? '', line.slice(line.indexOf('=') + 1)])
      .filter(([name]) => !(name in outer) && !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(name)),
  )
  const known = documentedSettings()
  for (const name of Object.keys(settings))
    if (!known.has(name) && !/^(AWS|OTEL)_/.test(name)) throw new Error(`docs/operations.md does not list ${name}`)
  readConfig(settings)
}
