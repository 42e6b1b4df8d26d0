import { expect, it, onTestFinished } from 'vitest'
import { builtIn, library } from '../../../test/handbook.ts'
import { type Json, type Service, startService, until } from '../../../test/harness.ts'
import { scriptedProvider } from '../../../test/scripted-provider.ts'
import { stage, stageOn } from '../../../test/stage.ts'

interface Row {
  kind: string
  model_id: string
  tool_id: string | null
  agent_id: string | null
  conversation_id: string | null
  evaluation_id: string | null
  user_id: string | null
  input_tokens: number
  output_tokens: number
  cost_nano: number
  estimated: boolean
}

/** The ledger of a workspace, in the order of the calls. */
async function ledger({ ctx }: Service, workspace: string): Promise<Row[]> {
  const all = ctx.db.selectFrom('usage_record').selectAll().where('workspace_id', '=', workspace)
  const rows = await all.orderBy('id').execute()
  return rows.map((row) => ({ ...row, estimated: Boolean(row.estimated) })) as unknown as Row[]
}

const listModels = async ({ get }: Service): Promise<Record<string, string>> =>
  Object.fromEntries((await get('/models')).body.data.map((each: Json) => [each.model_id, each.id]))

const budget = { name: 'Budget', metric: 'tokens', limit: 0, window: 'day', action: 'block' }

it('bills the test of a model, and refuses it when a budget is exhausted', async () => {
  const service = await startService()
  const provider = await scriptedProvider({ deltas: ['OK'], usage: { input: 9, output: 2 } })
  onTestFinished(() => provider.close())
  const made = async (body: object) =>
    (await service.post('/models', { name: 'M', provider: 'openai-compatible', endpoint: provider.url, ...body })).body
      .data.id
  const chat = await made({ model_id: 'm-1', pricing: { input: 1, output: 1 } })
  const embedder = await made({ model_id: 'embed-1', pricing: { input: 1, output: 0 } })
  expect((await service.post(`/models/${chat}/test`)).body.data).toMatchObject({ ok: true, error: null })
  expect((await service.post(`/models/${embedder}/test`)).body.data).toMatchObject({ ok: true, error: null })
  const local = (await listModels(service))['all-MiniLM-L6-v2'] as string
  expect((await service.post(`/models/${local}/test`)).body.data).toMatchObject({ ok: true, error: null })
  const rows = await ledger(service, service.workspace)
  expect(rows).toMatchObject([
    { kind: 'chat', model_id: chat, input_tokens: 9, output_tokens: 2, cost_nano: 11_000_000 },
    { kind: 'embedding', model_id: embedder },
    { kind: 'embedding', model_id: local, cost_nano: 0 },
  ])
  expect(rows.every(({ input_tokens }) => Number(input_tokens) > 0)).toBe(true)
  await service.post('/usage/thresholds', budget)
  const asked = provider.requests.length
  for (const id of [chat, embedder]) {
    const refused = await service.post(`/models/${id}/test`)
    expect([refused.status, refused.body.code]).toEqual([403, 'budget_exceeded'])
  }
  expect(provider.requests.length).toBe(asked)
})

it('has a row for each embedding of the built-in models, at cost 0: syncs, queries and passages', async () => {
  const service = await startService()
  const { ragTool, whenRefined, ask, find, retrievalTool } = await library(service)
  const models = await listModels(service)
  const rows = async (name: string) =>
    (await ledger(service, service.workspace)).filter(({ model_id }) => model_id === models[name])
  const synced = await rows('parley-static-256')
  expect(synced).toHaveLength(3)
  for (const row of synced) expect(row).toMatchObject({ kind: 'embedding', cost_nano: 0, tool_id: null })
  expect(synced.every(({ input_tokens }) => Number(input_tokens) >= 20)).toBe(true)

  const tool = await ragTool(builtIn)
  await whenRefined(`/rag-tools/${tool}`)
  const [passages] = await rows(builtIn.embedding_model)
  expect(passages).toMatchObject({ kind: 'embedding', cost_nano: 0, tool_id: tool, estimated: true })
  await ask(tool, 'How long is parental leave?', { answer: false })
  await ask(tool, 'How long is parental leave?', { answer: false }) // known already
  expect(await rows(builtIn.embedding_model)).toHaveLength(2)

  const plain = await retrievalTool()
  const before = (await rows('parley-static-256')).length
  await find(plain, 'parental leave')
  await find(plain, 'parental leave', { search_mode: 'keyword' })
  expect((await rows('parley-static-256')).slice(before)).toMatchObject([{ tool_id: plain, cost_nano: 0 }])
  const { data } = (await service.get('/usage/stats')).body
  expect(data.by_model[models[builtIn.embedding_model] as string]).toMatchObject({ requests: 2, cost: 0 })
})

it('bills the searches of an agent to its conversation, and they respect its budgets', async () => {
  const service = await startService()
  const { ragTool, whenRefined } = await library(service)
  const embeddings = await scriptedProvider()
  onTestFinished(() => embeddings.close())
  const model = { name: 'E', provider: 'openai-compatible', model_id: 'embed-1', endpoint: embeddings.url }
  const embedder = (await service.post('/models', { ...model, pricing: { input: 1, output: 0 } })).body.data.id
  const tool = await ragTool({ embedding_model: embedder })
  await whenRefined(`/rag-tools/${tool}`)
  const search = { toolCalls: [{ name: 'Handbook', arguments: JSON.stringify({ query: 'parental leave' }) }] }
  const here = await stageOn(service, undefined, { tools: [tool] })
  here.provider.next(search, { deltas: ['Sixteen weeks [1].'] })
  const conversation = await here.talk()
  expect((await here.say(conversation, 'How long is parental leave?')).body.data.status).toBe('completed')
  const ofAgent = (await ledger(service, service.workspace)).filter(({ agent_id }) => agent_id === here.agent)
  expect(ofAgent.filter(({ kind }) => kind === 'embedding')).toMatchObject([
    { model_id: embedder, tool_id: tool, conversation_id: conversation, user_id: 'ada' },
  ])
  await service.post('/usage/thresholds', { ...budget, entity_type: 'user', entity_id: 'bob', metric: 'cost' })
  const asked = embeddings.requests.length
  const other = (await service.post('/conversations', { agent_id: here.agent, user_id: 'bob' })).body.data.id
  await service.put(`/models/${here.model}`, { pricing: { input: 0, output: 0 } }) // only the embedding costs anything
  here.provider.next(
    { toolCalls: [{ name: 'Handbook', arguments: JSON.stringify({ query: 'the pump' }) }] },
    { deltas: ['Prime it.'] },
  )
  expect((await here.say(other, 'What about the pump?')).body.data.status).toBe('completed')
  expect(embeddings.requests.length).toBe(asked)
})

it('has a row for what the scorers of an evaluation embed', async () => {
  const service = await startService()
  const { agent } = await stageOn(service, { deltas: ['It is Paris.'] })
  const cases = { test_cases: [{ input: 'Capital of France?', expected_output: 'Paris' }] }
  const body = { name: 'E', type: 'agent', target_id: agent, ...cases, scorers: [{ type: 'similarity' }] }
  const evaluation = (await service.post('/evaluations', body)).body.data.id
  await service.post(`/evaluations/${evaluation}/run`)
  await until(
    async () => (await service.get(`/evaluations/${evaluation}/results`)).body.data.run.status === 'completed',
  )
  const rows = (await ledger(service, service.workspace)).filter(({ kind }) => kind === 'embedding')
  expect(rows).toMatchObject([{ evaluation_id: evaluation, cost_nano: 0, estimated: true }])
})

it('estimates what a cancelled call cost by its tokens in any language, rather too high', async () => {
  const reply = '东京是日本的首都，也是世界上人口最多的城市之一。'
  const question = '日本の首都はどこですか。人口と歴史についても教えてください。'.repeat(20)
  const here = await stage({ deltas: [reply, '。'], fault: 'stall' })
  const conversation = await here.talk()
  const sent = here.say(conversation, question)
  const running = await until(async () => {
    const { data } = (await here.get(`/conversations/${conversation}/messages`)).body
    return data.find(({ role, content }: Json) => role === 'assistant' && content.includes(reply))
  })
  await here.post(`/conversations/${conversation}/messages/${running.id}/cancel`)
  const { data } = (await sent).body
  expect(data.status).toBe('cancelled')
  const [input = 0, output = 0] = await here.ctx.tokens.count([question, data.content])
  expect(data.usage.input_tokens).toBeGreaterThanOrEqual(input)
  expect(data.usage.input_tokens).toBeLessThan(input * 1.3 + 20)
  expect(data.usage.output_tokens).toBeGreaterThanOrEqual(output)
  expect(data.usage.output_tokens).toBeLessThan(output * 1.3 + 2)
})

it('bills a query whose caller has left before the answer', async () => {
  const service = await startService()
  const { ragTool } = await library(service)
  const provider = await scriptedProvider({ deltas: ['Sixteen', ' weeks', ' [1].'], fault: 'stall' })
  onTestFinished(() => provider.close())
  const model = { name: 'M', provider: 'openai-compatible', model_id: 'm-1', endpoint: provider.url }
  const writer = (await service.post('/models', { ...model, pricing: { input: 1, output: 1 } })).body.data.id
  const tool = await ragTool({ model_id: writer })
  const leaving = new AbortController()
  const asked = fetch(`${service.url}/api/rag-tools/${tool}/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'How long is parental leave?' }),
    signal: leaving.signal,
  }).catch(() => undefined)
  await until(() => provider.requests.length === 1)
  leaving.abort()
  await asked
  const [row] = await until(async () => {
    const rows = (await ledger(service, service.workspace)).filter(({ model_id }) => model_id === writer)
    return rows.length > 0 && rows
  })
  expect(row).toMatchObject({ kind: 'chat', tool_id: tool, estimated: true })
  expect(Number(row?.input_tokens)).toBeGreaterThan(50)
})
