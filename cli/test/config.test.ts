import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { scorerKinds } from '../../server/src/features/evaluations/scorers/scorers.ts'
import { folderOfTest } from '../../server/test/folder.ts'
import { type Json, startService, type Workspace } from '../../server/test/harness.ts'
import { scorerDefaults } from '../src/config/canonical.ts'
import { type Outcome, parley, type Terminal } from './terminal.ts'

const secrets = {
  PARLEY_MODEL_GPT_API_KEY: 'sk-secret-of-the-model-1234',
  PARLEY_TOOL_LOOKUP_TOKEN: 'secret-of-the-tool',
  PARLEY_TOOL_TICKETS_VALUE: 'secret-of-tickets',
  PARLEY_TOOL_TICKETS_ADDITIONAL_0_PASSWORD: 'secret-of-basic',
}

/** Runs commands against a workspace, with the secrets in the environment. */
function makeCommands({ url, token }: Pick<Workspace, 'url' | 'token'>, more: Record<string, string> = secrets) {
  const environment = { PARLEY_URL: url, PARLEY_TOKEN: token, ...more }
  const folder = folderOfTest()
  return {
    run: (argv: string[], terminal: Terminal = {}) => parley(argv, { environment, folder, ...terminal }),
    apply(yaml: string, ...flags: string[]): Promise<Outcome> {
      writeFileSync(join(folder, 'workspace.yaml'), yaml)
      return parley(['apply', 'workspace.yaml', ...flags], { environment, folder })
    },
    export: async () => (await parley(['export'], { environment, folder })).out,
  }
}

/** One of everything, with most fields set. */
async function furnished(): Promise<Workspace> {
  const service = await startService()
  const made = async (path: string, body: object): Promise<string> => {
    const answer = await service.post(path, body)
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return answer.body.data.id
  }
  const model = await made('/models', {
    name: 'GPT',
    provider: 'openai',
    model_id: 'gpt-4o',
    api_key: secrets.PARLEY_MODEL_GPT_API_KEY,
    pricing: { input: 0.0025, output: 0.01 },
    is_default: true,
  })
  const embedding = await made('/models', {
    name: 'Embedder',
    provider: 'ollama',
    model_id: 'nomic-embed-text',
    type: 'embedding',
  })
  const template = await made('/prompt-templates', {
    name: 'Tutor',
    template: 'You are {{persona}}.\n\n  Answer in {{language}}:\n- briefly\n- "kindly" # always\n',
  })
  const files = await made('/knowledge-sources', {
    name: 'Handbook',
    type: 'file',
    configuration: { file_types: ['pdf', 'md'] },
    access: { groups: ['staff', 'board'] },
    access_rules: [{ path: 'secret/**', access: { users: ['ada'] } }],
  })
  const documents = [
    { title: 'Tea', content: 'Green tea:\n80 degrees.\n', metadata: { year: 2024 } },
    { title: 'No', content: 'yes' },
  ]
  const text = await made('/knowledge-sources', { name: 'Notes', type: 'text', configuration: { documents } })
  const lookup = await made('/api-tools', {
    name: 'lookup',
    description: 'Looks an order up.',
    url: 'https://api.example.com/orders/{id}',
    query: { verbose: true, lang: '{lang}' },
    parameters: {
      type: 'object',
      properties: { id: { type: 'string' }, lang: { enum: ['de', 'en'] } },
      required: ['id'],
    },
    auth: { type: 'bearer', token: secrets.PARLEY_TOOL_LOOKUP_TOKEN },
    requires_approval: true,
    approvers: { groups: ['finance'], exclude_requester: true },
  })
  const tickets = await made('/api-tools', {
    name: 'tickets',
    type: 'mcp',
    description: 'Tickets',
    url: 'https://mcp.example.com/mcp',
    tools: [{ name: 'search' }, { name: 'create', requires_approval: true }],
    auth: {
      type: 'api_key',
      value: secrets.PARLEY_TOOL_TICKETS_VALUE,
      additional: [{ type: 'basic', username: 'u', password: secrets.PARLEY_TOOL_TICKETS_ADDITIONAL_0_PASSWORD }],
    },
  })
  const search = { knowledge_source_id: files, chunk_size: 200, embedding_model: embedding, model_id: 'gpt-4o' }
  const rag = await made('/rag-tools', { name: 'Search', ...search })
  const both = await made('/retrieval-tools', {
    name: 'Search',
    knowledge_source_ids: [text, files],
    rerank: 'mmr',
    weights: { vector: 2, keyword: 1 },
    filters: { year: { gte: 2020 } },
  })
  const agent = await made('/agents', {
    name: 'Support',
    description: 'Answers: politely',
    prompt_template_id: template,
    prompt_variables: { persona: 'a tutor', language: 'German' },
    model_id: 'gpt-4o',
    temperature: 0.2,
    stop: ['END'],
    tools: [rag, both, lookup, tickets],
    tool_choice: lookup,
    fallback_model_ids: [model],
    topics: ['orders'],
    metadata: { team: '1', yes: 'no' },
    access: { groups: ['staff'] },
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'answer', schema: { type: 'object', properties: { text: { type: 'string' } } } },
    },
  })
  const plain = await made('/agents', { name: 'Plain', system_prompt: 'One line', access: {} })
  const desk = await made('/agents', { name: 'Desk', tools: [plain], handoffs: [agent] })
  expect((await service.put(`/agents/${agent}`, { handoffs: [desk] })).status).toBe(200)
  await made('/evaluations', {
    name: 'Nightly',
    type: 'agent',
    target_id: agent,
    test_cases: [
      { input: 'Hello', expected_output: 'Hi' },
      { input: 'Order 7?\nNow!', metadata: { page: 3 } },
    ],
    scorers: [
      { type: 'contains', config: { ignore_case: true } },
      { type: 'llm_judge', threshold: 0.9, config: { rubric: 'Polite?', model_id: model } },
      { type: 'tool_called', config: { tool: lookup } },
      { type: 'retrieval_hit', config: { k: 4 } },
    ],
    pass_threshold: 0.9,
  })
  await made('/evaluations', { name: 'Retrieval', type: 'rag_tool', target_id: rag, test_cases: [{ input: 'x' }] })
  const budget = { metric: 'cost', limit: 12.5, window: 'month', action: 'block' }
  const action = { type: 'message', agent_id: agent, message: 'Report' }
  await made('/schedules', { name: 'Mornings', cron: '0 9 * * 1-5', timezone: 'Europe/Berlin', action })
  await made('/schedules', { name: 'Sync', cron: '0 3 * * *', action: { type: 'sync', knowledge_source_id: files } })
  await made('/triggers', { name: 'Tickets', agent_id: agent, template: 'New: {{body.title}}' })
  await made('/usage/thresholds', { name: 'All', ...budget })
  await made('/usage/thresholds', { name: 'Agent', ...budget, entity_type: 'agent', entity_id: agent })
  await made('/usage/thresholds', { name: 'Ada', ...budget, entity_type: 'user', entity_id: 'ada' })
  const scorers = [
    { type: 'llm_judge', config: { rubric: 'Polite?', model_id: model } },
    { type: 'latency', config: { max_ms: 2000 } },
  ]
  await made('/monitors', { name: 'Live', agent_id: agent, scorers, sample_rate: 0.5, alert: { below: 0.6 } })
  const label = async (path: string, name: string, body: object) =>
    expect((await service.put(`${path}/labels/${name}`, body)).status).toBe(200)
  await label(`/agents/${plain}`, 'production', { version: 1 })
  await label(`/agents/${plain}`, 'canary', { version: 1 })
  await label(`/prompt-templates/${template}`, 'production', { version: 1 })
  const variants = ['production', 'canary'].map((name, weight) => ({ label: name, weight: weight + 1 }))
  await made('/experiments', { name: 'Canary', agent_id: plain, variants, metric: 'feedback' })
  await made('/webhooks', { url: 'https://example.com/hook', events: ['evaluation.finished'], description: 'CI' })
  return service
}

it('exports a workspace that becomes the same one elsewhere', async () => {
  const from = makeCommands(await furnished())
  const exported = await from.run(['export'])
  expect([exported.code, exported.err]).toEqual([
    0,
    expect.stringContaining('PARLEY_TOOL_LOOKUP_TOKEN: auth.token of the API tool "lookup"'),
  ])
  const yaml = exported.out
  for (const secret of Object.values(secrets)) expect(yaml).not.toContain(secret)
  await expect(yaml).toMatchFileSnapshot('snapshots/workspace.yaml')

  const same = await from.apply(yaml)
  expect([same.code, same.err, same.out]).toEqual([
    0,
    '',
    expect.stringMatching(/^0 to create, 0 to change, 26 unchanged\./),
  ])

  const target = await startService()
  const to = makeCommands(target)
  const preview = await to.apply(yaml, '--dry-run')
  expect(preview.out).toMatch(/\+ model "GPT"\n {4}provider: openai[\s\S]*26 to create, 0 to change, 0 unchanged\./)
  expect((await target.get('/agents')).body.data).toEqual([])
  const refused = await to.apply(yaml)
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('Pass --yes')])
  const applied = await to.apply(yaml, '--yes')
  expect([applied.err, applied.code]).toEqual(['', 0])
  expect(applied.out).toContain('Applied 26 changes.')
  for (const secret of Object.values(secrets)) expect(applied.out).not.toContain(secret)
  expect(await to.export()).toBe(yaml)
  const again = await to.apply(yaml, '--yes')
  expect(again.out).toMatch(/^0 to create, 0 to change, 26 unchanged\.\n4 secrets stay as stored/)
  expect((await target.get('/agents')).body.data).toHaveLength(3)
})

it('labels versions by number or as the newest, and reports versions that do not exist', async () => {
  const service = await startService()
  const { apply, export: exportAll } = makeCommands(service)
  const file = (prompt: string, labels: string) =>
    `parley: 1\nagents:\n  - name: A\n    system_prompt: ${prompt}\nevaluations:\n  - name: E\n    type: agent\n    target: A\n    test_cases:\n      - input: x\nlabels:\n${labels}`
  const production = (version: string, gate = '') =>
    `  - label: production\n    agent: A\n    version: ${version}\n${gate}`
  const labels = async () => {
    const [agent] = (await service.get('/agents')).body.data
    return (await service.get(`/agents/${agent.id}/labels`)).body.data
  }
  const none = await apply(file('One', production('2')), '--yes')
  expect([none.code, none.err]).toEqual([
    1,
    expect.stringMatching(/yaml:14:5: .*version: does not exist: the newest version of "A" is 1\. Write "newest"/),
  ])
  const neither = await apply(file('One', '  - label: production\n    version: 1\n'), '--yes')
  expect(neither.err).toContain('must have an agent or a prompt_template')
  expect((await service.get('/agents')).body.data).toEqual([])

  expect(await apply(file('One', production('newest')), '--yes')).toMatchObject({ code: 0, err: '' })
  expect(await labels()).toMatchObject([{ label: 'production', version: 1, gate: null }])
  const moved = await apply(file('Two', production('newest')), '--yes')
  expect(moved.out).toMatch(/~ label "production of agent A"\n {4}version: 1 → newest\n/)
  expect(await labels()).toMatchObject([{ version: 2, previous_version: 1 }])
  expect((await apply(file('Two', production('newest')), '--yes')).out).toMatch(
    /^0 to create, 0 to change, 3 unchanged/,
  )

  const back = await apply(file('Two', production('1')), '--yes')
  expect(back.out).toMatch(/version: 2 → 1\n0 to create, 1 to change, 2 unchanged/)
  expect(await exportAll()).toMatch(/labels:\n {2}- label: production\n {4}agent: A\n {4}version: 1\n$/)
  const gated = await apply(file('Two', production('newest', '    gate: E\n')), '--yes')
  expect([gated.code, gated.err]).toEqual([
    1,
    expect.stringMatching(/label "production of agent A" could not be chan.*E/s),
  ])
  expect(await labels()).toMatchObject([{ version: 1 }])
  expect((await apply('parley: 1\nlabels: []\n', '--yes', '--prune')).out).toContain('Deleted label')
  expect(await labels()).toEqual([])
})

it('shows each difference, changes only that, and goes on after a failure', async () => {
  const service = await startService()
  const { apply, export: exportAll, run } = makeCommands(service)
  const file = (agents: string, more = '') => `parley: 1\nagents:\n${agents}${more}`
  const first = file(
    '  - name: A\n    system_prompt: |\n      One\n      Two\n      Three\n    temperature: 0.5\n    access: {groups: [hr]}\n  - name: B\n    topics: [x]\n',
  )
  expect((await apply(first, '--yes')).code).toBe(0)
  const changed = file(
    '  - name: A\n    system_prompt: |\n      One\n      2\n      Three\n  - name: B\n    topics: [x]\n',
  )
  const shown = await apply(changed, '--dry-run')
  expect(shown.out).toBe(
    [
      '~ agent "A"',
      '    system_prompt:',
      '        One',
      '      - Two',
      '      + 2',
      '        Three',
      '    temperature: 0.5 → (default)',
      '    access: { groups: [ hr ] } → (default)',
      '    Everyone may see it then.',
      '0 to create, 1 to change, 1 unchanged.',
      '',
    ].join('\n'),
  )
  const json = JSON.parse((await apply(changed, '--dry-run', '--json')).out)
  expect(json).toMatchObject({ applied: false, changes: [{ section: 'agents', name: 'A', action: 'change' }] })
  expect((await apply(changed, '--yes')).out).toContain('Changed agent "A"')
  const [a] = (await service.get('/agents?q=A')).body.data
  const { temperature, access, version } = (await service.get(`/agents/${a.id}`)).body.data
  expect([temperature, access, version]).toEqual([null, null, 2])

  // The second one is refused by the service; the first stays, and the next attempt goes on.
  const broken = file(
    '  - name: C\n  - name: D\n    prompt_template: T\n',
    'prompt_templates:\n  - name: T\n    template: "{{who}}"\n',
  )
  const stopped = await apply(broken, '--yes')
  expect([stopped.code, stopped.err]).toEqual([
    1,
    expect.stringMatching(
      /workspace\.yaml:4:5: agent "D" could not be created: prompt_variables.*who.*\n.*2 of 3 changes were made\./s,
    ),
  ])
  const mended = await apply(
    broken.replace('    prompt_template: T\n', '    prompt_template: T\n    prompt_variables: {who: me}\n'),
    '--yes',
  )
  expect(mended.out).toMatch(/^\+ agent "D"[\s\S]*1 to create, 0 to change, 2 unchanged[\s\S]*Applied one change\./)

  // Agents that pass conversations on to each other, and are tools of each other, go together.
  const agents = (await service.get('/agents')).body.data
  const [b, c, d] = ['B', 'C', 'D'].map((name) => agents.find((each: { name: string }) => each.name === name).id)
  expect((await service.put(`/agents/${b}`, { handoffs: [c], tools: [d] })).status).toBe(200)
  expect((await service.put(`/agents/${c}`, { handoffs: [b, d], tools: [b] })).status).toBe(200)
  const pruned = await apply(file('  - name: A\n    system_prompt: x\n'), '--prune', '--dry-run')
  expect(pruned.out).toMatch(/(- agent "[BCD]"\n){3}0 to create, 1 to change, 3 to delete, 0 unchanged/)
  const applied = await apply(file('  - name: A\n    system_prompt: x\n'), '--prune', '--yes')
  expect([applied.code, applied.err]).toEqual([0, ''])
  expect(await exportAll()).toContain('agents:\n  - name: A\n    system_prompt: x\n')
  const typed = await run(['apply', '-'], { stdin: 'parley: 1\n' })
  expect(typed.out).toBe('0 to create, 0 to change, 0 unchanged.\n')
})

it('checks the whole file before it writes anything, and says where', async () => {
  const service = await startService()
  const { apply, export: exportAll } = makeCommands(service)
  const agents = (await Promise.all([1, 2].map(() => service.post('/agents', { name: 'Twice' })))).map(
    ({ body }) => body.data.id,
  )
  const wrong: [string, ...RegExp[]][] = [
    ['', /must be a map that starts with "parley: 1"/],
    ['agents: []', /parley is required/],
    ['parley: 2', /workspace\.yaml:1:1: parley: must be 1/],
    ['parley: 1\nagnets: []', /workspace\.yaml:2:1: agnets: is not a known key\. Did you mean "agents"\?/],
    [
      'parley: 1\nagents:\n  - name: A\n    temprature: 1',
      /workspace\.yaml:4:5: agents\[0\]\.temprature: .*"temperature"\?/,
    ],
    [
      'parley: 1\nagents:\n  - temperature: 3',
      /:3:5: agents\[0\]: name is required/,
      /:3:5: agents\[0\]\.temperature: must be <= 2/,
    ],
    ['parley: 1\nagents:\n  - name: A\n    id: agt_1', /is not a known key/],
    [
      'parley: 1\nagents:\n  - name: A\n    access: {group: [x]}',
      /:4:14: agents\[0\]\.access\.group: is not a known key/,
    ],
    [
      'parley: 1\nagents:\n  - name: A\n    tools: [None]',
      /:4:13: agents\[0\]\.tools\[0\]: there is no API tool or RAG tool or retrieval tool or agent "None"/,
    ],
    ['parley: 1\nagents:\n  - name: A\n  - name: A', /:4:5: agents\[1\]\.name: "A" is there twice/],
    [
      'parley: 1\nagents:\n  - name: Twice',
      new RegExp(`There are 2 agents .*"Twice" \\((${agents.join(', ')}|${agents.toReversed().join(', ')})\\)`),
    ],
    [
      'parley: 1\nmodels:\n  - name: M\n    provider: openai\n    model_id: m\n    api_key: sk-123',
      /:6:5: models\[0\]\.api_key: must name a variable/,
    ],
    [
      `parley: 1\nmodels:\n  - name: M\n    provider: openai\n    model_id: m\n    api_key: \${env:NOT_SET}`,
      /the variable NOT_SET is not set or empty \(new\)/,
    ],
    ['a: &x 1\nb: *x', /:1:7: Anchors and aliases/],
    ['a: 1\na: 2', /:2:1: Map keys must be unique/],
    ['a: !!js/function x', /tag/i],
    ['parley: .inf', /not a number that JSON has/],
    ['--- 1\n--- 2', /multiple documents/],
    ['a: [1', /:1:6: /],
    [`a: ${'['.repeat(20_000)}`, /nested too deeply|expected/i],
    [
      'parley: 1\nthresholds:\n  - {name: T, metric: cost, limit: 1, window: day, action: block, entity_type: agent, entity: No}',
      /entity: there is no agent "No"/,
    ],
  ]
  for (const [yaml, ...messages] of wrong) {
    const { code, err } = await apply(yaml, '--yes')
    expect(code, yaml.slice(0, 100)).toBe(1)
    for (const message of messages) expect(err).toMatch(message)
  }
  expect((await service.get('/agents')).body.data).toHaveLength(2)
  expect(await exportAll()).toBe('')
})

it('writes secrets only where they are new, differ or are asked for', async () => {
  const service = await startService()
  const yaml = `parley: 1\nmodels:\n  - name: M\n    provider: openai\n    model_id: m\n    api_key: \${env:KEY}\n`
  const withKey = (KEY: string) => makeCommands(service, { KEY })
  await withKey('sk-first-0001').apply(yaml, '--yes')
  const hint = async (): Promise<string> => (await service.get('/models?q=M&provider=openai')).body.data[0].api_key_hint
  expect(await hint()).toBe('0001')
  expect((await withKey('').apply(yaml)).out).toMatch(/1 unchanged\.\nOne secret stays as stored/)
  const differs = await withKey('sk-other-0002').apply(yaml, '--yes')
  expect(differs.out).toMatch(/~ model "M"\n {4}api_key: the value of KEY \(differs from the one that ends in 0001\)/)
  expect(await hint()).toBe('0002')
  const same = await withKey('sk-third-0002').apply(yaml, '--update-secrets', '--dry-run')
  expect(same.out).toMatch(/1 to change/)
  const moved = `${yaml}    endpoint: https://other.example.com/v1\n`
  const without = await withKey('').apply(moved, '--yes')
  expect([without.code, without.err]).toEqual([
    1,
    expect.stringContaining('the variable KEY is not set or empty (its address changes)'),
  ])
  expect((await withKey('sk-first-0001').apply(moved, '--yes')).code).toBe(0)
  expect(await hint()).toBe('0001')
})

it('leaves out what the token may not read', async () => {
  const service = await startService()
  const token = await service.tokenFor('viewer')
  const { out, err, code } = await makeCommands({ ...service, token }).run(['export'])
  expect([code, out]).toEqual([0, expect.stringContaining('parley: 1')])
  for (const line of err.split('\n').filter(Boolean)) expect(line).toMatch(/^Left out \w+: /)
  const refused = await makeCommands({ ...service, token }).apply('parley: 1\nagents:\n  - name: X\n', '--yes')
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('0 of 1 changes were made')])
})

it('applies the file of the documentation', async () => {
  const page = readFileSync(new URL('../../docs/config-as-code.md', import.meta.url), 'utf8')
  const [, yaml = ''] = /```yaml\n(.*?)```/s.exec(page) ?? []
  const { apply, export: exportAll } = makeCommands(await startService(), { MISTRAL_API_KEY: 'sk-1', SHOP_TOKEN: 'x' })
  const applied = await apply(yaml, '--yes')
  expect([applied.err, applied.out]).toEqual(['', expect.stringContaining('Applied 13 changes.')])
  expect((await apply(yaml)).out).toMatch(/^0 to create, 0 to change, 13 unchanged/)
  const inPage = yaml.replace(/\$\{env:\w+\}/g, '')
  const exported = await exportAll()
  for (const line of inPage.split('\n')) expect(exported).toContain(line.trimEnd())
})

it('knows the defaults of scorers', () => {
  const ofService = Object.entries(scorerKinds).map(([type, kind]) => {
    const config: Record<string, Json> = {}
    for (const [name, schema] of Object.entries(kind.config.properties as Record<string, { default?: unknown }>))
      if (schema.default !== undefined) config[name] = schema.default
    return [type, { threshold: kind.defaultThreshold(config as never), config }]
  })
  expect(scorerDefaults).toEqual(Object.fromEntries(ofService))
})
