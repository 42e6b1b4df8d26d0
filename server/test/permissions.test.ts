import { expect, it } from 'vitest'
import { type Role, roles } from '../src/kernel/context.ts'
import { createFile } from './attachments.ts'
import { connectedClient } from './connected-client.ts'
import { type Service, startService } from './harness.ts'
import { stageOn } from './stage.ts'

/** The roles of each route, independent of the code. A route that is not in this list fails the test. */
const everyone: Role[] = ['viewer', 'user', 'editor', 'admin', 'owner']
const chatters: Role[] = ['user', 'editor', 'admin', 'owner']
const readers: Role[] = ['viewer', 'editor', 'admin', 'owner']
const editors: Role[] = ['editor', 'admin', 'owner']
const admins: Role[] = ['admin', 'owner']
const owners: Role[] = ['owner']

const rules: [pattern: RegExp, roles: Role[] | 'public'][] = [
  [/^GET \/api\/(health(\/live)?|openapi\.json)$/, 'public'],
  [/^POST \/api\/auth\/session$/, 'public'],
  [/^GET \/api\/auth\/(methods|login|callback)$/, 'public'],
  [/^GET \/api\/(status|me|auth\/session|search)$/, everyone],
  [/^POST \/api\/auth\/logout$/, everyone],
  [/^GET \/api\/metrics$/, owners],
  [/^GET \/api\/agents(\/:id)?$/, everyone],
  [/^GET \/api\/(agents\/:id|knowledge-sources\/:id(\/documents\/:document)?)\/access$/, editors],
  [/^GET \/api\/agents\/:id\/(labels|versions(\/:version)?)$/, readers],
  [/^(POST|PUT|PATCH|DELETE) \/api\/agents/, editors],
  [/^GET \/api\/(prompt-templates|api-tools)/, readers],
  [/^(POST|PUT|PATCH|DELETE) \/api\/(prompt-templates|api-tools)/, editors],
  [/^GET \/api\/knowledge-sources/, readers],
  [/^(POST|PUT|PATCH|DELETE) \/api\/knowledge-sources/, editors],
  [/^GET \/api\/(rag|retrieval)-tools/, readers],
  [/^(POST|PUT|PATCH|DELETE) \/api\/(rag|retrieval)-tools/, editors],
  [/^POST \/api\/models\/:id\/test$/, editors],
  [/^GET \/api\/(models|tokens|webhooks)/, readers],
  [/^(POST|PUT|PATCH|DELETE) \/api\/(models|tokens|webhooks)/, admins],
  [/^GET \/api\/connections\/(callback|client\.json)$/, 'public'],
  [/^\w+ \/api\/(conversations|files|memories|connections|connected-clients)/, chatters],
  [/^GET \/api\/memory-settings$/, chatters],
  [/^(PUT|PATCH) \/api\/memory-settings$/, admins],
  [/^\w+ \/api\/approvals/, everyone],
  [/^GET \/api\/(evaluations|experiments|monitors|reviews)/, readers],
  [/^(POST|PUT|PATCH|DELETE) \/api\/(evaluations|experiments|monitors|reviews)/, editors],
  [/^POST \/api\/schedules\/preview$/, readers],
  [/^POST \/api\/triggers\/:id\/fire$/, 'public'],
  [/^GET \/api\/(schedules|triggers)/, readers],
  [/^(POST|PUT|PATCH|DELETE) \/api\/(schedules|triggers)/, editors],
  [/^GET \/api\/openai\/v1\/models(\/:id)?$/, everyone],
  [/^POST \/api\/openai\/v1\/chat\/completions$/, chatters],
  [/^\w+ \/api\/openai\/v1\/(responses|conversations)/, chatters],
  [/^POST \/api\/openai\/v1\/embeddings$/, editors],
  [/^POST \/api\/mcp$/, everyone],
  // Only sessions, not tokens.
  [/^\w+ \/api\/oauth\/consent$/, []],
  [/^GET \/api\/(usage\/(stats|costs)|analytics\/conversations)$/, readers],
  [/^GET \/api\/usage\/thresholds/, readers],
  [/^(POST|PUT|PATCH|DELETE) \/api\/usage\/thresholds/, admins],
  [/^GET \/api\/auth\/settings$/, admins],
  [/^GET \/api\/audit(\/verify)?$/, admins],
  [/^POST \/api\/invitations\/accept$/, 'public'],
  [/^GET \/api\/users\/names$/, editors],
  [/^\w+ \/api\/(users|user-jobs|invitations)/, admins],
  [/^\w+ \/api\/workspaces/, owners],
]

/** Without an identity provider there is nothing to sign in with. */
const absent = ['GET /api/auth/login', 'GET /api/auth/callback']

/** Public routes that are refused without a body, or without the state of a flow. */
const needsInput = (name: string, { schema }: { schema: { body?: unknown } }): boolean =>
  schema.body !== undefined || name === 'GET /api/connections/callback'

/** The roles that a route allows. */
function allowedBy({ method, url }: { method: string; url: string }): Role[] | 'public' {
  const name = `${method.toUpperCase()} ${url}`
  const allowed = rules.find(([pattern]) => pattern.test(name))?.[1]
  if (allowed === undefined) throw new Error(`${name} has no rule in this test: add its roles`)
  return allowed
}

const filled = (url: string): string => url.replace(':version', '1').replace(/:\w+/g, 'none')

it('every route allows exactly its roles', async () => {
  const { ask, routes, tokenFor } = await startService()
  const tokens = new Map<Role, string>()
  for (const role of roles) tokens.set(role, await tokenFor(role))
  expect(routes.length).toBeGreaterThan(30)

  for (const route of routes) {
    const name = `${route.method.toUpperCase()} ${route.url}`
    const allowed = allowedBy(route)
    const call = (token: string | null) => ask(route.method.toUpperCase(), filled(route.url), { token })
    const anonymous = await call(null)
    const expected = allowed !== 'public' ? 401 : absent.includes(name) ? 404 : needsInput(name, route) ? 400 : 200
    expect([name, 'nobody', anonymous.status]).toEqual([name, 'nobody', expected])
    for (const role of roles) {
      const { status, body } = await call(tokens.get(role) ?? '')
      const may = allowed === 'public' || allowed.includes(role)
      expect([name, role, status === 403 ? 'forbidden' : 'allowed']).toEqual([
        name,
        role,
        may ? 'allowed' : 'forbidden',
      ])
      if (!may) expect(body.code).toBe('forbidden')
    }
  }
}, 300_000)

/** One resource of each kind in the caller's workspace. */
async function makeOneOfEach(service: Service): Promise<Record<string, string>> {
  const { post, get } = service
  const agent = (await post('/agents', { name: 'A' })).body.data.id
  const template = (await post('/prompt-templates', { name: 'T', template: 'x' })).body.data.id
  const model = (await get('/models')).body.data[0].id
  const token = (await post('/tokens', { name: 'T', role: 'viewer' })).body.data.id
  const conversation = (await post('/conversations', { agent_id: agent, user_id: 'ada' })).body.data.id
  const user = (await get('/users')).body.data[0].id
  const tool = { name: 'tool', description: 'D', url: 'https://example.com/' }
  const source = (await post('/knowledge-sources', { name: 'S', type: 'file' })).body.data.id
  const cases = [{ input: 'a' }]
  const evaluation = (await post('/evaluations', { name: 'E', type: 'agent', target_id: agent, test_cases: cases }))
    .body.data.id
  await service.put(`/agents/${agent}`, { description: 'Second' })
  const variants = [1, 2].map((version) => ({ version, weight: 1 }))
  const experiment = { name: 'X', agent_id: agent, metric: 'cost', variants }
  const scorers = [{ type: 'latency', config: { max_ms: 1 } }]
  const monitor = (await post('/monitors', { name: 'M', agent_id: agent, scorers })).body.data.id
  const reply = (await post(`/conversations/${conversation}/messages`, { message: 'Hi' })).body.data.id
  const review = (await post('/reviews', { message_id: reply })).body.data.id
  const action = { type: 'message', agent_id: agent, message: 'Hi' }
  const schedule = (await post('/schedules', { name: 'S', cron: '0 0 1 1 *', action })).body.data.id
  const trigger = (await post('/triggers', { name: 'T', agent_id: agent, template: 'Hi' })).body.data.id
  const webhook = (await post('/webhooks', { url: 'https://hooks.invalid/', events: ['*'] })).body.data.id
  const threshold = { name: 'T', metric: 'cost', limit: 1, window: 'day', action: 'notify' }
  return {
    'usage/thresholds': (await post('/usage/thresholds', threshold)).body.data.id,
    webhooks: webhook,
    monitors: monitor,
    reviews: review,
    schedules: schedule,
    triggers: trigger,
    'knowledge-sources': source,
    'rag-tools': (await post('/rag-tools', { name: 'R', knowledge_source_id: source })).body.data.id,
    'retrieval-tools': (await post('/retrieval-tools', { name: 'R', knowledge_source_ids: [source] })).body.data.id,
    agents: agent,
    'openai/v1/models': agent,
    'openai/v1/responses': (await post('/openai/v1/responses', { model: agent, input: 'Hello' })).body.id,
    'openai/v1/conversations': (await post('/openai/v1/conversations', {})).body.id,
    'prompt-templates': template,
    models: model,
    tokens: token,
    conversations: conversation,
    users: user,
    invitations: (await post('/invitations', {})).body.data.id,
    memories: (await post('/memories', { content: 'Likes tea', user_id: 'ada' })).body.data.id,
    'user-jobs': (await post(`/users/${user}/export`)).body.data.id,
    files: await createFile(service, 'a.txt', 'Some text'),
    evaluations: evaluation,
    experiments: (await post('/experiments', experiment)).body.data.id,
    'api-tools': (await post('/api-tools', tool)).body.data.id,
    approvals: await approvalOn(service),
    connections: await connectionOn(service),
    'connected-clients': await connectedClient(service),
  }
}

/** An account that was connected. */
async function connectionOn({ ctx, get, post }: Service): Promise<string> {
  const tool = { name: 'own', description: 'D', url: 'https://example.com/' }
  const tool_id = (await post('/api-tools', tool)).body.data.id
  const workspace_id = (await get('/me')).body.data.workspace.id
  const id = ctx.newId('con')
  const at = '2026-01-01T00:00:00Z'
  const times = { connected_at: at, last_used_at: null, created_at: at, updated_at: at, revision: 1 }
  const account = { account: 'user', user_id: 'ada', issuer: 'https://example.com', resource: 'https://example.com' }
  const state = { scopes: '[]', status: 'connected', sealed: null, expires_at: null, refresh_lease: null }
  await ctx.db
    .insertInto('connection')
    .values({ id, workspace_id, tool_id, ...account, ...state, ...times } as never)
    .execute()
  return id
}

/** A call that waits for a person. */
async function approvalOn(service: Service): Promise<string> {
  const { post, provider, talk, say, put, agent } = await stageOn(service)
  const tool = { name: 'send', description: 'D', url: 'https://example.com/', requires_approval: true }
  await put(`/agents/${agent}`, { tools: [(await post('/api-tools', tool)).body.data.id] })
  provider.next({ toolCalls: [{ id: 'call_a', name: 'send', arguments: '{}' }] })
  return (await say(await talk(), 'Send it')).body.data.tool_calls[0].approval_id
}

it("another workspace's resources are 404 on every route and for every role", async () => {
  const service = await startService()
  const mine = await makeOneOfEach(service)
  const elsewhere = (await service.post('/workspaces', { name: 'Elsewhere' })).body.data.id
  const tokens = new Map<Role, string>()
  for (const role of roles.filter((role) => role !== 'owner')) {
    const headers = { 'x-workspace': elsewhere }
    const body = { name: role, role, user_id: 'someone' }
    tokens.set(role, (await service.post('/tokens', body, { headers })).body.data.token)
  }
  for (const route of service.routes.filter((route) => route.url.includes(':id'))) {
    const kind = route.url.slice('/api/'.length, route.url.indexOf('/:id'))
    if (kind === 'workspaces' || route.url.endsWith('/fire')) continue // a trigger is found by its signature
    const id = mine[kind]
    if (id === undefined)
      throw new Error(`make one of the ${kind} in this test, so that it can be looked for from elsewhere`)
    const path = route.url.replace(':id', id).replace(':version', '1').replace(/:\w+/g, 'msg_none')
    const allowed = allowedBy(route)
    // Other roles are refused before anything is looked for, as the test above shows.
    for (const [role, token] of tokens) {
      if (!allowed.includes(role)) continue
      const body = route.schema.body ? {} : undefined
      const { status } = await service.ask(route.method.toUpperCase(), path, { token, ...(body && { body }) })
      expect([route.method, route.url, [403, 404, 400].includes(status)]).toEqual([route.method, route.url, true])
      if (route.method === 'get') expect(status).not.toBe(400)
    }
    if (route.method === 'get') continue
    expect((await service.get(`/${kind}/${id}`)).status).toBe(200)
  }
}, 300_000)

it('a header cannot raise the role', async () => {
  const { get, post, tokenFor } = await startService()
  const other = (await post('/workspaces', { name: 'Other' })).body.data
  const admin = await tokenFor('admin')
  const rejected = await get('/agents', { token: admin, headers: { 'x-workspace': other.id } })
  expect([rejected.status, rejected.body.code]).toEqual([403, 'forbidden'])
})

it('the role user reads agents without their prompt', async () => {
  const { get, post, tokenFor } = await startService()
  const { id } = (await post('/agents', { name: 'A', system_prompt: 'secret instructions' })).body.data
  const user = await tokenFor('user')
  const seen = await get(`/agents/${id}`, { token: user })
  expect(seen.status).toBe(200)
  expect(seen.body.data.name).toBe('A')
  expect('system_prompt' in seen.body.data).toBe(false)
  expect(JSON.stringify((await get('/agents', { token: user })).body)).not.toContain('secret instructions')
  const template = (await post('/prompt-templates', { name: 'T', template: 'The code is {{code}}.' })).body.data.id
  const prompt = { prompt_template_id: template, prompt_variables: { code: 'secret 4711' } }
  const filled = (await post('/agents', { name: 'B', ...prompt })).body.data
  expect(filled.prompt_variables).toEqual({ code: 'secret 4711' })
  const visible = (await get(`/agents/${filled.id}`, { token: user })).body.data
  expect('prompt_variables' in visible).toBe(false)
  expect(JSON.stringify((await get('/agents', { token: user })).body)).not.toContain('4711')
  expect((await get(`/agents/${id}/versions`, { token: user })).status).toBe(403)
})
