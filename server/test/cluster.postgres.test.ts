import type { Kysely } from 'kysely'
import { expect, it } from 'vitest'
import { joinText, readEvents } from './event-stream.ts'
import { freshEnvironment, startOn, startService, until } from './harness.ts'
import type { RecordedRequest } from './scripted-provider.ts'
import { stage } from './stage.ts'

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

it('shares one rate limit between the nodes of a cluster', async () => {
  const one = await startService({ environment: { RATE_LIMIT: '10' } })
  const two = await startOn(one.environment)
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 ? one : two).get('/agents')))
  expect(answers.filter((answer) => answer.status === 200).length).toBe(10)
})

it('revokes a token and its sessions on every node at the next request', async () => {
  const one = await startService({ own: true })
  const two = await startOn(one.environment)
  const { id, token } = (await one.post('/tokens', { name: 'T', role: 'viewer' })).body.data
  expect((await two.get('/agents', { token })).status).toBe(200)
  const signedIn = await one.post('/auth/session', { token }, { token: null })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const session = { token: null, headers: { cookie, 'x-requested-with': 'parley' } }
  expect((await two.get('/agents', session)).status).toBe(200)
  await one.remove(`/tokens/${id}`)
  expect((await two.get('/agents', { token })).body.code).toBe('invalid_token')
  expect((await two.get('/agents', session)).body.code).toBe('invalid_token')
})

it('answers with the agent, the prompt, the model and the thresholds as they are, on every node', async () => {
  const one = await stage({ deltas: ['Hello'] }, { own: true })
  const two = await startOn(one.environment)
  const cookie = (await two.post('/auth/session', { token: one.token }, { token: null })).headers.get('set-cookie')
  const session = { token: null, headers: { cookie: cookie?.split(';')[0] ?? '', 'x-requested-with': 'parley' } }
  const template = (await one.post('/prompt-templates', { name: 'T', template: 'One.' })).body.data.id
  await one.put(`/agents/${one.agent}`, { prompt_template_id: template, system_prompt: null })
  const ask = async (options: object = { token: one.token }) => {
    const id = await one.talk()
    const { status } = await two.post(`/conversations/${id}/messages`, { message: 'Hi' }, options)
    const at = one.provider.requests.length - 1
    return [status, one.provider.requests[at]?.body.model, one.told(at)[0]]
  }
  expect(await ask()).toEqual([200, 'scripted-1', 'One.'])
  await one.put(`/prompt-templates/${template}`, { template: 'Two.' })
  expect(await ask()).toEqual([200, 'scripted-1', 'Two.'])
  await one.put(`/models/${one.model}`, { model_id: 'another' })
  expect(await ask(session)).toEqual([200, 'another', 'Two.'])
  await one.put(`/agents/${one.agent}`, { prompt_template_id: null, system_prompt: 'Three.' })
  expect(await ask(session)).toEqual([200, 'another', 'Three.'])
  const limit = { name: 'L', metric: 'tokens', limit: 1, window: 'day', action: 'block' }
  const { id } = (await one.post('/usage/thresholds', limit)).body.data
  expect((await ask())[0]).toBe(403)
  await one.remove(`/usage/thresholds/${id}`)
  expect((await ask())[0]).toBe(200)
})

it('streams a turn of another node from any event, and stops it when its conversation is deleted', async () => {
  const words = Array.from({ length: 30 }, (_, n) => `word${n} `)
  const { promise: followed, resolve } = Promise.withResolvers<void>()
  const one = await stage({ deltas: words, hold: followed, after: 15 }, { own: true })
  const two = await startOn(one.environment)
  const id = await one.talk()
  const open = (at: { url: string; token: string }, path: string, body?: object) =>
    fetch(`${at.url}/api/conversations/${id}/messages${path}`, {
      headers: { authorization: `Bearer ${at.token}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
  const started = await readEvents(await open(one, '', { message: 'Hi', stream: true }), (event) => event.id === 10)
  const message = started[0]?.data.message_id
  const rest = await readEvents(await open(two, `/${message}/stream?after=10`), (event) => {
    if (event.id === 11) resolve()
    return false
  })
  expect(rest.map((event) => event.id)).toEqual(Array.from({ length: 22 }, (_, n) => n + 11))
  expect(joinText([...started, ...rest])).toBe(words.join(''))

  one.provider.next({ deltas: words, fault: 'stall', after: 15 })
  const second = await open(one, '', { message: 'Again', stream: true })
  await readEvents(second, (event) => event.id === 3)
  await two.remove(`/conversations/${id}`)
  await one.provider.requests[1]?.gone
})

it('leaves the turns of living nodes alone when a node starts', async () => {
  const one = await stage({ deltas: ['Some ', 'words'], fault: 'stall', after: 2, delay: 1 }, { own: true })
  const id = await one.talk()
  const said = one.say(id, 'Hi')
  await until(() => one.provider.requests.length === 1)
  const two = await startOn(one.environment)
  const reply = await until(async () => {
    const [, message] = (await two.get(`/conversations/${id}`)).body.data.messages
    return (message.status !== 'running' || message.content === 'Some words') && message
  })
  expect(reply.status).toBe('running')
  await two.post(`/conversations/${id}/messages/${reply.id}/cancel`)
  expect((await said).body.data).toMatchObject({ status: 'cancelled', content: 'Some words' })
})

it('starts two nodes at once on an empty database, with one workspace and one owner', async () => {
  const environment = await freshEnvironment({ empty: true })
  const nodes = await Promise.all([startOn({ ...environment }), startOn({ ...environment })])
  const made = nodes.map((node) => node.ownerToken).filter((token) => token !== null)
  expect(made.length).toBe(1)
  const [token] = made as [string]
  for (const node of nodes) {
    const { body } = await node.get('/workspaces', { token })
    expect(body.data.map((workspace: { name: string }) => workspace.name)).toEqual(['default'])
    expect((await node.get('/models', { token })).body.pagination.total).toBe(3)
  }
})

it('serves health, status and metrics on a worker, and nothing else', async () => {
  const one = await startService({ own: true })
  const worker = await startOn({ ...one.environment, ROLE: 'worker' })
  expect((await worker.get('/health', { token: null })).body.status).toBe('healthy')
  expect((await worker.get('/health/live', { token: null })).status).toBe(200)
  expect((await worker.get('/status')).body.data.node).toBe(worker.ctx.node)
  expect((await worker.get('/metrics')).body).toContain('parley_jobs{status="queued"}')
  for (const path of ['/api/agents', '/api/openapi.json', '/docs']) {
    expect([path, (await fetch(`${worker.url}${path}`, bearer(worker.token))).status]).toEqual([path, 404])
  }
})

it('goes on while the next release migrates the database and takes over', async () => {
  const one = await startService({ own: true })
  const next = {
    release: { version: '9.0.0', previous: one.ctx.version },
    features: [
      {
        name: 'next',
        migrations: [
          {
            name: '2999-01-01-colour' as const,
            up: (db: Kysely<unknown>) =>
              db.schema
                .alterTable('agent')
                .addColumn('colour', 'text', (column) => column.notNull().defaultTo('blue'))
                .execute(),
          },
        ],
      },
    ],
  }
  const { id } = (await one.post('/agents', { name: 'Before' })).body.data
  const two = await startOn(one.environment, next)
  const restarted = await startOn(one.environment)
  for (const [n, node] of [one, two, restarted].entries()) {
    expect((await node.put(`/agents/${id}`, { name: `Changed ${n}` })).status).toBe(200)
    expect((await node.post('/agents', { name: `After ${n}` })).status).toBe(201)
    expect((await node.get('/agents')).body.pagination.total).toBe(n + 2)
  }
})

it('sets one default model under parallel requests to several nodes', async () => {
  const one = await startService({ own: true })
  const two = await startOn(one.environment)
  const make = async (n: number) =>
    (await one.post('/models', { name: `M${n}`, provider: 'ollama', model_id: `m${n}` })).body.data.id as string
  const ids = [await make(1), await make(2), await make(3), await make(4)]
  const answers = await Promise.all(ids.map((id, n) => (n % 2 ? one : two).put(`/models/${id}`, { is_default: true })))
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200])
  expect((await one.get('/models?type=chat&is_default=true')).body.pagination.total).toBe(1)
})

it('answers with a label as soon as it is moved, on every node', async () => {
  const prompt = ({ body }: RecordedRequest): string => (body.messages as { content: string }[])[0]?.content ?? ''
  const one = await stage((request) => ({ deltas: [prompt(request)] }), { own: true }, { system_prompt: 'one' })
  const { put, agent, token } = one
  await put(`/agents/${agent}`, { system_prompt: 'two' })
  const two = await startOn(one.environment)
  for (const version of [1, 2, 1, 2]) {
    await put(`/agents/${agent}/labels/production`, { version })
    const { id } = (await two.post('/conversations', { agent_id: agent }, { token })).body.data
    const reply = await two.post(`/conversations/${id}/messages`, { message: 'Hello' }, { token })
    expect(reply.body.data).toMatchObject({ agent_version: version, content: version === 1 ? 'one' : 'two' })
  }
})
