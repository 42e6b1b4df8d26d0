import { describe, expect, it, vi } from 'vitest'
import { evaluating } from '../../../test/evaluating.ts'
import { stage } from '../../../test/stage.ts'

vi.setConfig({ testTimeout: 300_000 }) // on machines that may be busy

const cases = [
  { input: 'What is the capital of France?', expected_output: 'Paris', metadata: { level: 1 } },
  { input: 'And of Spain?', expected_output: 'Madrid' },
]

describe('evaluations', () => {
  it('are created, listed without their cases, updated and deleted', async () => {
    const { post, get, put, remove, agent } = await stage()
    const made = await post('/evaluations', { name: 'Capitals', type: 'agent', target_id: agent, test_cases: cases })
    expect(made.status).toBe(201)
    expect(made.body.data).toMatchObject({
      name: 'Capitals',
      type: 'agent',
      target_id: agent,
      test_case_count: 2,
      concurrency: 4,
      pass_threshold: 1,
      scorers: [{ type: 'similarity', threshold: 0.65, config: {} }],
      test_cases: [cases[0], { ...cases[1], metadata: {} }],
    })
    const { id } = made.body.data
    const listed = (await get('/evaluations?type=agent&sort=test_case_count')).body
    expect(listed.data).toHaveLength(1)
    expect(listed.data[0]).toMatchObject({ id, test_case_count: 2, recent_runs: [] })
    expect('test_cases' in listed.data[0]).toBe(false)

    const got = await get(`/evaluations/${id}`)
    expect(got.body.data).toEqual(made.body.data)
    const same = await put(`/evaluations/${id}`, got.body.data)
    expect([same.status, same.headers.get('etag')]).toEqual([200, got.headers.get('etag')])
    const changed = await put(`/evaluations/${id}`, { test_cases: [{ input: 'Hi' }], concurrency: 2 })
    expect(changed.body.data).toMatchObject({
      test_case_count: 1,
      concurrency: 2,
      test_cases: [{ input: 'Hi', expected_output: null, metadata: {} }],
    })
    expect(
      (await remove(`/evaluations/${id}`, { headers: { 'if-match': got.headers.get('etag') ?? '' } })).status,
    ).toBe(412)
    const archived = await remove(`/agents/${agent}`)
    expect([archived.status, archived.body.message]).toEqual([200, expect.stringContaining('archived')])
    expect(archived.body.message).toContain(`DELETE /api/evaluations/${id}`)
    expect((await get(`/agents/${agent}`)).body.data).toMatchObject({ status: 'archived', version: 2 })
    expect((await remove(`/agents/${agent}`)).status).toBe(200)
    expect((await remove(`/evaluations/${id}`)).status).toBe(200)
    expect((await get(`/evaluations/${id}`)).status).toBe(404)
    expect((await remove(`/agents/${agent}`)).body.message).toBe('The agent was deleted.')
    expect((await get(`/agents/${agent}`)).status).toBe(404)
  })

  it('are read with all of their cases while these are replaced', async () => {
    const { post, get, put, agent } = await stage()
    const { id } = (await post('/evaluations', { name: 'E', type: 'agent', target_id: agent, test_cases: cases })).body
      .data
    const rounds = Array.from({ length: 30 }, (_, round) => round)
    const replaced = Promise.all(
      [1, 2].map(async (writer) => {
        for (const round of rounds) {
          const changed = await put(`/evaluations/${id}`, { test_cases: [{ input: `${writer} ${round}` }] })
          expect(changed.status).toBe(200)
        }
      }),
    )
    const counts = await Promise.all(
      rounds.map(async () => {
        const { test_cases, test_case_count } = (await get(`/evaluations/${id}`)).body.data
        return test_cases.length - test_case_count
      }),
    )
    await replaced
    expect(new Set(counts)).toEqual(new Set([0]))
  })

  it('reject invalid fields by path', async () => {
    const { post, agent, model, get } = await stage()
    const local = (await get('/models?provider=local&type=chat')).body.data[0].id
    const embedding = (await get('/models?type=embedding')).body.data[0].id
    const base = { name: 'E', type: 'agent', target_id: agent, test_cases: cases }
    const wrong: [object, string, string][] = [
      [{ target_id: 'agt_none' }, 'unknown_reference', 'target_id'],
      [{ target_id: model }, 'unknown_reference', 'target_id'],
      [{ type: 'model', target_id: embedding }, 'invalid_request', 'target_id'],
      [{ test_cases: [] }, 'invalid_request', 'test_cases'],
      [{ test_cases: [{ input: '' }] }, 'invalid_request', 'test_cases[0].input'],
      [{ test_cases: [{ input: 'a', expected: 'b' }] }, 'invalid_request', 'test_cases[0].expected'],
      [{ scorers: [{ type: 'magic' }] }, 'invalid_request', 'scorers[0].type'],
      [{ scorers: [{ type: 'latency' }] }, 'invalid_request', 'scorers[0].config.max_ms'],
      [{ scorers: [{ type: 'latency', config: { max_ms: -1 } }] }, 'invalid_request', 'scorers[0].config.max_ms'],
      [{ scorers: [{ type: 'similarity', config: { x: 1 } }] }, 'invalid_request', 'scorers[0].config.x'],
      [{ scorers: [{ type: 'regex', config: { pattern: '(' } }] }, 'invalid_request', 'scorers[0].config.pattern'],
      [
        { scorers: [{ type: 'regex' }], test_cases: [{ input: 'a', expected_output: '[' }] },
        'invalid_request',
        'test_cases[0].expected_output',
      ],
      [
        { scorers: [{ type: 'llm_judge', config: { rubric: 'Good?', model_id: local } }] },
        'invalid_request',
        'scorers[0].config.model_id',
      ],
      [
        { scorers: [{ type: 'llm_judge', config: { rubric: 'Good?' } }] },
        'invalid_request',
        'scorers[0].config.model_id',
      ],
      [
        { scorers: [{ type: 'llm_judge', config: { rubric: 'Good?', model_id: 'mdl_none' } }] },
        'unknown_reference',
        'scorers[0].config.model_id',
      ],
      [{ type: 'model', target_id: model, scorers: [{ type: 'tool_called' }] }, 'invalid_request', 'scorers[0].type'],
      [{ concurrency: 0 }, 'invalid_request', 'concurrency'],
    ]
    for (const [change, code, path] of wrong) {
      const { status, body } = await post('/evaluations', { ...base, ...change })
      expect([status, body.code, body.details?.[0]?.path]).toEqual([400, code, path])
    }
  })

  it('run an agent in new conversations and bill the evaluation', async () => {
    const staged = await stage({ deltas: ['Paris'], usage: { input: 100, output: 10 } })
    const { evaluate } = evaluating(staged)
    const { get, agent, model } = staged
    const { run, summary, results } = await evaluate({
      type: 'agent',
      target_id: agent,
      test_cases: cases,
      scorers: [{ type: 'exact_match' }],
    })
    expect(run).toMatchObject({ status: 'completed', progress: { done: 2, total: 2 }, target_version: 1, error: null })
    expect(run).toMatchObject({ target_name: 'A', model_id: model })
    const [listed] = (await get('/evaluations')).body.data
    expect(listed.recent_runs).toEqual([
      { id: run.id, status: 'completed', pass_rate: 0.5, verdict: 'failed', created_at: run.created_at },
    ])
    expect(summary).toMatchObject({
      total: 2,
      passed: 1,
      failed: 1,
      errors: 0,
      pass_rate: 0.5,
      mean_scores: { exact_match: 0.5 },
      tokens: 220,
      cost: 0.00024,
      verdict: 'failed',
    })
    expect(results[0]).toMatchObject({
      case: 0,
      input: cases[0]?.input,
      expected_output: 'Paris',
      actual_output: 'Paris',
      passed: true,
      scores: [{ scorer: 'exact_match', score: 1, passed: true }],
      tokens: 110,
      cost: 0.00012,
    })
    expect(results[1]).toMatchObject({ case: 1, passed: false })
    expect(results[1].scores[0].reason).toContain('Madrid')
    const conversation = (await get(`/conversations/${results[0].conversation_id}`)).body.data
    expect(conversation).toMatchObject({
      status: 'completed',
      evaluation_id: run.evaluation_id,
      metadata: { evaluation_id: run.evaluation_id, run_id: run.id, case: '0' },
    })
    expect(conversation.messages.map((message: { content: string }) => message.content)).toEqual([
      cases[0]?.input,
      'Paris',
    ])
    expect((await get(`/conversations?evaluation_id=${run.evaluation_id}`)).body.pagination.total).toBe(2)
    const stats = (await get(`/usage/stats?entity_type=evaluation&entity_id=${run.evaluation_id}`)).body.data
    expect(stats).toMatchObject({ total_tokens: 220, total_cost: 0.00024, by_model: { [model]: { requests: 2 } } })
  })
})
