import { describe, expect, it, vi } from 'vitest'
import { evaluating } from '../../../../test/evaluating.ts'
import { eventListener } from '../../../../test/event-listener.ts'
import { type Json, startOn, until } from '../../../../test/harness.ts'
import type { RecordedRequest, Script } from '../../../../test/scripted-provider.ts'
import { stage } from '../../../../test/stage.ts'

vi.setConfig({ testTimeout: 300_000 }) // several runs each, on machines that may be busy

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ input: `Question ${index}`, expected_output: `Question ${index}` }))
const said = ({ body }: RecordedRequest): string => (body.messages as { content: string }[]).at(-1)?.content ?? ''
const prompt = ({ body }: RecordedRequest): string => (body.messages as { content: string }[])[0]?.content ?? ''
const parrot = (request: RecordedRequest): Script => ({ deltas: [said(request)], usage: { input: 10, output: 5 } })
const scorers = [{ type: 'exact_match' }]

const listener = eventListener()
const findEvents = (runId: string) => listener.events.filter(({ data }) => data.run_id === runId)

describe('a run', () => {
  it.each(['model', 'agent'] as const)(
    'of a %s respects its concurrency, is the only active one, and can be cancelled',
    async (type) => {
      const staged = await stage({ fault: 'hang' }, { features: [listener.feature] })
      const { post, get, provider } = staged
      const { create, run, results } = evaluating(staged)
      const id = await create({ type, target_id: staged[type], test_cases: numbered(12), scorers, concurrency: 3 })
      const runId = await run(id)
      await until(() => provider.requests.length === 3)
      expect((await get(`/evaluations/${id}/runs/${runId}`)).body.data).toMatchObject({
        status: 'running',
        progress: { done: 0, total: 12 },
        summary: null,
      })
      expect((await results(id)).summary).toMatchObject({
        total: 0,
        pass_rate: null,
        pass_rate_ci95: null,
        verdict: null,
      })
      const second = await post(`/evaluations/${id}/run`)
      expect([second.status, second.body.code]).toEqual([409, 'already_running'])
      expect(second.body.details).toEqual([{ path: 'run_id', message: runId }])

      const cancelled = await post(`/evaluations/${id}/runs/${runId}/cancel`)
      expect(cancelled.body.data).toMatchObject({ status: 'cancelled', progress: { done: 0, total: 12 } })
      await Promise.all(provider.requests.map(({ gone }) => gone))
      // A call that was made has to be paid for, although nobody will read the answer.
      await until(async () => {
        const { data } = (await get(`/usage/stats?entity_type=evaluation&entity_id=${id}`)).body
        return data.by_entity.evaluation[id]?.requests === 3
      })
      expect(provider.requests).toHaveLength(3)
      expect((await post(`/evaluations/${id}/runs/${runId}/cancel`)).body.data.status).toBe('cancelled')
      expect(findEvents(runId).map(({ type, data }) => [type, data.status, data.verdict])).toEqual([
        ['evaluation.finished', 'cancelled', 'failed'],
      ])
      const again = await run(id)
      expect((await get(`/evaluations/${id}/runs`)).body.data.map((each: Json) => each.id)).toEqual([again, runId])
      const listed = async (query: string) => (await get(`/evaluations/${id}/runs?${query}`)).body
      const ids = async (query: string) => (await listed(query)).data.map((each: Json) => each.id)
      expect(await ids('sort=id&order=asc')).toEqual([runId, again])
      expect(await ids('status=cancelled')).toEqual([runId])
      expect(await ids(`type=${type}&concurrency=3&status=completed`)).toEqual([])
      expect((await listed('status=cancelled')).data[0]).toEqual(
        (await get(`/evaluations/${id}/runs/${runId}`)).body.data,
      )
      expect((await listed('page=2&limit=1')).pagination).toEqual({ page: 2, limit: 1, total: 2, pages: 2 })
      expect((await listed('status=odd')).details[0].path).toBe('status')
      expect((await listed('scorers=x')).details[0].path).toBe('scorers')
    },
  )

  it('publishes an event when it has finished', async () => {
    const staged = await stage(parrot, { features: [listener.feature] })
    const { evaluate } = evaluating(staged)
    const { run, summary } = await evaluate({
      name: 'Echo',
      type: 'agent',
      target_id: staged.agent,
      test_cases: numbered(3),
      scorers,
      pass_threshold: 0.9,
    })
    const [event, ...more] = findEvents(run.id)
    expect(more).toEqual([])
    expect(event).toMatchObject({
      type: 'evaluation.finished',
      data: {
        evaluation_id: run.evaluation_id,
        evaluation_name: 'Echo',
        run_id: run.id,
        status: 'completed',
        verdict: 'passed',
        target_id: staged.agent,
        target_version: 1,
        progress: { done: 3, total: 3 },
        summary,
      },
    })
    expect(event?.workspace).toMatch(/^wsp_/)
  })

  it('uses the agent and the cases of its start, whatever changes meanwhile', async () => {
    const { promise: hold, resolve: release } = Promise.withResolvers<void>()
    const staged = await stage((request) => ({ ...parrot(request), hold }))
    const { put, get, agent, provider } = staged
    const { create, run, ended, results } = evaluating(staged)
    const body = { type: 'agent', target_id: agent, test_cases: numbered(4), scorers, concurrency: 1 }
    const id = await create(body)
    const runId = await run(id)
    await until(() => provider.requests.length > 0)
    await put(`/agents/${agent}`, { system_prompt: 'Be rude.', status: 'archived' })
    await put(`/evaluations/${id}`, { test_cases: [{ input: 'Other' }], scorers: [{ type: 'contains' }] })
    release()
    await ended(id, runId)
    expect(provider.requests.map(prompt)).toEqual(Array(4).fill('Be kind.'))
    const view = await results(id)
    expect(view.run).toMatchObject({ target_version: 1, evaluation_version: 1, scorers: [{ type: 'exact_match' }] })
    expect(view.results.map(({ input }: Json) => input)).toEqual(numbered(4).map(({ input }) => input))
    const { messages } = (await get(`/conversations/${view.results[3].conversation_id}`)).body.data
    expect(messages[1].agent_version).toBe(1)
    expect((await get(`/evaluations/${id}`)).body.data.test_cases).toHaveLength(1)
    await put(`/agents/${agent}`, { status: 'active' })
    const next = await run(id)
    await ended(id, next)
    expect(prompt(provider.requests.at(-1) as RecordedRequest)).toBe('Be rude.')
    const compared = await results(id, `&compare_to=${runId}`)
    expect(compared.comparison.cases).toEqual({ paired: 0, only_in_run: 1, only_in_baseline: 4 })
  })

  it('records failures of the target as errors of their cases', async () => {
    const staged = await stage((request) => {
      return said(request) === 'Question 1'
        ? { status: 400, body: { error: { message: 'Not that.' } } }
        : parrot(request)
    })
    const { evaluate } = evaluating(staged)
    for (const type of ['agent', 'model'] as const) {
      const { summary, results } = await evaluate({ type, target_id: staged[type], test_cases: numbered(3), scorers })
      expect(summary).toMatchObject({ total: 3, passed: 2, failed: 0, errors: 1, pass_rate: 2 / 3, verdict: 'failed' })
      expect(results[1]).toMatchObject({ passed: false, scores: [], error: expect.stringContaining('Not that.') })
    }
  })

  it('finishes running cases when the service stops, and resumes at the next start', async () => {
    const { promise: hold, resolve: release } = Promise.withResolvers<void>()
    const staged = await stage((request) => ({ ...parrot(request), hold }), { own: true })
    const { create, run } = evaluating(staged)
    const body = { type: 'agent', target_id: staged.agent, test_cases: numbered(8), scorers, concurrency: 2 }
    const id = await create(body)
    const runId = await run(id)
    await until(() => staged.provider.requests.length === 2)
    const closed = staged.close(1_000_000) // longer than the test may take
    release()
    await closed
    expect(staged.provider.requests).toHaveLength(2)
    const next = await startOn(staged.environment)
    const { ended, results } = evaluating(next)
    await ended(id, runId)
    expect((await results(id)).summary).toMatchObject({ total: 8, passed: 8, verdict: 'passed' })
    expect(staged.provider.requests.map(said).sort()).toEqual(numbered(8).map(({ input }) => input))
    const { data } = (await next.get(`/usage/stats?entity_type=evaluation&entity_id=${id}`)).body
    expect(data.by_entity.evaluation[id].requests).toBe(8)
  })

  it('runs an interrupted case again and bills it once', async () => {
    let script: Script = { fault: 'hang' }
    const staged = await stage((request) => ({ ...parrot(request), ...script }), { own: true })
    const { create, run } = evaluating(staged)
    const id = await create({
      type: 'agent',
      target_id: staged.agent,
      test_cases: numbered(3),
      scorers,
      concurrency: 2,
    })
    const runId = await run(id)
    await until(() => staged.provider.requests.length === 2)
    await staged.close(100)
    script = {}
    const next = await startOn(staged.environment)
    const { ended, results } = evaluating(next)
    await ended(id, runId)
    expect((await results(id)).summary).toMatchObject({ total: 3, passed: 3, errors: 0, tokens: 45, verdict: 'passed' })
    const { data } = (await next.get(`/usage/stats?entity_type=evaluation&entity_id=${id}`)).body
    expect(data).toMatchObject({ total_tokens: 45, by_entity: { evaluation: { [id]: { requests: 3 } } } })
    expect((await next.get(`/conversations?evaluation_id=${id}`)).body.pagination.total).toBe(3)
  })

  it('stops when its evaluation is deleted', async () => {
    const staged = await stage({ fault: 'hang' }, { own: true })
    const { create, run } = evaluating(staged)
    const id = await create({ type: 'agent', target_id: staged.agent, test_cases: numbered(2), scorers })
    await run(id)
    await until(() => staged.provider.requests.length === 2)
    expect((await staged.remove(`/evaluations/${id}`)).status).toBe(200)
    await Promise.all(staged.provider.requests.map(({ gone }) => gone))
    await until(async () => (await staged.ctx.jobs.counts()).running === 0)
    expect((await staged.ctx.jobs.counts()).failed).toBe(0)
  })
})
