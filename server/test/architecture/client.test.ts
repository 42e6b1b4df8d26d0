import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { build } from 'vite'
import { expect, it, onTestFinished } from 'vitest'
import { generatedFiles } from '../../../client/generate.ts'

const folder = fileURLToPath(new URL('../../../client/', import.meta.url))

it("the client's types and methods match openapi.json (npm run client updates them)", async () => {
  const files = await generatedFiles()
  const stale = files.filter(({ file, text }) => readFileSync(file, 'utf8') !== text)
  expect(stale.map(({ file }) => file.pathname)).toEqual([])
})

it('the client package can be imported and required, and passes publint and arethetypeswrong', async () => {
  const target = mkdtempSync(join(tmpdir(), 'parley-client-'))
  onTestFinished(() => rmSync(target, { recursive: true, force: true }))
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: folder })
  execFileSync('npm', ['pack', '--silent', '--pack-destination', target], { cwd: folder })
  const file = join(target, 'parley-client-1.0.0.tgz')
  const tarball = new Uint8Array(readFileSync(file))
  const { messages } = await publint({ pack: { tarball: tarball.buffer }, strict: true })
  expect(messages).toEqual([])
  const analysis = await checkPackage(createPackageFromTarballData(tarball))
  expect(analysis.types ? analysis.problems : ['no types']).toEqual([])

  const installed = join(target, 'node_modules/@parley/client')
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', file, '-C', installed, '--strip-components=1'])
  const use = "console.log(typeof new Parley({ baseUrl: 'http://127.0.0.1' }).agents.list)"
  const scripts = {
    'import.mjs': `import { Parley } from '@parley/client'\n${use}`,
    'require.cjs': `const { Parley } = require('@parley/client')\n${use}`,
  }
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(target, name), script)
    expect([name, execFileSync(process.execPath, [join(target, name)], { encoding: 'utf8' })]).toEqual([
      name,
      'function\n',
    ])
  }
}, 300_000)

it('the client is small and does not use Node APIs', async () => {
  const built = await build({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    build: { write: false, lib: { entry: 'src/index.ts', formats: ['es'] }, rolldownOptions: { external: [/^node:/] } },
  })
  const code = [built].flat().flatMap((each) => ('output' in each ? each.output : []))
  const text = code.map((chunk) => ('code' in chunk ? chunk.code : '')).join('')
  expect(text).not.toMatch(/\bnode:|\brequire\(|\bprocess\.|\bBuffer\b/)
  expect(gzipSync(text).length).toBeLessThan(15 * 1024)
  process.stdout.write(`The client is ${gzipSync(text).length} bytes, gzipped.\n`)
})
