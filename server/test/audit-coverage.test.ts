import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { signedHeaders } from '../src/features/webhooks/signature.ts'
import { uploadFile } from './attachments.ts'
import { asking, cautious } from './cautious-stage.ts'
import { connectedClient } from './connected-client.ts'
import { type Ask, type Json, until } from './harness.ts'
import { knowledge } from './knowledge.ts'
import { mcpServer } from './mcp-server.ts'
import { consent, oauthServer } from './oauth-server.ts'

/** Requests that store nothing and have no effect elsewhere. Model calls of these are in the ledger. */
const reads = [
  'POST /api/prompt-templates/:id/render',
  'POST /api/rag-tools/:id/query',
  'POST /api/retrieval-tools/:id/search',
  'POST /api/knowledge-sources/:id/search',
  'POST /api/retrieval-tools/:id/tables/query',
  'POST /api/models/available', // asks the provider for its models
  'POST /api/models/check', // asks a model that is not stored
  'POST /api/openai/v1/embeddings',
  'POST /api/connections', // what comes of it is recorded
  'POST /api/schedules/preview',
]

type Here = Awaited<ReturnType<typeof cautious>>
/** Sends a request that succeeds. */
type Send = (headers: Record<string, string>) => Promise<{ status: number }>
type Expected = [action: string, kind: string] | null
/** Conversations are their own record, and their model calls are in the ledger. */
const itself = null

/** The expected audit entry of each route, written down independently of the code. */
function cases(here: Here): Record<string, [expected: Expected, prepare: () => Promise<Send> | Send]> {
  const { agent, model, provider } = here
  const made = async (path: string, body?: object): Promise<Json> => {
    const answer = await here.post(path, body)
    if (answer.status > 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return answer.body.data ?? answer.body
  }
  const ask =
    (method: string, path: string, more: Ask = {}): Send =>
    (headers) =>
      here.ask(method, path, { ...more, headers: { ...headers, ...more.headers } })
  const post = (path: string, body?: object) => ask('POST', path, body ? { body } : {})
  const source = () => made('/knowledge-sources', { name: 'S', type: 'file' })
  const { upload } = knowledge(here)
  const document = async () => {
    const { id } = await source()
    const { body } = await upload(id, { 'a.txt': 'Some text' }, { query: '?sync=false' })
    return `/knowledge-sources/${id}/documents/${body.data[0].id}`
  }
  const test_cases = [{ input: 'a' }]
  const evaluation = { name: 'E', type: 'agent', target_id: agent, test_cases }
  const evaluationPath = async () => `/evaluations/${(await made('/evaluations', evaluation)).id}`
  /** A resource whose first version is labelled `production`. */
  const labelled = async (path: string, body: object): Promise<string> => {
    const { id } = await made(path, body)
    await here.put(`${path}/${id}/labels/production`, { version: 1 })
    return id
  }
  const labelledTemplate = () => labelled('/prompt-templates', { name: 'T', template: 'x' })
  const experiment = async () => {
    const id = await labelled('/agents', { name: 'A' })
    const variants = [
      { version: 1, weight: 1 },
      { label: 'production', weight: 1 },
    ]
    return { name: 'E', agent_id: id, variants, metric: 'cost' }
  }
  const experimentPath = async () => `/experiments/${(await made('/experiments', await experiment())).id}`
  const action = { type: 'message', agent_id: agent, message: 'Hi' }
  const schedule = { name: 'S', cron: '0 0 1 1 *', action }
  const trigger = { name: 'T', agent_id: agent, template: 'Hi' }
  const webhook = { url: 'https://hooks.invalid/', events: ['webhook.test'] }
  const answered = async () => {
    const id = await here.talk()
    const message = (await here.say(id, 'Hi')).body.data.id
    return { id, message, path: `/conversations/${id}/messages/${message}` }
  }
  const personPath = async (userId: string) => {
    await made('/conversations', { agent_id: agent, user_id: userId })
    return `/users/${(await until(async () => (await here.get(`/users?user_id=${userId}`)).body.data[0])).id}`
  }
  const monitor = { name: 'M', agent_id: agent, scorers: [{ type: 'latency', config: { max_ms: 1 } }] }
  const reviewed = async () => (await made('/reviews', { message_id: (await answered()).message })).id
  const assigned = (method: string) => async () =>
    ask(method, `/reviews/${await reviewed()}`, { body: { assigned_to: 'eve' } })
  const review: ReturnType<typeof cases> = {
    'POST /api/reviews': [
      ['create', 'review'],
      async () => post('/reviews', { message_id: (await answered()).message }),
    ],
    'POST /api/reviews/:id': [
      ['update', 'review'],
      async () => post(`/reviews/${await reviewed()}`, { verdict: 'good' }),
    ],
    'PUT /api/reviews/:id': [['update', 'review'], assigned('PUT')],
    'PATCH /api/reviews/:id': [['update', 'review'], assigned('PATCH')],
  }
  /** A reply that is being written. */
  const running = async () => {
    provider.next({ deltas: ['Some ', 'words'], fault: 'stall' })
    const id = await here.talk()
    void here.say(id, 'Talk').catch(() => {})
    const message = await until(async () => {
      const last = (await here.get(`/conversations/${id}`)).body.data.messages.at(-1)
      return last?.status === 'running' && last.id
    })
    return { id, message }
  }
  const mcp = { name: 'notes', type: 'mcp' as const, description: 'D' }
  const mcpTool = async () => {
    const server = await mcpServer([{ name: 'read', description: 'Reads.' }])
    const { id } = await made('/api-tools', { ...mcp, name: `n${randomUUID().slice(0, 8)}`, url: server.url })
    return `/api-tools/${id}`
  }
  const resource = (
    path: string,
    kind: string,
    body: () => object | Promise<object>,
    change: object | null = { name: 'Changed' },
  ) => {
    const create = async () => (await made(path, await body())).id
    return {
      [`POST /api${path}`]: [['create', kind], async () => post(path, await body())],
      ...(change && {
        [`PUT /api${path}/:id`]: [
          ['update', kind],
          async () => ask('PUT', `${path}/${await create()}`, { body: change }),
        ],
        [`PATCH /api${path}/:id`]: [
          ['update', kind],
          async () => ask('PATCH', `${path}/${await create()}`, { body: change }),
        ],
      }),
      [`DELETE /api${path}/:id`]: [['delete', kind], async () => ask('DELETE', `${path}/${await create()}`)],
    } as ReturnType<typeof cases>
  }
  const unique = () => `n${randomUUID().slice(0, 8)}`
  const on = { enabled: true }
  const openai = (path: string, body: object) => made(`/openai/v1${path}`, body)

  return {
    ...resource('/agents', 'agent', () => ({ name: 'A' })),
    ...resource('/prompt-templates', 'prompt template', () => ({ name: 'T', template: 'x' })),
    ...resource('/api-tools', 'API tool', () => ({ name: unique(), description: 'D', url: 'https://example.com/' }), {
      description: 'Changed',
    }),
    ...resource('/conversations', 'conversation', () => ({ agent_id: agent }), { title: 'Changed' }),
    'POST /api/conversations': [itself, () => post('/conversations', { agent_id: agent })],
    ...resource('/evaluations', 'evaluation', () => evaluation),
    ...resource('/experiments', 'experiment', experiment),
    'POST /api/experiments/:id/start': [['start', 'experiment'], async () => post(`${await experimentPath()}/start`)],
    'POST /api/experiments/:id/stop': [
      ['stop', 'experiment'],
      async () => {
        const path = await experimentPath()
        await made(`${path}/start`)
        return post(`${path}/stop`)
      },
    ],
    'POST /api/experiments/:id/promote': [
      ['promote', 'experiment'],
      async () => post(`${await experimentPath()}/promote`, { variant: 1 }),
    ],
    'PUT /api/agents/:id/labels/:label': [
      ['label', 'agent'],
      async () => ask('PUT', `/agents/${await labelled('/agents', { name: 'A' })}/labels/x`, { body: { version: 1 } }),
    ],
    'DELETE /api/agents/:id/labels/:label': [
      ['unlabel', 'agent'],
      async () => ask('DELETE', `/agents/${await labelled('/agents', { name: 'A' })}/labels/production`),
    ],
    'PUT /api/prompt-templates/:id/labels/:label': [
      ['label', 'prompt template'],
      async () => ask('PUT', `/prompt-templates/${await labelledTemplate()}/labels/x`, { body: { version: 1 } }),
    ],
    'DELETE /api/prompt-templates/:id/labels/:label': [
      ['unlabel', 'prompt template'],
      async () => ask('DELETE', `/prompt-templates/${await labelledTemplate()}/labels/production`),
    ],
    ...resource('/monitors', 'monitor', () => monitor),
    ...review,
    ...resource('/knowledge-sources', 'knowledge source', () => ({ name: 'S', type: 'file' })),
    ...resource('/models', 'model', () => ({ name: 'M', provider: 'openai', model_id: 'm', api_key: 'key' })),
    ...resource('/rag-tools', 'RAG tool', async () => ({ name: 'R', knowledge_source_id: (await source()).id })),
    ...resource('/retrieval-tools', 'retrieval tool', async () => ({
      name: 'R',
      knowledge_source_ids: [(await source()).id],
    })),
    ...resource('/tokens', 'token', () => ({ name: 'T', role: 'viewer' }), { groups: ['staff'] }),
    ...resource('/usage/thresholds', 'usage threshold', () => ({
      name: 'T',
      metric: 'cost',
      limit: 1,
      window: 'day',
      action: 'notify',
    })),
    ...resource('/invitations', 'invitation', () => ({ role: 'user' }), null),
    ...resource('/memories', 'memory', () => ({ content: 'Likes tea', user_id: 'ada' }), { content: 'Changed' }),
    'POST /api/memories/:id/undo': [
      ['undo', 'memory'],
      async () => post(`/memories/${(await made('/memories', { content: 'Likes cake', user_id: 'ada' })).id}/undo`),
    ],
    'DELETE /api/memories': [['delete', 'memory'], () => ask('DELETE', '/memories?user_id=ada')],
    'PUT /api/memory-settings': [['update', 'memory settings'], () => ask('PUT', '/memory-settings', { body: on })],
    'PATCH /api/memory-settings': [['update', 'memory settings'], () => ask('PATCH', '/memory-settings', { body: on })],
    ...resource('/schedules', 'schedule', () => schedule, { timezone: 'Europe/Berlin' }),
    ...resource('/triggers', 'trigger', () => trigger, { template: 'Changed' }),
    ...resource('/webhooks', 'webhook', () => webhook, { description: 'Changed' }),
    ...resource('/workspaces', 'workspace', () => ({ name: unique() }), null),

    'POST /api/agents/:id/try': [
      itself,
      () => post(`/agents/${agent}/try`, { messages: [{ role: 'user', content: 'Hi' }] }),
    ],
    'POST /api/agents/:id/versions/:version/restore': [
      ['restore', 'agent'],
      async () => {
        const { id } = await made('/agents', { name: 'A' })
        await here.put(`/agents/${id}`, { name: 'B' })
        return post(`/agents/${id}/versions/1/restore`)
      },
    ],
    'POST /api/prompt-templates/:id/versions/:version/restore': [
      ['restore', 'prompt template'],
      async () => {
        const { id } = await made('/prompt-templates', { name: 'T', template: 'x' })
        await here.put(`/prompt-templates/${id}`, { template: 'y' })
        return post(`/prompt-templates/${id}/versions/1/restore`)
      },
    ],
    'POST /api/api-tools/import': [
      ['create', 'API tool'],
      () => {
        const operation = { operationId: unique(), summary: 'S', responses: { 200: { description: 'D' } } }
        const paths = { '/a': { get: operation } }
        const info = { title: 'T', version: '1' }
        return post('/api-tools/import', {
          spec: { openapi: '3.1.0', info, servers: [{ url: 'https://example.com' }], paths },
        })
      },
    ],
    'POST /api/api-tools/:id/test': [
      ['test', 'API tool'],
      async () => {
        const tool = { name: unique(), description: 'D', url: `${provider.url}/models` }
        return post(`/api-tools/${(await made('/api-tools', tool)).id}/test`, { arguments: {} })
      },
    ],
    'POST /api/api-tools/:id/tools/refresh': [
      ['refresh', 'API tool'],
      async () => post(`${await mcpTool()}/tools/refresh`),
    ],
    'POST /api/api-tools/:id/tools/accept': [
      ['accept', 'API tool'],
      async () => {
        const path = await mcpTool()
        const { version } = await made(`${path}/tools/refresh`)
        return post(`${path}/tools/accept`, { version })
      },
    ],
    'POST /api/auth/session': [
      ['sign in', 'session'],
      () => ask('POST', '/auth/session', { body: { token: here.token }, token: null }),
    ],
    'POST /api/auth/logout': [
      ['sign out', 'session'],
      async () => {
        const { headers } = await here.ask('POST', '/auth/session', { body: { token: here.token }, token: null })
        const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
        const browser = { cookie, 'x-requested-with': 'parley', 'sec-fetch-site': 'same-origin' }
        return ask('POST', '/auth/logout', { token: null, headers: browser })
      },
    ],
    'POST /api/oauth/consent': [
      ['allow', 'client'],
      async () => {
        const redirect_uri = 'https://client.example/callback'
        const registered = await fetch(`${here.url}/oauth/register`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ redirect_uris: [redirect_uri] }),
        })
        const { client_id } = (await registered.json()) as { client_id: string }
        const pkce = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' }
        const body = { client_id, redirect_uri, response_type: 'code', ...pkce, allow: true }
        const { headers } = await here.ask('POST', '/auth/session', { body: { token: here.token }, token: null })
        const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
        const browser = { cookie, 'x-requested-with': 'parley', 'sec-fetch-site': 'same-origin' }
        return ask('POST', '/oauth/consent', { body, token: null, headers: browser })
      },
    ],
    'POST /api/invitations/accept': [
      ['accept', 'invitation'],
      async () => {
        const { code } = await made('/invitations', {})
        return ask('POST', '/invitations/accept', { body: { code, name: 'Ada' }, token: null })
      },
    ],
    'POST /api/conversations/:id/complete': [itself, async () => post(`/conversations/${await here.talk()}/complete`)],
    'POST /api/conversations/:id/messages': [
      itself,
      async () => post(`/conversations/${await here.talk()}/messages`, { message: 'Hi' }),
    ],
    'POST /api/conversations/:id/messages/:message/activate': [
      itself,
      async () => {
        const { path } = await answered()
        await made(`${path}/regenerate`)
        return post(`${path}/activate`)
      },
    ],
    'POST /api/conversations/:id/messages/:message/approvals': [
      ['approve', 'approval'],
      async () => {
        provider.next(asking)
        const { path } = await answered()
        return post(`${path}/approvals`, { tool_call_id: 'call_a', approved: true })
      },
    ],
    'POST /api/conversations/:id/messages/:message/input': [
      ['decline input of', 'tool call'],
      async () => {
        const question = { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: {} } }
        const { url } = await mcpServer([
          { name: 'ask', annotations: { readOnlyHint: true }, run: async (_args, _report, elicit) => elicit(question) },
        ])
        const { id: tool } = await made('/api-tools', { name: unique(), description: 'D', type: 'mcp', url })
        const asker = await made('/agents', { name: 'Asker', model_id: model, tools: [tool] })
        const { id } = await made('/conversations', { agent_id: asker.id, user_id: 'ada' })
        const { name } = (await here.get(`/api-tools/${tool}`)).body.data
        provider.next({ toolCalls: [{ id: 'call_q', name: `${name}_ask`, arguments: '{}' }] })
        const message = (await here.say(id, 'Hi')).body.data.id
        return post(`/conversations/${id}/messages/${message}/input`, { tool_call_id: 'call_q', action: 'decline' })
      },
    ],
    'DELETE /api/connections/:id': [
      ['delete', 'connection'],
      async () => {
        const oauth = await oauthServer()
        const addresses = { authorization_url: `${oauth.url}/authorize`, token_url: `${oauth.url}/token` }
        const auth = { type: 'oauth2', account: 'workspace', client_id: 'parley', ...addresses }
        const tool = await made('/api-tools', { name: unique(), description: 'D', url: oauth.url, auth })
        const back = await consent((await made('/connections', { tool_id: tool.id })).authorize_url)
        await here.get(`${back.pathname}${back.search}`)
        const [{ id }] = (await here.get(`/connections?all=true&tool_id=${tool.id}`)).body.data
        return ask('DELETE', `/connections/${id}`)
      },
    ],
    'DELETE /api/connected-clients/:id': [
      ['delete', 'token'],
      async () => ask('DELETE', `/connected-clients/${await connectedClient(here)}`),
    ],
    'POST /api/approvals/:id': [
      ['refuse', 'approval'],
      async () => {
        provider.next(asking)
        await answered()
        const [{ id }] = (await here.get('/approvals?status=pending')).body.data
        return post(`/approvals/${id}`, { approved: false })
      },
    ],
    'POST /api/conversations/:id/messages/:message/cancel': [
      itself,
      async () => {
        const { id, message } = await running()
        return post(`/conversations/${id}/messages/${message}/cancel`)
      },
    ],
    'POST /api/conversations/:id/messages/:message/feedback': [
      itself,
      async () => post(`${(await answered()).path}/feedback`, { rating: 'up', comment: 'a private remark' }),
    ],
    'POST /api/conversations/:id/messages/:message/regenerate': [
      itself,
      async () => post(`${(await answered()).path}/regenerate`),
    ],
    'POST /api/evaluations/:id/run': [['run', 'evaluation'], async () => post(`${await evaluationPath()}/run`)],
    'POST /api/evaluations/:id/runs/:run/cancel': [
      ['cancel', 'evaluation'],
      async () => {
        const path = await evaluationPath()
        return post(`${path}/runs/${(await made(`${path}/run`)).id}/cancel`)
      },
    ],
    'POST /api/evaluations/:id/test-cases/from-message': [
      ['update', 'evaluation'],
      async () => {
        const { id, message } = await answered()
        return post(`${await evaluationPath()}/test-cases/from-message`, { conversation_id: id, message_id: message })
      },
    ],
    'POST /api/evaluations/:id/test-cases/import': [
      ['update', 'evaluation'],
      async () =>
        ask('POST', `${await evaluationPath()}/test-cases/import`, {
          raw: 'input\nd\n',
          headers: { 'content-type': 'text/csv' },
        }),
    ],
    'POST /api/files': [itself, () => (headers) => uploadFile(here, 'a.txt', 'Some text', { headers })],
    'DELETE /api/files/:id': [
      ['delete', 'file'],
      async () => ask('DELETE', `/files/${(await uploadFile(here, 'a.txt', 'Some text')).body.data.id}`),
    ],
    'POST /api/knowledge-sources/:id/documents': [
      ['create document', 'knowledge source'],
      async () => {
        const { id } = await source()
        return (headers) => upload(id, { 'a.txt': 'Some text' }, { headers })
      },
    ],
    'PUT /api/knowledge-sources/:id/documents/:document': [
      ['update document', 'knowledge source'],
      async () => ask('PUT', await document(), { body: { metadata: { colour: 'red' } } }),
    ],
    'DELETE /api/knowledge-sources/:id/documents/:document': [
      ['delete document', 'knowledge source'],
      async () => ask('DELETE', await document()),
    ],
    'POST /api/knowledge-sources/:id/documents/:document/sync': [
      ['sync document', 'knowledge source'],
      async () => post(`${await document()}/sync`),
    ],
    'POST /api/knowledge-sources/:id/sync': [
      ['sync', 'knowledge source'],
      async () => post(`/knowledge-sources/${(await source()).id}/sync`),
    ],
    'POST /api/mcp': [
      itself,
      () => {
        const params = { name: 'ask_a', arguments: { message: 'Hi' } }
        return post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params })
      },
    ],
    'POST /api/models/:id/test': [['test', 'model'], () => post(`/models/${model}/test`)],
    'POST /api/openai/v1/chat/completions': [
      itself,
      () => post('/openai/v1/chat/completions', { model: agent, messages: [{ role: 'user', content: 'Hi' }] }),
    ],
    'POST /api/openai/v1/conversations': [itself, () => post('/openai/v1/conversations', {})],
    'POST /api/openai/v1/conversations/:id': [
      itself,
      async () => post(`/openai/v1/conversations/${(await openai('/conversations', {})).id}`, { metadata: {} }),
    ],
    'DELETE /api/openai/v1/conversations/:id': [
      ['delete', 'conversation'],
      async () => ask('DELETE', `/openai/v1/conversations/${(await answered()).id}`),
    ],
    'POST /api/openai/v1/conversations/:id/items': [
      itself,
      async () => {
        const items = [{ type: 'message', role: 'user', content: 'Hi' }]
        return post(`/openai/v1/conversations/${(await openai('/conversations', {})).id}/items`, { items })
      },
    ],
    'DELETE /api/openai/v1/conversations/:id/items/:item': [
      ['delete item', 'conversation'],
      async () => {
        const { id } = await answered()
        const { data } = (await here.get(`/openai/v1/conversations/${id}/items?order=asc`)).body
        return ask('DELETE', `/openai/v1/conversations/${id}/items/${data[0].id}`)
      },
    ],
    'POST /api/openai/v1/responses': [itself, () => post('/openai/v1/responses', { model: agent, input: 'Hi' })],
    'DELETE /api/openai/v1/responses/:id': [
      ['delete', 'response'],
      async () => {
        const first = await openai('/responses', { model: agent, input: 'Hi' })
        const { id } = await openai('/responses', { model: agent, input: 'Hi', previous_response_id: first.id })
        return ask('DELETE', `/openai/v1/responses/${id}`)
      },
    ],
    'POST /api/openai/v1/responses/:id/cancel': [
      itself,
      async () => post(`/openai/v1/responses/${(await running()).message.replace('msg_', 'resp_')}/cancel`),
    ],
    'POST /api/schedules/:id/run': [
      ['run', 'schedule'],
      async () => post(`/schedules/${(await made('/schedules', schedule)).id}/run`),
    ],
    'POST /api/triggers/:id/fire': [
      itself,
      async () => {
        const { id, secret } = await made('/triggers', trigger)
        const raw = '{}'
        const sent = { id: 'evt_1', timestamp: Math.floor(Date.now() / 1000), body: raw, secrets: [secret] }
        return ask('POST', `/triggers/${id}/fire`, { raw, headers: signedHeaders(sent) })
      },
    ],
    'POST /api/triggers/:id/rotate-secret': [
      ['rotate-secret', 'trigger'],
      async () => post(`/triggers/${(await made('/triggers', trigger)).id}/rotate-secret`),
    ],
    'POST /api/users/:id/erase': [['erase', 'user'], async () => post(`${await personPath('erased')}/erase`)],
    'POST /api/users/:id/export': [['export', 'user'], async () => post(`${await personPath('exported')}/export`)],
    'POST /api/webhooks/:id/deliveries/:delivery/redeliver': [
      ['redeliver', 'webhook'],
      async () => {
        const { id } = await made('/webhooks', webhook)
        return post(`/webhooks/${id}/deliveries/${(await made(`/webhooks/${id}/test`)).id}/redeliver`)
      },
    ],
    'POST /api/webhooks/:id/rotate-secret': [
      ['rotate-secret', 'webhook'],
      async () => post(`/webhooks/${(await made('/webhooks', webhook)).id}/rotate-secret`),
    ],
    'POST /api/webhooks/:id/test': [
      ['test', 'webhook'],
      async () => post(`/webhooks/${(await made('/webhooks', webhook)).id}/test`),
    ],
  }
}

it('every change but what people say leaves exactly one entry, without values', async () => {
  const here = await cautious({ environment: { EGRESS_ALLOW: '127.0.0.1' } })
  const names = here.routes
    .filter(({ method }) => method !== 'get')
    .map(({ method, url }) => `${method.toUpperCase()} ${url}`)
    .filter((name) => !reads.includes(name))
  expect(names.length).toBeGreaterThan(70)
  const known = cases(here)
  const listEntries = async (request: string): Promise<Json[]> =>
    (await here.get(`/audit?request_id=${request}`)).body.data
  const found: Record<string, unknown> = {}
  const expected: Record<string, unknown> = {}
  for (const name of names) {
    const [change, prepare] = known[name] ?? []
    if (!prepare) throw new Error(`${name} has no case in this test: add what it leaves in the audit log`)
    const send = await prepare()
    const request = `request-${randomUUID()}`
    const { status } = await send({ 'x-request-id': request })
    const entries = await listEntries(request)
    found[name] = [status < 300, ...entries.map(({ action, kind }) => [action, kind])]
    expected[name] = change ? [true, change] : [true]
  }
  expect(found).toEqual(expected)
  const rows = JSON.stringify(await here.ctx.db.selectFrom('audit_entry').selectAll().execute())
  expect(rows).not.toMatch(/private remark|Some text|parley_|the-owner-of|hooks\.invalid|example\.com/)
  expect((await here.get('/audit/verify')).body.data).toMatchObject({ valid: true, unsealed: 0 })
}, 300_000)

it('requests that fail or change nothing leave no entry', async () => {
  const here = await cautious()
  const conversation = await here.talk()
  const message = (await here.say(conversation, 'Hi')).body.data.id
  await here.post(`/conversations/${conversation}/complete`)
  const headers = { 'x-request-id': `request-${randomUUID()}` }
  const path = `/conversations/${conversation}`
  await here.post(`${path}/complete`, undefined, { headers })
  await here.post(`${path}/messages/${message}/cancel`, undefined, { headers })
  await here.post(`${path}/messages`, { message: 'Too late' }, { headers })
  await here.put(path, { title: (await here.get(path)).body.data.title }, { headers })
  await here.post(`${path}/messages/${message}/feedback`, { rating: 'sideways' }, { headers })
  await here.remove('/files/fil_none', { headers })
  expect((await here.get(`/audit?request_id=${headers['x-request-id']}`)).body.data).toEqual([])
})
