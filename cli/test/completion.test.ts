import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderOfTest } from '../../server/test/folder.ts'
import { commands } from '../src/commands/index.ts'
import { connectionOptions } from '../src/connection.ts'
import { parley } from './terminal.ts'

const script = async (shell: string): Promise<string> => {
  const { code, out, err } = await parley(['completion', shell])
  expect([code, err]).toEqual([0, ''])
  return out
}

it('completes commands, options and values in bash', async () => {
  const folder = folderOfTest()
  writeFileSync(join(folder, 'parley.bash'), await script('bash'))
  // One shell completes all lines: starting one for each takes most of the time.
  const completeAll = (lines: string[][]): string[][] => {
    const program = `set -u; source parley.bash; while read -r -a COMP_WORDS; do
      [[ \${COMP_WORDS[-1]} == @ ]] && COMP_WORDS[-1]=
      COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); COMPREPLY=(); _parley; echo "\${COMPREPLY[*]-}"; done`
    const input = lines.map((words) => `${['parley', ...words.map((word) => word || '@')].join(' ')}\n`).join('')
    const out = execFileSync('bash', ['-c', program], { cwd: folder, encoding: 'utf8', input })
    return out
      .split('\n')
      .slice(0, -1)
      .map((line) => line.split(/\s+/).filter(Boolean).sort())
  }
  const completed = (...words: string[]): string[] | undefined => completeAll([words])[0]
  const first = [...new Set(commands.map(({ name }) => name.split(' ')[0]))].sort()
  expect(completed('')).toEqual(first)
  expect(completed('ag')).toEqual(['agents'])
  expect(completed('agents', '')).toEqual(['create', 'delete', 'get', 'list'])
  expect(completed('agents', 'list', '--js')).toEqual(['--json'])
  expect(completed('--url', 'agents', 'ev')).toEqual(['eval'])
  expect(completed('diff', 'apply', '--')).toEqual(
    ['--help', '--json', '--profile', '--prune', '--token', '--update-secrets', '--url', '--workspace'].sort(),
  )
  expect(completed('completion', '')).toEqual(['bash', 'fish', 'zsh'])
  // Files are left to the shell.
  expect(completed('apply', '')).toEqual([])
  expect(completed('eval', 'run', 'x', '--junit', '')).toEqual([])
  const ownOptions = completeAll(commands.map(({ name }) => [...name.split(' '), '--']))
  for (const [n, { name, options = {}, connects }] of commands.entries()) {
    const declared = Object.keys({ ...options, ...(connects && connectionOptions), help: true })
    expect([name, ownOptions[n]]).toEqual([name, declared.map((each) => `--${each}`).sort()])
  }
})

it.each(['zsh', 'fish'])('prints all commands and options for %s', async (shell) => {
  const text = await script(shell)
  for (const { name, summary, options = {} } of commands) {
    const own = text.split('\n').filter((line) => line.includes(name.split(' ').at(-1) ?? ''))
    expect([name, own.some((line) => line.includes(summary))]).toEqual([name, true])
    for (const [option, { description }] of Object.entries(options))
      expect(text).toContain(shell === 'zsh' ? `--${option}:${description}` : `-l ${option} `)
  }
  // The shell checks the syntax where it is installed.
  const file = join(folderOfTest(), `parley.${shell}`)
  writeFileSync(file, text)
  const checked = spawnSync(shell, ['-n', file], { encoding: 'utf8' })
  if (checked.error === undefined) expect([checked.status, checked.stderr]).toEqual([0, ''])
})

it('refuses other shells', async () => {
  const { code, err } = await parley(['completion', 'tcsh'])
  expect([code, err]).toEqual([2, expect.stringContaining('only for bash, zsh and fish')])
})
