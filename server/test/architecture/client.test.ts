import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { build } from 'vite'
import { expect, it, onTestFinished } from 'vitest'
import { schemaText } from '../../../client/generate.ts'

const folder = fileURLToPath(new URL('../../../client/', import.meta.url))

it("the client's types match openapi.json (npm run client updates them)", async () => {
  expect(readFileSync(join(folder, 'src/schema.ts'), 'utf8') === (await schemaText())).toBe(true)
})

it('the client package passes publint and arethetypeswrong', async () => {
  const target = mkdtempSync(join(tmpdir(), 'parley-client-'))
  onTestFinished(() => rmSync(target, { recursive: true, force: true }))
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: folder })
  execFileSync('npm', ['pack', '--silent', '--pack-destination', target], { cwd: folder })
  const tarball = new Uint8Array(readFileSync(join(target, 'parley-client-0.1.0.tgz')))
  const { messages } = await publint({ pack: { tarball: tarball.buffer }, strict: true })
  expect(messages).toEqual([])
  const analysis = await checkPackage(createPackageFromTarballData(tarball))
  // The package is ESM only. CommonJS uses import().
  const problems = analysis.types ? analysis.problems.filter(({ kind }) => kind !== 'CJSResolvesToESM') : ['no types']
  expect(problems).toEqual([])
}, 60_000)

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
