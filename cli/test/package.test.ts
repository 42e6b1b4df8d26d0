import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { expect, it } from 'vitest'
import { folderOfTest } from '../../server/test/folder.ts'
import { startService } from '../../server/test/harness.ts'
import { connected } from './terminal.ts'

const source = fileURLToPath(new URL('..', import.meta.url))
const call = promisify(execFile)
const manifest = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

it('the package of the command line is small, and works alone in an empty folder', async () => {
  const folder = folderOfTest()
  await call('npm', ['run', '--silent', 'build'], { cwd: source }) // .npmrc ignores the script that would
  await call('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: source })
  const [name = '', ...others] = readdirSync(folder)
  expect([name, others]).toEqual([`parley-cli-${manifest(join(source, '..')).version}.tgz`, []])
  const tarball = new Uint8Array(readFileSync(join(folder, name)))
  expect((await publint({ pack: { tarball: tarball.buffer }, strict: true })).messages).toEqual([])
  process.stdout.write(`The package of the command line is ${tarball.length} bytes.\n`)
  expect(tarball.length).toBeLessThan(200 * 1024)

  writeFileSync(join(folder, 'package.json'), '{}')
  await call('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${name}`], { cwd: folder })
  expect(readdirSync(join(folder, 'node_modules')).filter((each) => !each.startsWith('.'))).toEqual(['@parley'])
  const installed = join(folder, 'node_modules/@parley/cli')
  expect(statSync(join(installed, 'dist/licenses.md')).size).toBeGreaterThan(0)

  const service = await startService()
  const environment = { ...connected(service), HOME: folder, XDG_CONFIG_HOME: folder }
  const program = join(folder, 'node_modules/.bin/parley')
  const parley = async (...args: string[]) =>
    (await call(process.execPath, [program, ...args], { cwd: folder, env: environment })).stdout
  const help = await parley('--help')
  expect(help).toContain('agents list')
  expect(help).not.toMatch(/\b(serve|migrate|backup|restore|checkout)\b/)
  expect(await parley('--version')).toBe(`${manifest(source).version}\n`)
  expect(await parley()).toBe(help)
  await parley('init')
  expect(await parley('apply', 'workspace.yaml', '--yes')).toContain('Applied 4 changes.')
  expect(JSON.parse(await parley('agents', 'list', '--json'))).toMatchObject([{ name: 'Starter assistant' }])
  expect(await parley('export')).toContain('Starter notes')
  expect(await parley('doctor')).toMatch(/✓ Service: /)
  const failed = parley('agents', 'get', 'Nobody')
  await expect(failed).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('There is no agent "Nobody"') })
  const refused = parley('agents', 'list', '--token', 'parley_wrong')
  await expect(refused).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('(invalid_token)') })
})
