import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderOfTest } from '../../server/test/folder.ts'
import { startService } from '../../server/test/harness.ts'
import { connected, parley } from './terminal.ts'

it('init writes a file that apply takes as it is, and never overwrites one', async () => {
  const service = await startService()
  const environment = connected({ ...service, token: await service.tokenFor('editor') })
  const folder = folderOfTest()
  const run = (...argv: string[]) => parley(argv, { environment, folder })
  const made = await run('init')
  expect([made.err, made.code, made.out]).toEqual(['', 0, expect.stringContaining('Wrote workspace.yaml')])
  const applied = await run('apply', 'workspace.yaml', '--yes')
  expect([applied.err, applied.out]).toEqual(['', expect.stringContaining('Applied 4 changes.')])
  expect((await run('diff', 'workspace.yaml')).out).toBe('0 to create, 0 to change, 4 unchanged.\n')

  writeFileSync(join(folder, 'workspace.yaml'), 'mine')
  const refused = await run('init')
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('workspace.yaml exists already.')])
  expect(readFileSync(join(folder, 'workspace.yaml'), 'utf8')).toBe('mine')
  expect((await run('init', 'other.yaml')).code).toBe(0)
  const missing = await run('init', 'no/such/folder.yaml')
  expect([missing.code, existsSync(join(folder, 'no'))]).toEqual([1, false])
})

it('diff exits with 2 if something would change, 0 if nothing would, 1 for any failure', async () => {
  const service = await startService()
  const folder = folderOfTest()
  const environment = connected(service)
  const file = 'parley: 1\nagents:\n  - name: A\n    temperature: 0.5\n'
  const diff = (stdin: string, ...flags: string[]) => parley(['diff', '-', ...flags], { environment, folder, stdin })
  const isNew = await diff(file)
  expect([isNew.code, isNew.err, isNew.out]).toEqual([2, '', expect.stringContaining('+ agent "A"')])
  expect((await service.get('/agents')).body.data).toEqual([])
  await service.post('/agents', { name: 'A', temperature: 0.5 })
  await service.post('/agents', { name: 'B' })
  expect((await diff(file)).code).toBe(0)
  expect((await diff(file, '--prune')).code).toBe(2)
  const json = await diff(file.replace('0.5', '0.6'), '--json')
  expect([json.code, JSON.parse(json.out)]).toEqual([
    2,
    { changes: [{ section: 'agents', name: 'A', action: 'change', fields: [expect.anything()], secrets: [] }] },
  ])
  const failures: [string[], object][] = [
    [['diff'], {}],
    [['diff', '-', '--nonsense'], {}],
    [['diff', '-', 'more'], {}],
    [['diff', '-', '--url'], {}],
    [['diff', '-', '--url', 'nonsense'], {}],
    [['diff', 'missing.yaml'], {}],
    [['diff', '-'], { stdin: 'parley: 1\nagnets: []' }],
    [['diff', '-'], { environment: { ...environment, PARLEY_TOKEN: 'parley_wrong' } }],
    [['diff', '-'], { environment: { ...environment, PARLEY_URL: 'http://127.0.0.1:1' } }],
  ]
  for (const [argv, terminal] of failures) {
    const { code, err } = await parley(argv, { environment, folder, stdin: file, ...terminal })
    expect([argv, code, err]).toEqual([argv, 1, expect.stringMatching(/^Error: /)])
  }
})

it('reports all unknown references of a file at once, each with its place, beside what else is wrong', async () => {
  const service = await startService()
  const environment = connected(service)
  const file = (agent: string) => `parley: 1
rag_tools:
  - name: Search
    knowledge_source: No source
    embedding_model: No embedding
retrieval_tools:
  - name: Both
    knowledge_sources: [No first, No second]
agents:
  - name: A
    model: No model
    prompt_template: No template
    fallback_models:
      - No fallback
    tools:
      - Search
      - No tool
    tool_choice: auto
${agent}evaluations:
  - name: E
    type: agent
    target: No agent
    test_cases: [{input: x}]
    scorers:
      - type: llm_judge
        config:
          rubric: Polite?
          model: No judge
      - type: tool_called
        config: {tool: of_an_mcp_server}
thresholds:
  - {name: T, metric: cost, limit: 1, window: day, action: block, entity_type: token, entity: No token}
`
  const errorPlaces = async (text: string) => {
    const { code, err } = await parley(['apply', '-', '--yes'], { environment, stdin: text })
    expect(code).toBe(1)
    return [...err.matchAll(/^stdin:(\d+:\d+): ([^:]+): .*?(?:"(No [^"]+)"|$)/gm)].map((match) => match.slice(1, 4))
  }
  const unknown = [
    ['4:5', 'rag_tools[0].knowledge_source', 'No source'],
    ['5:5', 'rag_tools[0].embedding_model', 'No embedding'],
    ['8:25', 'retrieval_tools[0].knowledge_sources[0]', 'No first'],
    ['8:35', 'retrieval_tools[0].knowledge_sources[1]', 'No second'],
    ['11:5', 'agents[0].model', 'No model'],
    ['12:5', 'agents[0].prompt_template', 'No template'],
    ['14:9', 'agents[0].fallback_models[0]', 'No fallback'],
    ['17:9', 'agents[0].tools[1]', 'No tool'],
    ['22:5', 'evaluations[0].target', 'No agent'],
    ['28:11', 'evaluations[0].scorers[0].config.model', 'No judge'],
    ['32:87', 'thresholds[0].entity', 'No token'],
  ]
  expect((await errorPlaces(file(''))).toSorted()).toEqual(unknown.toSorted())
  const invalid = await errorPlaces(file('    temprature: 1\n    topics: 5\n'))
  expect(invalid.map(([, field]) => field).toSorted()).toEqual(
    [...unknown.map(([, field]) => field), 'agents[0].temprature', 'agents[0].topics'].toSorted(),
  )
  // A file that has no shape at all gets that one error, because nothing in it can be checked.
  for (const text of [
    'parley: 1\nagents: 5',
    'parley: 1\nagents: [5, null, [1]]',
    'parley: 1\nagents:\n  - tools: {a: 1}',
  ])
    expect((await parley(['apply', '-'], { environment, stdin: text })).err).toMatch(/^Error: The file is not valid\./)
})
