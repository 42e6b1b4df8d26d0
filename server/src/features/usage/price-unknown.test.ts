import { expect, it, onTestFinished } from 'vitest'
import { type Library, library } from '../../../test/handbook.ts'
import { type Json, type Service, startService, until } from '../../../test/harness.ts'
import { scriptedProvider } from '../../../test/scripted-provider.ts'
import { type Stage, stage, stageOn } from '../../../test/stage.ts'

const budget = { name: 'Pocket money', metric: 'cost', limit: 100, window: 'total', action: 'block' }
const free = { pricing: { input: 0, output: 0 } }

const made = async ({ post }: Pick<Service, 'post'>, path: string, body: object): Promise<Json> => {
  const answer = await post(path, body)
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  return answer.body.data
}

it('refuses models without a price under a blocking cost budget, on every route', async () => {
  const service = await startService()
  const here = await stageOn(service)
  const embeddings = await scriptedProvider()
  onTestFinished(() => embeddings.close())
  const embedder = await made(here, '/models', {
    name: 'Vectors',
    provider: 'openai-compatible',
    model_id: 'embed-1',
    endpoint: embeddings.url,
  })
  await here.put(`/models/${here.model}`, { pricing: null })
  const { ragTool } = await library(service)
  const rag = await ragTool({ model_id: here.model })
  const talking = await here.talk()
  const { id } = await made(here, '/usage/thresholds', budget)

  const messages = [{ role: 'user', content: 'Hi' }]
  const chat = { model: here.agent, messages }
  const calls: [path: string, body: object][] = [
    [`/conversations/${talking}/messages`, { message: 'Hi' }],
    [`/conversations/${talking}/messages`, { message: 'Hi', stream: true }],
    [`/agents/${here.agent}/try`, { messages }],
    ['/openai/v1/chat/completions', chat],
    ['/openai/v1/chat/completions', { ...chat, stream: true }],
    ['/openai/v1/responses', { model: here.agent, input: 'Hi' }],
    [`/rag-tools/${rag}/query`, { query: 'How long is parental leave?' }],
    [`/models/${here.model}/test`, {}],
    ['/openai/v1/embeddings', { model: embedder.id, input: 'Hi' }],
    [`/models/${embedder.id}/test`, {}],
  ]
  for (const [path, body] of calls) {
    const { status, body: answer } = await here.post(path, body)
    expect([path, status, answer.code]).toEqual([path, 403, 'price_unknown'])
    const text = answer.error.message ?? answer.error
    const model = path.includes('embeddings') || path.includes(embedder.id) ? 'embed-1' : 'scripted-1'
    for (const name of [model, '"Pocket money"', id]) expect(text).toContain(name)
  }
  const cases = { test_cases: [{ input: 'Hi', expected_output: 'Hi' }], scorers: [{ type: 'exact_match' }] }
  for (const target of [
    { type: 'agent', target_id: here.agent },
    { type: 'model', target_id: here.model },
  ]) {
    const evaluation = await made(here, '/evaluations', { name: 'E', ...target, ...cases })
    await here.post(`/evaluations/${evaluation.id}/run`)
    const { results } = await until(async () => {
      const { data } = (await here.get(`/evaluations/${evaluation.id}/results`)).body
      return data.run.status === 'completed' && data
    })
    expect(results[0].error).toContain('"Pocket money"')
  }
  expect([here.provider.requests, embeddings.requests]).toEqual([[], []])
  expect((await here.get(`/conversations/${talking}`)).body.data.messages).toEqual([])
  expect((await here.get(`/usage/thresholds/${id}`)).body.data).toMatchObject({ used: 0, reserved: 0 })

  await here.put(`/models/${here.model}`, free)
  expect((await here.say(talking, 'Hi')).status).toBe(200)
})

const other = (here: Stage, type: string): object => ({
  ...{ name: 'Second', provider: type === 'rerank' ? 'cohere' : 'openai-compatible', model_id: 'second-1', type },
  endpoint: here.provider.url,
})

type Answered = (here: Stage, model: string, library: Library) => Promise<unknown>

/** The calls that are made on the way to an answer, each with a model of its own. */
const indirect: [what: string, type: string, answered: Answered][] = [
  [
    'a judge',
    'chat',
    async (here, model_id) => {
      const scorers = [{ type: 'llm_judge', config: { rubric: 'Polite.', model_id } }]
      const target = { type: 'agent', target_id: here.agent, test_cases: [{ input: 'Hi' }] }
      const { id } = await made(here, '/evaluations', { name: 'E', scorers, ...target })
      await here.post(`/evaluations/${id}/run`)
      return until(async () => {
        const { data } = (await here.get(`/evaluations/${id}/results`)).body
        return data.run.status === 'completed' && data.results[0].error
      })
    },
  ],
  [
    'an agent that is asked',
    'chat',
    async (here, model_id) => {
      const asked = (await made(here, '/agents', { name: 'clerk', model_id })).id
      await here.put(`/agents/${here.agent}`, { tools: [asked] })
      const call = { id: 'call_c', name: 'clerk', arguments: '{"message":"Hi"}' }
      here.provider.next({ toolCalls: [call] }, { deltas: ['Done.'] })
      return (await here.say(await here.talk(), 'Hi')).body.data.tool_calls[0].result
    },
  ],
  [
    'a handoff',
    'chat',
    async (here, model_id) => {
      const next = (await made(here, '/agents', { name: 'clerk', model_id })).id
      await here.put(`/agents/${here.agent}`, { handoffs: [next] })
      here.provider.next({ toolCalls: [{ id: 'call_h', name: 'transfer_to_clerk', arguments: '{"reason":"R"}' }] })
      return (await here.say(await here.talk(), 'Hi')).body.error
    },
  ],
  [
    'a rerank model',
    'rerank',
    async (here, rerank, { source }) => {
      const tool = await made(here, '/retrieval-tools', { name: 'R', knowledge_source_ids: [source], rerank })
      return JSON.stringify((await here.post(`/retrieval-tools/${tool.id}/search`, { query: 'parental leave' })).body)
    },
  ],
  [
    'an index',
    'embedding',
    async (here, embedding_model, { source }) => {
      const tool = await made(here, '/retrieval-tools', { name: 'R', knowledge_source_ids: [source], embedding_model })
      return until(async () => {
        const { data } = (await here.get(`/retrieval-tools/${tool.id}`)).body
        const text = JSON.stringify(data)
        return text.includes('second-1') && text
      })
    },
  ],
]

it.each(indirect)('refuses a model without a price for %s', async (_, type, answered) => {
  const service = await startService()
  const here = await stageOn(service)
  const files = await library(service)
  const model = await made(here, '/models', other(here, type))
  await made(here, '/usage/thresholds', budget)
  expect(await answered(here, model.id, files)).toMatch(/second-1/)
  expect(here.provider.requests.filter(({ body }) => body.model === 'second-1')).toEqual([])
})

it('calls models without a price where no cost budget blocks them', async () => {
  const here = await stage()
  await here.put(`/models/${here.model}`, { pricing: null })
  const other = (await made(here, '/agents', { name: 'B' })).id
  for (const more of [
    { metric: 'tokens', limit: 1_000_000 },
    { action: 'notify' },
    { entity_type: 'agent', entity_id: other },
    { entity_type: 'user', entity_id: 'bob' },
  ])
    await made(here, '/usage/thresholds', { ...budget, ...more })
  expect((await here.say(await here.talk(), 'Hi')).status).toBe(200)
  expect((await here.get(`/agents/${other}`)).body.data.warnings).toEqual([])

  // A price that is entered later is that of later calls.
  await here.put(`/models/${here.model}`, { pricing: { input: 1, output: 1 } })
  expect((await here.say(await here.talk(), 'Hi')).status).toBe(200)
  const costs = (await here.get('/usage/costs?group_by=agent')).body.data
  const both = { requests: 2, unpriced_requests: 1, cost: costs.total_cost }
  expect(costs).toMatchObject({
    unpriced_requests: 1,
    by_model: { [here.model]: both },
    by_entity: { agent: { [here.agent]: both } },
    daily: [{ unpriced_requests: 1, groups: [{ id: here.agent, ...both }] }],
  })
  expect((await here.get('/usage/stats?entity_type=conversation')).body.data).toMatchObject({ unpriced_requests: 1 })
  expect((await here.get('/analytics/conversations')).body.data).toMatchObject({
    unpriced_requests: 1,
    by_agent: [{ agent_id: here.agent, unpriced_requests: 1 }],
  })
})

it('counts the calls without a price of a reply, a run, an evaluation and an experiment, whatever the price is later', async () => {
  const here = await stage()
  const { get, post, put, agent, model } = here
  await put(`/models/${model}`, { pricing: null })
  await put(`/agents/${agent}`, { system_prompt: 'Second.' })
  const variants = [1, 2].map((version) => ({ version, weight: 1 }))
  const experiment = await made(here, '/experiments', { name: 'E', agent_id: agent, variants, metric: 'cost' })
  await post(`/experiments/${experiment.id}/start`)
  const talking = await here.talk()
  const { id } = (await here.say(talking, 'Hi')).body.data
  const action = { type: 'message', agent_id: agent, message: 'Hi' }
  const schedule = await made(here, '/schedules', { name: 'S', cron: '0 9 1 1 *', action })
  await post(`/schedules/${schedule.id}/run`)
  const run = await until(async () => {
    const [last] = (await get(`/schedules/${schedule.id}/runs`)).body.data
    return last?.finished_at && last
  })
  const cases = {
    test_cases: [{ input: 'Hi', expected_output: 'Hi' }],
    scorers: [{ type: 'llm_judge', config: { model_id: model, rubric: 'Is it kind?' } }],
  }
  const evaluation = await made(here, '/evaluations', { name: 'E', type: 'agent', target_id: agent, ...cases })
  await post(`/evaluations/${evaluation.id}/run`)
  const found = await until(async () => {
    const { data } = (await get(`/evaluations/${evaluation.id}/results`)).body
    return data.run.status === 'completed' && data
  })

  await put(`/models/${model}`, free)
  expect(run).toMatchObject({ cost: 0, unpriced_requests: 1 })
  expect(found.results).toMatchObject([{ cost: 0, unpriced_requests: 1 }])
  expect(found.summary).toMatchObject({ cost: 0, judge_cost: 0 })
  expect(found.summary.unpriced_requests).toBeGreaterThan(1) // with those of the judge
  const first = `/conversations/${talking}/messages`
  expect((await get(first)).body.data[1].usage).toMatchObject({ cost: 0, unpriced_requests: 1 })
  const readCost = async (message: string) =>
    (await get(`${first}/${message}/trace`)).body.data.steps.find(({ type }: Json) => type === 'model').usage.cost
  expect(await readCost(id)).toBeNull()
  expect((await get(`/experiments/${experiment.id}/results`)).body.data.unpriced_requests).toBe(2)
  const known = (await here.say(talking, 'Again')).body.data
  expect(known.usage).not.toHaveProperty('unpriced_requests')
  expect(await readCost(known.id)).toBe(0)
})

it('ends a reply whose fallback has no price', async () => {
  const here = await stage({ status: 500, body: { error: { message: 'No.' } } }, {}, { max_tokens: 10 })
  const second = { name: 'Second', provider: 'openai-compatible', model_id: 'second-1', endpoint: here.provider.url }
  const fallback = (await made(here, '/models', second)).id
  await here.put(`/agents/${here.agent}`, { fallback_model_ids: [fallback] })
  await made(here, '/usage/thresholds', budget)
  const answer = await here.say(await here.talk(), 'Hi')
  expect([answer.status, answer.body.code]).toEqual([403, 'price_unknown'])
  expect(answer.body.error).toContain('second-1')
})

it('never refuses the built-in models', async () => {
  const { get, post, put } = await startService()
  const { id, pricing } = (await get('/models?model_id=parley-extractive')).body.data[0]
  expect((await put(`/models/${id}`, { pricing: null })).body.data.pricing).toEqual(pricing)
  const local = { name: 'Second', provider: 'local', model_id: 'parley-extractive' }
  const second = await made({ post }, '/models', local)
  expect([second.pricing, second.warnings]).toEqual([pricing, []])
  await made({ post }, '/usage/thresholds', budget)
  const agent = (await made({ post }, '/agents', { name: 'A', model_id: second.id })).id
  const talking = (await made({ post }, '/conversations', { agent_id: agent })).id
  expect((await post(`/conversations/${talking}/messages`, { message: 'Hi' })).status).toBe(200)
})

it('warns of models without a price: on the model, on its agents and on the budgets that refuse them', async () => {
  const here = await stage()
  const read = async (path: string) => (await here.get(path)).body.data.warnings
  const model = `/models/${here.model}`
  const agent = `/agents/${here.agent}`
  expect(await read(model)).toEqual([])
  await here.put(model, { pricing: null })
  expect(await read(model)).toEqual([{ code: 'price_unknown', message: expect.stringContaining('no price') }])
  expect((await here.get('/models')).body.data[0].warnings).toHaveLength(1)
  expect(await read(agent)).toEqual([]) // its calls are not refused

  const other = (await made(here, '/agents', { name: 'B' })).id
  const create = async (more: object): Promise<Json> => made(here, '/usage/thresholds', { ...budget, ...more })
  const everyone = await create({})
  expect(everyone.warnings).toEqual([
    { code: 'price_unknown', message: expect.stringContaining('Scripted'), models: [here.model] },
  ])
  const path = `/usage/thresholds/${everyone.id}`
  expect(await read(path)).toEqual(everyone.warnings)
  expect((await here.get('/usage/thresholds')).body.data[0].warnings).toEqual(everyone.warnings)
  expect(await read(agent)).toEqual([
    { code: 'price_unknown', message: expect.stringContaining('"Pocket money"'), tools: [], models: [here.model] },
  ])
  expect(await read(`/agents/${other}`)).toEqual([])
  for (const change of [{ action: 'notify' }, { action: 'block', metric: 'tokens' }]) {
    expect((await here.put(path, change)).body.data.warnings).toEqual([])
    expect(await read(agent)).toEqual([])
  }
  await here.remove(path)

  expect((await create({ entity_type: 'agent', entity_id: here.agent })).warnings).toHaveLength(1)
  expect((await create({ entity_type: 'agent', entity_id: other })).warnings).toEqual([])
  expect((await create({ entity_type: 'model', entity_id: here.model })).warnings).toHaveLength(1)
  expect((await create({ entity_type: 'user', entity_id: 'ada' })).warnings).toHaveLength(1)
  const whole = await here.put(model, free)
  expect([whole.body.data.warnings, await read(agent)]).toEqual([[], []])
  const budgets = (await here.get('/usage/thresholds')).body.data
  expect(budgets.flatMap(({ warnings }: Json) => warnings)).toEqual([])
})

it('warns of an agent that uses a default model without a price', async () => {
  const here = await stage()
  await here.put(`/models/${here.model}`, { pricing: null, is_default: true })
  const agent = (await made(here, '/agents', { name: 'B' })).id
  const onAgent = { entity_type: 'agent', entity_id: agent }
  expect((await made(here, '/usage/thresholds', { ...budget, ...onAgent })).warnings).toMatchObject([
    { code: 'price_unknown', models: [here.model] },
  ])
  expect((await here.get(`/agents/${agent}`)).body.data.warnings).toMatchObject([
    { code: 'price_unknown', models: [here.model] },
  ])
})
