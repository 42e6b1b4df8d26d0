import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { folderOfTest } from '../../server/test/folder.ts'
import { startService } from '../../server/test/harness.ts'
import { type ApiDescription, validator } from '../src/config/schema.ts'
import { parseYaml } from '../src/config/yaml.ts'
import { CliError } from '../src/failures.ts'
import { importDify } from '../src/import/dify.ts'
import { importedText } from '../src/import/imported.ts'
import { parley } from './terminal.ts'

const fixture = fileURLToPath(new URL('fixtures/dify-agent.yml', import.meta.url))

it('imports an app of Dify', async () => {
  const service = await startService()
  const environment = { PARLEY_URL: service.url, PARLEY_TOKEN: service.token, ANTHROPIC_API_KEY: 'sk-1' }
  const run = (...flags: string[]) =>
    parley(['import', 'dify', fixture, ...flags], { environment, folder: folderOfTest() })
  const { code, out, err } = await run()
  expect(code).toBe(0)
  await expect(out).toMatchFileSnapshot('snapshots/dify-agent.yaml')
  const notes = err.trimEnd().split('\n').slice(1)
  for (const note of notes) expect(out).toContain(`# ${note}\n`)
  expect(out).not.toContain('not-to-be-copied')
  const applied = await run('--apply', '--yes')
  expect([applied.code, applied.err]).toEqual([0, err])
  expect((await run('--apply')).out).toMatch(/^0 to create, 0 to change/)
})

it('lists what an app needs that is not in its file', () => {
  const { resources, notes } = importDify({
    app: { mode: 'chat', name: 'Shop' },
    model_config: {
      model: { provider: 'langgenius/tongyi/tongyi', name: 'qwen-max' },
      dataset_configs: { datasets: { datasets: [{ dataset: { id: 'd1' } }] }, reranking_enable: true },
    },
  })
  expect(resources.models[0]).toMatchObject({ provider: 'openai-compatible', api_key: `\${env:TONGYI_API_KEY}` })
  expect(notes).toEqual([
    'the documents of dataset d1: run parley sync "Dataset d1" FOLDER.',
    'the rerank model of the knowledge: set "rerank" of the retrieval tool.',
    'the provider "tongyi" of the model qwen-max: set the endpoint to one with the API of OpenAI.',
  ])
})

it('refuses files of other products', async () => {
  const service = await startService()
  const environment = { PARLEY_URL: service.url, PARLEY_TOKEN: service.token }
  const run = (stdin: string) => parley(['import', 'dify', '-'], { environment, stdin })
  expect((await run('{"app": ')).err).toMatch(/stdin:1:\d+: /)
  expect((await run('a: 1')).err).toMatch(/not an app of Dify/)
  for (const mode of ['workflow', 'advanced-chat', 'rag-pipeline'])
    expect((await run(`app: {mode: ${mode}}`)).err).toMatch(`the mode "${mode}" cannot be imported`)
})

/** Replaces random parts of a file, as other versions of the product or edits by hand would. */
function mutated(value: unknown, choose: () => number): unknown {
  const junk = [null, 7, '', 'text', [], {}, ['x'], { enabled: true, id: 3 }, true, '{{#a.b#}}', 'x'.repeat(300)]
  if (choose() < 0.04) return junk[Math.floor(choose() * junk.length)]
  if (Array.isArray(value)) return value.map((each) => mutated(each, choose))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mutated(each, choose)]))
}

it('makes a valid file of whatever it accepts', () => {
  const description: ApiDescription = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))
  const original = parseYaml(readFileSync(fixture, 'utf8'), 'x').value
  const validate = validator(description)
  let accepted = 0
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const value = mutated(original, randomNumbers(seed))
      try {
        const read = parseYaml(importedText(importDify(value)), 'x').value
        expect(validate(read)).toEqual([])
        accepted++
      } catch (error) {
        if (!(error instanceof CliError)) throw error
      }
    }),
    { numRuns: 200 },
  )
  expect(accepted).toBeGreaterThan(100)
})

/** Evenly distributed, unlike those of fast-check. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
