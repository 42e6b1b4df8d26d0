import { expect, it } from 'vitest'
import { eventListener } from '../../../test/event-listener.ts'
import { type Json, onPostgres, type Start, startOn, startService, until } from '../../../test/harness.ts'
import type { RecordedRequest, Script } from '../../../test/scripted-provider.ts'
import { type Stage, stageOn } from '../../../test/stage.ts'

const rubric = 'Answers politely.'
const judge = { type: 'llm_judge', config: { rubric } }

const isJudge = ({ body }: RecordedRequest): boolean => JSON.stringify(body.messages).includes(rubric)
const asked = ({ body }: RecordedRequest): string => (body.messages as Json[]).at(-1).content

/** Answers with the question, and judges an answer by the number in it. */
function director(request: RecordedRequest): Script {
  if (!isJudge(request)) return { deltas: [`Reply to ${asked(request)}`], usage: { input: 10, output: 5 } }
  const score = /<answer-\w+>\nReply to \D*([\d.]+)/.exec(asked(request))?.[1]
  const most = Number(request.body.max_completion_tokens ?? request.body.max_tokens ?? 1000)
  const usage = { input: 500, output: Math.min(1000, most) }
  return { deltas: [JSON.stringify({ reason: 'A verdict.', score: Number(score) })], usage }
}

const listener = eventListener()

async function watched(more: object = {}, start?: Start) {
  const here = await stageOn(await startService(start), director)
  const made = async (path: string, body: object): Promise<Json> => {
    const answer = await here.post(path, body)
    expect([path, answer.status, answer.body.error]).toEqual([path, 201, undefined])
    return answer.body.data
  }
  const judging = { ...judge, config: { ...judge.config, model_id: here.model } }
  const monitor = async (fields: object = {}): Promise<Json> =>
    made('/monitors', { name: 'M', agent_id: here.agent, scorers: [judging], sample_rate: 1, ...more, ...fields })
  const say = async (conversation: string, text: string): Promise<Json> =>
    (await here.say(conversation, text)).body.data
  return { ...here, made, monitor, say, judging }
}

const find = ({ ctx }: Pick<Stage, 'ctx'>) =>
  ctx.db.transaction().execute((tx) => ctx.jobs.enqueue(tx, 'monitors.find', { workspace: null }))

/** Waits until every reply in the sample has been scored or refused. */
async function settled(here: Pick<Stage, 'ctx' | 'get'>, id: string, count: number): Promise<Json> {
  await find(here)
  return until(async () => {
    const { data } = (await here.get(`/monitors/${id}/summary`)).body
    const { pending, ...ended } = data.replies as Record<string, number>
    const total = Object.values(ended).reduce((sum, each) => sum + each, 0)
    return pending === 0 && total === count && data
  })
}

it('scores a sample of replies once, and shows the scores with the reply, in lists and by version', async () => {
  const here = await watched()
  const { get, put, talk, say, agent, monitor, made, provider, tokenFor, judging } = here
  const conversation = await talk()
  await say(conversation, 'early 1')
  const { id } = await monitor({ scorers: [judging, { type: 'latency', config: { max_ms: 1e8 } }] })
  expect((await get(`/monitors/${id}`)).body.data).toMatchObject({
    ...{ sample_rate: 1, review_rate: 0.1, daily_budget: 1, alert: null, spent_today: 0 },
  })
  const good = await say(conversation, 'fine 1')
  expect(good.scores).toBeUndefined()
  await put(`/agents/${agent}`, { description: 'Another version' })
  const bad = await say(conversation, 'poor 0.2')
  await put(`/agents/${agent}/labels/canary`, { version: 1 })
  const labelled = (await made('/conversations', { agent_id: agent, label: 'canary' })).id
  const summary = await settled(here, id, 2)
  expect(summary.scorers).toMatchObject([
    // Two of two are not certain.
    { scorer: 'latency', n: 2, mean: 1, passed: 2, pass_rate: 1, ci95: [expect.closeTo(0.34, 2), 1] },
    { scorer: 'llm_judge', n: 2, mean: 0.6, passed: 1, pass_rate: 0.5, ci95: [expect.any(Number), 1] },
  ])
  expect(summary.by_version.map((each: Json) => [each.agent_version, each.scorers[1].mean])).toEqual([
    [2, 0.2],
    [1, 1],
  ])
  expect(summary.timeline.at(-1).scorers[1]).toMatchObject({ n: 2, mean: 0.6 })
  expect(summary.cost).toBeGreaterThan(0)

  // A judge reads the conversation as the person did, and the next look does not score a reply again.
  const judged = provider.requests.filter(isJudge).map(asked)
  expect(judged).toContainEqual(expect.stringMatching(/early 1.*fine 1.*poor 0\.2/s))
  await find(here)
  const stats = (await get(`/usage/stats?entity_id=${id}`)).body.data
  expect(stats.by_entity.evaluation[id]).toMatchObject({ requests: 2, cost: summary.cost })
  expect((await get(`/monitors/${id}`)).body.data.spent_today).toBe(summary.cost)

  const shown = (await get(`/conversations/${conversation}/messages/${bad.id}`)).body.data
  const low = { monitor_id: id, scorer: 'llm_judge', score: 0.2, passed: false, reason: 'A verdict.' }
  expect(shown.scores).toEqual([low, { monitor_id: id, scorer: 'latency', score: 1, passed: true }])
  const ada = await tokenFor('user', { user_id: 'ada' })
  expect((await get(`/conversations/${conversation}`, { token: ada })).body.data.messages.at(-1).scores).toBeUndefined()
  const scores = (await get(`/monitors/${id}/scores?scorer=llm_judge&sort=score&order=asc`)).body
  expect(scores.pagination.total).toBe(2)
  expect(scores.data[0]).toMatchObject({ message_id: bad.id, conversation_id: conversation, agent_version: 2 })
  expect(scores.data[0]).toMatchObject({ score: 0.2, passed: false, reason: 'A verdict.' })
  expect((await get(`/reviews?reason=low_score&agent_id=${agent}`)).body.data).toMatchObject([
    { message_id: bad.id, status: 'open', question: 'poor 0.2', reply: 'Reply to poor 0.2', scores: [low, {}] },
  ])
  const viewer = { token: await tokenFor('viewer', { user_id: 'vic' }) }
  const seen = await Promise.all(
    ['/reviews?reason=low_score', `/monitors/${id}/scores`].map((path) => get(path, viewer)),
  )
  expect(seen.map(({ status }) => status)).toEqual([200, 200])
  expect(seen[0]?.body.data).toMatchObject([{ message_id: bad.id, question: null, reply: null, withheld: true }])
  expect(JSON.stringify(seen.map(({ body }) => body))).not.toMatch(/poor|A verdict/)
  await say(labelled, 'canary 0.5')
  const { by_label } = await settled(here, id, 3)
  expect(by_label).toMatchObject([{ label: 'canary', scorers: [{ n: 1 }, { scorer: 'llm_judge', n: 1, mean: 0.5 }] }])
  await here.remove(`/conversations/${labelled}`)
  // A sample of nothing, and a conversation that is deleted with its scores.
  const none = await monitor({ sample_rate: 0 })
  await say(conversation, 'later 1')
  await settled(here, id, 3)
  expect((await get(`/monitors/${none.id}/summary`)).body.data.replies.scored).toBe(0)
  expect((await here.remove(`/agents/${agent}`)).body.code).toBe('in_use')
  await here.remove(`/conversations/${conversation}`)
  expect((await get(`/monitors/${id}/scores`)).body.pagination.total).toBe(0)
  expect((await get(`/reviews?agent_id=${agent}`)).body.pagination.total).toBe(0)
  await made('/conversations', { agent_id: agent })
})

it('gives experiments its scorers as metrics', async () => {
  const here = await watched()
  const { get, post, say, agent, put, monitor } = here
  await put(`/agents/${agent}`, { description: 'Second' })
  const { id } = await monitor()
  const variants = [1, 2].map((version) => ({ version, weight: 1 }))
  const draft = { name: 'E', agent_id: agent, variants }
  expect((await post('/experiments', { ...draft, metric: 'politeness' })).body.details[0].path).toBe('metric')
  const experiment = (await post('/experiments', { ...draft, metric: 'llm_judge' })).body.data.id
  await post(`/experiments/${experiment}/start`)
  const conversation = (await post('/conversations', { agent_id: agent, user_id: 'ada' })).body.data.id
  await say(conversation, 'poor 0.2')
  await settled(here, id, 1)
  const results = (await get(`/experiments/${experiment}/results`)).body.data
  expect(results.variants.map(({ mean }: Json) => mean).sort()).toEqual([0.2, null])
})

it('warns of a judge whose model has no price, and counts replies that it is not called for as over the budget', async () => {
  const here = await watched()
  const { get, put, talk, say, monitor, made, provider } = here
  const second = { name: 'Second', provider: 'openai-compatible', model_id: 'second-1', endpoint: provider.url }
  const model = (await made('/models', second)).id
  const { id, warnings } = await monitor({ scorers: [{ ...judge, config: { ...judge.config, model_id: model } }] })
  const warning = { code: 'price_unknown', message: expect.stringContaining('"Second"'), models: [model] }
  expect(warnings).toEqual([warning])
  expect((await get('/monitors')).body.data[0].warnings).toEqual([warning])
  await say(await talk(), 'fine 1')
  expect((await settled(here, id, 1)).replies).toMatchObject({ over_budget: 1, failed: 0 })
  expect(provider.requests.filter(isJudge)).toEqual([])
  await put(`/models/${model}`, { pricing: { input: 0, output: 0 } })
  expect((await get(`/monitors/${id}`)).body.data.warnings).toEqual([])
})

it('refuses scorers that compare with an expected output, and budgets and rates out of range', async () => {
  const { post, put, agent } = await watched()
  const refused = async (fields: object) => {
    const { status, body } = await post('/monitors', { name: 'M', agent_id: agent, scorers: [judge], ...fields })
    return [status, body.details?.[0]?.path]
  }
  for (const type of ['exact_match', 'similarity', 'json_match', 'contains', 'regex', 'tool_called', 'retrieval_hit'])
    expect(await refused({ scorers: [{ type }] })).toEqual([400, 'scorers[0]'])
  expect(await refused({ sample_rate: 1.5 })).toEqual([400, 'sample_rate'])
  expect(await refused({ daily_budget: -1 })).toEqual([400, 'daily_budget'])
  expect(await refused({ alert: { window: 3 } })).toEqual([400, 'alert.below'])
  expect(await refused({ agent_id: 'agt_none', scorers: [{ type: 'cost', config: { max_usd: 1 } }] })).toEqual([
    400,
    'agent_id',
  ])
  const answer = await post('/monitors', {
    ...{ name: 'M', agent_id: agent, scorers: [{ type: 'contains', config: { values: ['please'] } }] },
  })
  expect(answer.status).toBe(201)
  const changed = await put(`/monitors/${answer.body.data.id}`, { alert: { below: 0.5 } })
  expect(changed.body.data.alert).toEqual({ below: 0.5, window: 50 })
})

it('never spends more than the daily budget, however many replies are scored at once, on two nodes', async () => {
  const here = await watched({}, { own: true })
  const { talk, say, monitor, get } = here
  // The jobs of both nodes judge replies from the same queue.
  if (onPostgres) await startOn(here.environment)
  const budget = 0.01
  const { id } = await monitor({ daily_budget: budget })
  const conversations = await Promise.all(Array.from({ length: 24 }, talk))
  await Promise.all(conversations.map((conversation) => say(conversation, 'fine 1')))
  const { replies, cost } = await settled(here, id, 24)
  expect(replies.scored).toBeGreaterThan(0)
  expect(replies.over_budget).toBeGreaterThan(0)
  expect(replies.scored + replies.over_budget).toBe(24)
  expect(cost).toBeLessThanOrEqual(budget)
  expect((await get(`/usage/stats?entity_id=${id}`)).body.data.total_cost).toBeLessThanOrEqual(budget)
})

it('bills each call of a judge, also one whose score could not be stored', async () => {
  const now = Date.now() // stands still, so that the job is not repeated before the obstacle is gone
  const here = await watched({}, { now: () => now })
  const { talk, say, monitor, get, ctx, provider } = here
  const { id } = await monitor()
  const reply = await say(await talk(), 'fine 1')
  const [{ id: workspace }] = (await get('/workspaces')).body.data
  // Scores cannot be stored while this row exists: it takes the id of the first one.
  const [replied_at, created_at, updated_at] = Array(3).fill(reply.timestamp)
  const facts = { monitor_id: id, agent_id: here.agent, agent_version: 1, conversation_id: 'c', message_id: reply.id }
  const mark = { scorer: 'llm_judge', score: 1, passed: true, replied_at, revision: 1, created_at, updated_at }
  const obstacle = ctx.db.deleteFrom('monitor_score').where('id', '=', `msc_${id}`)
  await ctx.db
    .insertInto('monitor_score')
    .values({ id: `msc_${id}`, workspace_id: workspace, ...facts, ...mark })
    .execute()
  await find(here)
  const jobs = ctx.db.selectFrom('job').select(['attempt', 'status']).where('workspace_id', '=', workspace)
  await until(async () => {
    const [job] = await jobs.where('queue', '=', 'monitors.score').execute()
    return job?.attempt === 1 && job.status === 'queued'
  })
  const judged = () => provider.requests.filter(isJudge).length
  expect(judged()).toBe(1)
  const billed = async () =>
    (await get(`/usage/stats?entity_id=${id}`)).body.data.by_entity.evaluation?.[id]?.requests ?? 0
  const spent = async () => (await get(`/monitors/${id}`)).body.data.spent_today
  const once = await spent()
  expect([await billed(), once > 0]).toEqual([1, true])

  await obstacle.execute()
  const again = () =>
    ctx.db
      .transaction()
      .execute((tx) =>
        ctx.jobs.enqueue(tx, 'monitors.score', { workspace, payload: { monitor: id, message: reply.id } }),
      )
  await again()
  const { cost } = await settled(here, id, 1)
  expect([await billed(), await spent(), cost]).toEqual([2, cost, 2 * once])
  // A job whose end was not stored runs again, without another call.
  const repeated = await again()
  await until(async () => (await ctx.jobs.get(workspace, repeated))?.status === 'completed')
  expect([judged(), await billed()]).toEqual([2, 2])
})

it('forgets the scores and reviews of a person who is erased, and the words of a reviewer', async () => {
  const here = await watched()
  const { say, get, post, made, monitor, agent } = here
  const { id } = await monitor({ review_rate: 1 })
  const erase = async (person: string) => {
    const user = (await get('/users?limit=100')).body.data.find(({ user_id }: Json) => user_id === person)
    const job = (await post(`/users/${user.id}/erase`)).body.data
    await until(async () => (await get(`/user-jobs/${job.id}`)).body.data?.status === 'completed')
  }
  const replies: Json[] = []
  for (const [at, user_id] of ['ada', 'bob'].entries()) {
    const conversation = (await made('/conversations', { agent_id: agent, user_id })).id
    replies.push(await say(conversation, `poor 0.${at + 1}`))
  }
  await settled(here, id, 2)
  const test_cases = [{ input: 'x' }]
  const evaluation = (await made('/evaluations', { name: 'E', type: 'agent', target_id: agent, test_cases })).id
  const eve = { token: await here.tokenFor('editor', { user_id: 'eve' }) }
  const verdict = { verdict: 'bad', expected_output: 'Dear Ada!', comment: 'Rude to Ada.', evaluation_id: evaluation }
  for (const { id: message_id } of replies) {
    const review = await made('/reviews', { message_id })
    expect((await post(`/reviews/${review.id}`, verdict, eve)).status).toBe(200)
  }

  await erase('ada')
  const scores = (await get(`/monitors/${id}/scores`)).body
  expect(scores.data.map((score: Json) => score.message_id)).toEqual([replies[1].id])
  const reviews = (await get(`/reviews?agent_id=${agent}`)).body.data
  expect(reviews.map((review: Json) => review.message_id)).toEqual([replies[1].id])
  const cases = (await get(`/evaluations/${evaluation}`)).body.data.test_cases
  expect(cases.map(({ input, expected_output }: Json) => [input, expected_output])).toEqual([
    ['x', null],
    ['[erased]', null],
    ['poor 0.2', 'Dear Ada!'],
  ])
  expect((await get(`/monitors/${id}/agreement`)).body.data.n).toBe(1)

  expect(reviews[0]).toMatchObject({ comment: 'Rude to Ada.', reviewed_by: 'eve' })
  await erase('eve')
  const [left] = (await get(`/reviews?agent_id=${agent}`)).body.data
  expect(left).toMatchObject({ verdict: 'bad', comment: null })
  expect(left.reviewed_by).not.toBe('eve')
})

it('alerts once when the mean of the last replies falls below the limit, and again after it has recovered', async () => {
  const here = await watched({}, { features: [listener.feature] })
  const { talk, say, monitor } = here
  const { id } = await monitor({ alert: { below: 0.5, window: 2 } })
  const alerts = () =>
    listener.events
      .filter(({ type, data }) => type === 'monitor.alert' && (data.monitor as Json).id === id)
      .map(({ data }) => [data.scorer, data.mean, data.below, data.window])
  const conversation = await talk()
  const means: number[] = []
  const low: number[] = []
  for (const [count, score] of [0, 0.4, 0.2, 1, 1, 0, 0].entries()) {
    await say(conversation, `x ${score}`)
    await settled(here, id, count + 1)
    means.push(alerts().length)
    low.push((await here.get(`/monitors/${id}`)).body.data.alerting.length)
  }
  expect(low).toEqual([0, 1, 1, 0, 0, 0, 1])
  expect(means).toEqual([0, 1, 1, 1, 1, 1, 2])
  expect(alerts()[0]).toEqual(['llm_judge', 0.2, 0.5, 2])
})

it('queues thumbs down, failures and what people name, and turns a review into a test case', async () => {
  const here = await watched()
  const { talk, say, get, post, put, made, agent, ctx, provider, tokenFor } = here
  const conversation = await talk()
  const one = await say(conversation, 'one')
  const two = await say(conversation, 'two')
  const rate = (id: string, rating: string) =>
    post(`/conversations/${conversation}/messages/${id}/feedback`, { rating })
  await rate(one.id, 'down')
  await rate(two.id, 'down')
  await rate(two.id, 'up')
  provider.next({ status: 400, body: { error: { message: 'Broken.' } } })
  await post(`/conversations/${conversation}/messages`, { message: 'three' })
  await ctx.db.transaction().execute((tx) => ctx.jobs.enqueue(tx, 'reviews.failures', { workspace: null }))
  const queue = async (query: string): Promise<Json[]> => (await get(`/reviews?agent_id=${agent}&${query}`)).body.data
  const failed = await until(async () => (await queue('reason=failed'))[0])
  expect(failed).toMatchObject({ question: 'three', reply: '', error: expect.stringMatching(/Broken/), verdict: null })
  const [liked] = await queue('reason=feedback&status=open')
  expect(liked).toMatchObject({
    message_id: one.id,
    question: 'one',
    reply: 'Reply to one',
    feedback: { rating: 'down' },
  })
  expect(await queue('reason=feedback')).toHaveLength(1)
  const manual = await made('/reviews', { message_id: two.id })
  expect(manual).toMatchObject({ reason: 'manual', status: 'open', tags: [] })
  expect(await made('/reviews', { message_id: two.id })).toEqual(manual)
  expect((await post('/reviews', { message_id: 'msg_none' })).body.code).toBe('unknown_reference')

  const assigned = await put(`/reviews/${manual.id}`, { ...manual, assigned_to: 'eve' })
  expect(assigned.body.data.assigned_to).toBe('eve')
  expect((await put(`/reviews/${manual.id}`, { message_id: one.id })).body.details[0].path).toBe('message_id')
  expect(await queue('assigned_to=eve')).toHaveLength(1)

  const cases = [{ input: 'x', expected_output: 'y' }]
  const evaluation = await made('/evaluations', { name: 'E', type: 'agent', target_id: agent, test_cases: cases })
  const eve = await tokenFor('editor', { user_id: 'eve' })
  const body = { verdict: 'bad', expected_output: 'Two!', comment: 'No.', tags: ['tone'], evaluation_id: evaluation.id }
  const done = (await post(`/reviews/${manual.id}`, body, { token: eve })).body.data
  expect(done).toMatchObject({ ...body, status: 'done', reviewed_by: 'eve', reviewed_at: expect.any(String) })
  await post(`/reviews/${manual.id}`, body)
  await post(`/reviews/${liked.id}`, { verdict: 'bad', evaluation_id: evaluation.id })
  await post(`/reviews/${failed.id}`, { verdict: 'good', evaluation_id: evaluation.id })
  const source = (message_id: string, review_id: string) => ({ conversation_id: conversation, message_id, review_id })
  expect((await get(`/evaluations/${evaluation.id}`)).body.data.test_cases).toMatchObject([
    { input: 'x' },
    { input: 'two', expected_output: 'Two!', metadata: { ...source(two.id, manual.id), tags: ['tone'] } },
    { input: 'one', expected_output: null, metadata: source(one.id, liked.id) },
    { input: 'three', expected_output: null },
  ])
  const wrong = await post(`/reviews/${liked.id}`, { verdict: 'bad', evaluation_id: 'evl_none' })
  expect([wrong.status, wrong.body.details[0].path]).toEqual([400, 'evaluation_id'])
  expect((await post(`/reviews/${liked.id}`, {})).body.details[0].path).toBe('verdict')
  // Another verdict changes the case of the first one.
  const expectedOutputs = async () =>
    (await get(`/evaluations/${evaluation.id}`)).body.data.test_cases.map((each: Json) => each.expected_output)
  await post(`/reviews/${manual.id}`, { ...body, expected_output: 'Exactly two.' })
  await post(`/reviews/${liked.id}`, { verdict: 'good' })
  expect(await expectedOutputs()).toEqual(['y', 'Exactly two.', 'Reply to one', null])
  await put(`/evaluations/${evaluation.id}`, { test_cases: cases })
  expect((await post(`/reviews/${manual.id}`, body)).status).toBe(200)
  expect(await expectedOutputs()).toEqual(['y'])
  await here.remove(`/evaluations/${evaluation.id}`)
  expect((await post(`/reviews/${manual.id}`, { verdict: 'good' })).status).toBe(200)
  expect(await queue('status=open')).toEqual([])
})

it('tells how far the judge and people agree', async () => {
  const here = await watched({ review_rate: 1 })
  const { talk, say, get, post, made, monitor, agent } = here
  const { id } = await monitor()
  expect((await get(`/monitors/${id}/agreement`)).body.data).toEqual({ n: 0, agreement: null, kappa: null, ci95: null })
  const conversation = await talk()
  const verdicts = [
    ['fine 1', 'good'],
    ['fine 0.9', 'bad'],
    ['poor 0.1', 'bad'],
    ['poor 0', 'bad'],
  ]
  for (const [text = '', verdict] of verdicts) {
    const reply = await say(conversation, text)
    const review = await made('/reviews', { message_id: reply.id })
    await post(`/reviews/${review.id}`, { verdict })
  }
  await say(conversation, 'fine 1')
  await settled(here, id, 5)
  const { ci95, ...rest } = (await get(`/monitors/${id}/agreement`)).body.data
  expect(rest).toEqual({ n: 4, agreement: 0.75, kappa: 0.5 })
  expect(ci95[0]).toBeLessThan(0.75)
  expect(ci95[1]).toBeGreaterThan(0.75)
  expect((await get(`/reviews?reason=sampled&status=open&agent_id=${agent}`)).body.data).toHaveLength(1)
  // Reviews of low scores are no random sample, so they do not count for the agreement.
  await here.put(`/monitors/${id}`, { review_rate: 0 })
  await say(conversation, 'poor 0')
  await settled(here, id, 6)
  const [low] = (await get(`/reviews?reason=low_score&status=open&agent_id=${agent}`)).body.data
  await post(`/reviews/${low.id}`, { verdict: 'good' })
  expect((await get(`/monitors/${id}/agreement`)).body.data).toMatchObject(rest)
})
