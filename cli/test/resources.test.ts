import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderOfTest } from '../../server/test/folder.ts'
import { startService } from '../../server/test/harness.ts'
import { mayCallLoopback } from '../../server/test/scripted-api.ts'
import { connected, interactive, parley } from './terminal.ts'

async function terminal() {
  const service = await startService(mayCallLoopback)
  const environment = { ...connected(service), OPENAI_API_KEY: 'sk-secret-1234', TICKETS_TOKEN: 'ticket-secret' }
  const folder = folderOfTest()
  const run = (argv: string[], stdin = '') => parley(argv, { environment, folder, stdin })
  const json = async (...argv: string[]) => JSON.parse((await run([...argv, '--json'])).out)
  return { ...service, environment, folder, run, json }
}

it('creates, shows and deletes agents by flags, files, stdin and names', async () => {
  const { run, json, folder } = await terminal()
  await run(['sources', 'create', '--name', 'Handbook'])
  await run(['tools', 'create', '--name', 'Rules', '--source', 'Handbook'])
  const made = await run([
    'agents',
    'create',
    '--name',
    'Support',
    '--prompt',
    'Be kind.',
    '--tool',
    'Rules',
    '--temperature',
    '0.5',
  ])
  expect([made.code, made.out]).toEqual([0, expect.stringMatching(/^Created agent Support \(agt_\w+\)\.\n$/)])
  const agent = await json('agents', 'get', 'Support')
  expect(agent).toMatchObject({ system_prompt: 'Be kind.', temperature: 0.5, tools: [expect.stringMatching(/^rag_/)] })
  expect((await run(['agents', 'get', agent.id])).out).toMatch(/^id: agt_\w+\nname: Support\n/)

  writeFileSync(
    join(folder, 'agent.yaml'),
    'name: From a file\nsystem_prompt: |\n  Two\n  lines\nmetadata:\n  team: docs\n',
  )
  await run([
    'agents',
    'create',
    '--file',
    'agent.yaml',
    '--name',
    'Renamed',
    '--set',
    'metadata.level=3',
    '--set',
    'max_tokens=200',
  ])
  expect(
    (await run(['agents', 'create', '-f', 'agent.yaml', '--set', 'metadata.level="3"', '--set', 'max_tokens=200']))
      .code,
  ).toBe(0)
  expect(await json('agents', 'get', 'From a file')).toMatchObject({
    system_prompt: 'Two\nlines\n',
    max_tokens: 200,
    metadata: { team: 'docs', level: '3' },
  })
  await run(['agents', 'create', '--file', '-', '--name', 'Copy'], JSON.stringify(agent))
  expect(await json('agents', 'get', 'Copy')).toMatchObject({ system_prompt: 'Be kind.', tools: agent.tools })

  const refused = await run(['agents', 'create', '--name', 'X', '--set', 'temprature=1'])
  expect([refused.code, refused.err]).toEqual([1, expect.stringMatching(/invalid_request[\s\S]*temprature/)])
  const wrong: [string[], number, RegExp][] = [
    [['agents', 'create'], 2, /Pass fields by flags/],
    [['agents', 'create', '--file', 'no.json'], 1, /There is no file no.json/],
    [['agents', 'create', '--set', 'nothing'], 2, /--set takes field=value/],
    [['agents', 'create', '--name', 'X', '--temperature', 'hot'], 2, /--temperature must be a number/],
    [['agents', 'create', '--name', 'X', '--model', 'None'], 1, /There is no model "None"[\s\S]*parley models list/],
    [['agents', 'delete', 'Copy'], 2, /Pass --yes/],
    [['agents', 'delete', 'Nobody', '--yes'], 1, /There is no agent "Nobody"/],
  ]
  for (const [argv, code, message] of wrong) {
    const failed = await run(argv)
    expect([argv, failed.code, failed.err]).toEqual([argv, code, expect.stringMatching(message)])
  }

  expect((await run(['agents', 'delete', 'Copy', '--yes'])).out).toMatch(/^Deleted agent Copy/)
  await run(['agents', 'create', '--name', 'Support'])
  const several = await run(['agents', 'get', 'Support'])
  expect([several.code, several.err]).toEqual([
    1,
    expect.stringMatching(/Several have the name "Support"[\s\S]*agt_.*agt_/),
  ])
})

it('asks before it deletes in a terminal', async () => {
  const { environment, json, post } = await terminal()
  await post('/agents', { name: 'Precious\u001b[2J' })
  const asked = (answer: string) => {
    const [{ id }] = [{ id: 'Precious\u001b[2J' }]
    const running = interactive(['agents', 'delete', id], { environment })
    running.type(answer)
    return running.outcome
  }
  expect(await asked('n')).toMatchObject({ code: 1, err: expect.stringContaining('Delete agent Precious[2J (agt_') })
  expect(await json('agents', 'list')).toHaveLength(1)
  expect((await asked('y')).code).toBe(0)
  expect(await json('agents', 'list')).toEqual([])
})

it('creates models with a key from the environment or stdin, sources and tools of every kind', async () => {
  const { run, json, get } = await terminal()
  const key = ['--provider', 'openai', '--model-id', 'gpt-5-mini']
  expect((await run(['models', 'create', ...key, '--api-key-env', 'OPENAI_API_KEY'])).out).not.toContain('secret')
  await run(['models', 'create', ...key, '--name', 'Piped', '--api-key-stdin'], 'sk-piped-9876\n')
  expect((await run(['models', 'create', ...key, '--api-key-env', 'UNSET'])).err).toContain('UNSET is not set')
  const models = (await json('models', 'list')) as { name: string; api_key_hint: string | null }[]
  const hints = Object.fromEntries(models.map(({ name, api_key_hint }) => [name, api_key_hint]))
  expect(hints).toMatchObject({ 'gpt-5-mini': '1234', Piped: '9876' })

  await run([
    'sources',
    'create',
    '--name',
    'Site',
    '--web',
    'https://docs.example.com',
    '--set',
    'configuration.max_pages=5',
  ])
  expect(await json('sources', 'get', 'Site')).toMatchObject({
    type: 'web',
    configuration: { urls: ['https://docs.example.com'], max_pages: 5 },
  })
  await run(['sources', 'create', '--name', 'Files'])
  await run([
    'tools',
    'create',
    '--kind',
    'retrieval',
    '--name',
    'All',
    '--source',
    'Files',
    '--source',
    'Site',
    '--top-k',
    '3',
    '--tables',
  ])
  await run([
    'tools',
    'create',
    '--name',
    'weather',
    '--description',
    'The weather',
    '--endpoint',
    'https://api.example.com/{city}',
    '--approval',
  ])
  const secret = await run([
    'tools',
    'create',
    '--name',
    'tickets',
    '--description',
    'Tickets',
    '--endpoint',
    'https://api.example.com/t',
    '--bearer-env',
    'TICKETS_TOKEN',
    '--json',
  ])
  expect(JSON.parse(secret.out).auth).toMatchObject({ type: 'bearer', token_set: true })
  expect(secret.out).not.toContain('ticket-secret')
  const { out } = await run(['tools', 'list'])
  expect(out).toMatch(/All +retrieval[\s\S]*weather +api +- +required|weather +api[\s\S]*All/)
  expect((await run(['tools', 'create', '--name', 'x'])).err).toContain('Pass --kind')
  expect((await run(['tools', 'create', '--name', 'x', '--source', 'Files', '--source', 'Site'])).err).toContain(
    '--kind retrieval',
  )
  expect((await run(['tools', 'delete', 'weather', '-y'])).code).toBe(0)
  expect((await get('/api-tools')).body.data).toHaveLength(1)
})

it('creates a token that works, and prints it once, alone on stdout', async () => {
  const { run, json, url } = await terminal()
  const created = await run([
    'token',
    'create',
    '--name',
    'ci',
    '--role',
    'viewer',
    '--expires',
    '30d',
    '--group',
    'finance',
  ])
  expect(created.out).toMatch(/^parley_[\w-]+\n$/)
  expect(created.err).toContain('not shown again')
  const environment = { PARLEY_URL: url, PARLEY_TOKEN: created.out.trim() }
  const refused = await parley(['agents', 'create', '--name', 'X'], { environment })
  expect([refused.code, refused.err]).toEqual([1, expect.stringMatching(/\(forbidden\)\nWhat to do: .*token create/)])
  const [token] = await json('token', 'list', '--query', 'ci')
  expect(token).toMatchObject({ name: 'ci', role: 'viewer', groups: ['finance'] })
  expect(Date.parse(token.expires_at) - Date.now()).toBeGreaterThan(29 * 86_400_000)
  expect((await run(['token', 'create', '--role', 'king'])).err).toContain('--role must be one of')
  expect((await run(['token', 'create', '--expires', 'soon'])).err).toContain('--expires must be')
  const scraper = await run(['token', 'create', '--name', 'prometheus', '--scope', 'metrics'])
  expect(scraper.err).toContain('with scope metrics')
  expect(await json('token', 'list', '--query', 'prometheus')).toMatchObject([{ scopes: ['metrics'] }])
  expect((await run(['token', 'create', '--scope', 'all'])).err).toContain('--scope must be metrics')
  await run(['token', 'delete', 'ci', '--yes'])
  expect((await parley(['agents', 'list'], { environment })).err).toContain('invalid_token')
})

it('labels versions, takes a label back, and runs an experiment', async () => {
  const { run, json, put, post } = await terminal()
  const agent = (await post('/agents', { name: 'Labelled' })).body.data.id
  await put(`/agents/${agent}`, { description: 'Second' })
  expect((await run(['label', 'list', 'Labelled'])).out).toContain('There are no labels')
  expect((await run(['label', 'set', 'Labelled', 'production', '1'])).out).toBe('production is version 1.\n')
  expect((await run(['label', 'set', 'Labelled', 'production'])).out).toContain('version 2, before it version 1.')
  expect((await run(['label', 'undo', 'Labelled', 'production'])).out).toContain('production is version 1,')
  await run(['label', 'set', 'Labelled', 'canary'])
  expect((await run(['label', 'undo', 'Labelled', 'canary'])).err).toContain('has named no other version')
  expect((await run(['label', 'list', 'Labelled'])).out).toMatch(/canary +2[\s\S]*production +1 +2/)
  expect((await run(['label', 'set', 'Labelled', 'x', 'two'])).code).toBe(2)

  const flags = ['--agent', 'Labelled', '--metric', 'feedback', '--variant', 'production=9', '--variant', '2=1']
  const created = await run(['experiment', 'create', '--name', 'Try', ...flags])
  expect(created.out).toMatch(/^Created experiment Try/)
  expect((await run(['experiment', 'start', 'Try'])).out).toBe('Experiment Try is running.\n')
  const results = await run(['experiment', 'results', 'Try', '--gate'])
  expect([results.code, results.out]).toEqual([0, expect.stringContaining('Not enough data yet')])
  expect(await json('experiment', 'results', 'Try')).toMatchObject({ enough_data: false })
  expect((await run(['experiment', 'promote', 'Try', '2'])).out).toContain('Experiment Try is stopped')
  expect(await json('label', 'list', 'Labelled')).toMatchObject([{}, { label: 'production', version: 2 }])
  expect((await run(['label', 'delete', 'Labelled', 'canary'])).code).toBe(0)

  const template = (await post('/prompt-templates', { name: 'Prompt', template: 'x' })).body.data
  expect(template.version).toBe(1)
  expect((await run(['label', 'set', 'Prompt', 'production', '--template'])).out).toBe('production is version 1.\n')
})

it('creates monitors, shows their summary, and takes verdicts about replies', async () => {
  const { run, json, post } = await terminal()
  const agent = (await post('/agents', { name: 'Support' })).body.data.id
  await post('/models', { name: 'Judge', provider: 'openai', model_id: 'judge', api_key: 'key', is_default: true })
  const made = await run(['monitor', 'create', '--name', 'Kind', '--agent', 'Support', '--rubric', 'Is kind.'])
  expect(made.out).toMatch(/^Created monitor Kind \(mon_\w+\)\.\n$/)
  expect(await json('monitor', 'list')).toMatchObject([{ agent_id: agent, scorers: [{ type: 'llm_judge' }] }])
  expect((await run(['monitor', 'summary', 'Kind'])).out).toMatch(/No reply has been scored.*\n0 scored/)
  expect((await run(['monitor', 'create', '--name', 'X', '--sample', '2'])).err).toMatch(/--sample must be from 0 to 1/)

  expect((await run(['review', 'list'])).out).toBe('There is nothing to review.\n')
  const local = (await post('/agents', { name: 'Local', model_id: 'parley-extractive' })).body.data.id
  const conversation = (await post('/conversations', { agent_id: local })).body.data.id
  const reply = (await post(`/conversations/${conversation}/messages`, { message: 'Hi' })).body.data
  const review = (await post('/reviews', { message_id: reply.id })).body.data.id
  expect((await run(['review', 'list'])).out).toMatch(/manual +.*Hi/)
  expect((await run(['review', 'assign', review, 'eve'])).out).toBe('Assigned to eve.\n')
  expect((await run(['review', 'assign', review])).out).toBe('Assigned to nobody.\n')
  expect((await run(['review', 'decide', review])).err).toMatch(/Pass --verdict/)
  const decided = await run(['review', 'decide', review, '--verdict', 'bad', '--expected', 'Hello!', '--tag', 'tone'])
  expect(decided.out).toBe('Reviewed as bad.\n')
  expect(await json('review', 'list', '--done')).toMatchObject([{ verdict: 'bad', tags: ['tone'] }])
})

it('lists and deletes what agents remember', async () => {
  const { run, json, post } = await terminal()
  for (const content of ['Likes tea', 'Lives in Bern']) await post('/memories', { content, user_id: 'ada' })
  const [tea] = await json('memories', 'list', '--user', 'ada', '--query', 'tea')
  expect(tea).toMatchObject({ content: 'Likes tea', user_id: 'ada' })
  expect((await run(['memories', 'list'])).out).toContain('Lives in Bern')
  const cake = await json('memories', 'add', 'Likes cake', '--user', 'ada')
  expect((await run(['memories', 'edit', cake.id, 'Likes pie'])).out).toBe(`Changed ${cake.id}.\n`)
  expect((await run(['memories', 'undo', cake.id])).out).toBe(`Deleted ${cake.id}.\n`)
  expect((await run(['memories', 'delete', tea.id, '--yes'])).out).toBe(`Deleted ${tea.id}.\n`)
  expect((await run(['memories', 'delete', '--yes'])).code).toBe(2)
  expect((await run(['memories', 'delete', '--user', 'ada', '--yes'])).code).toBe(0)
  expect((await run(['memories', 'list'])).out).toBe('Nothing is remembered.\n')
})
