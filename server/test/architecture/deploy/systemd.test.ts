import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { findProgram } from '../../services/find.ts'
import { readText, root, startCommand } from './files.ts'

const unit = readText('deploy/parley.service')

it('the systemd unit runs the command of npm start', () => {
  const { environment, command } = startCommand()
  const started = /^ExecStart=(.*)$/m.exec(unit)?.[1]?.split(' ') ?? []
  expect([started[0]?.replace(/^.*\//, ''), ...started.slice(1)]).toEqual(command)
  expect(/^Environment=(.*)$/m.exec(unit)?.[1]?.split(' ')).toEqual(expect.arrayContaining(environment))
})

it('the systemd unit has no mistakes, and is exposed little', () => {
  const analyze = findProgram('systemd-analyze')
  if (analyze === null) return expect(unit).toContain('ProtectSystem=strict') // not a machine with systemd
  const folder = mkdtempSync(join(tmpdir(), 'parley-unit-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'parley.service')
  writeFileSync(file, unit.replaceAll('/opt/parley', root.replace(/\/$/, '')))
  execFileSync(analyze, ['verify', file])
  // From 0 to 100: 20 is 2.0 of 10. V8 needs writable and executable memory, which costs most of it.
  execFileSync(analyze, ['security', '--offline=true', '--threshold=20', file], { stdio: 'pipe' })
})
