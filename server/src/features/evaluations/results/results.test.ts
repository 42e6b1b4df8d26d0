import { describe, expect, it, vi } from 'vitest'
import { evaluating } from '../../../../test/evaluating.ts'
import type { Json } from '../../../../test/harness.ts'
import type { RecordedRequest, Script } from '../../../../test/scripted-provider.ts'
import { stage } from '../../../../test/stage.ts'

vi.setConfig({ testTimeout: 300_000 }) // several runs each, on machines that may be busy

const said = ({ body }: RecordedRequest): string => (body.messages as { content: string }[]).at(-1)?.content ?? ''
const scorers = [{ type: 'exact_match' }]

describe('results', () => {
  it('compare two runs: fixed and broken cases, and significance', async () => {
    let broken = (_question: number): boolean => false
    const answer = (request: RecordedRequest): Script => {
      const question = Number(said(request).slice(1))
      return { deltas: [broken(question) ? 'wrong' : said(request)], usage: { input: 1, output: 1 } }
    }
    const staged = await stage(answer)
    const { create, run, ended, results } = evaluating(staged)
    const test_cases = Array.from({ length: 20 }, (_, n) => ({ input: `Q${n}`, expected_output: `Q${n}` }))
    const id = await create({ type: 'model', target_id: staged.model, test_cases, scorers, pass_threshold: 0.5 })
    const runWith = async (rule: typeof broken) => {
      broken = rule
      const runId = await run(id)
      await ended(id, runId)
      return runId
    }
    const first = await runWith((n) => n === 0)
    const second = await runWith((n) => n === 1)
    const third = await runWith((n) => n > 11)

    const close = await results(id, `&run_id=${second}&compare_to=${first}`)
    expect(close.summary.verdict).toBe('passed')
    expect(close.comparison).toMatchObject({
      run_id: first,
      cases: { paired: 20, only_in_run: 0, only_in_baseline: 0 },
      fixed: 1,
      broken: 1,
      pass_rate: { before: 0.95, after: 0.95, change: 0, p_value: 1, significant: false },
      regression: false,
      verdict: 'passed',
      changed: [
        { case: 0, baseline_case: 0, input: 'Q0', change: 'fixed' },
        { case: 1, baseline_case: 1, input: 'Q1', change: 'broken' },
      ],
    })
    // Eight broken and one fixed: 2 × (1 + 9) / 2⁹.
    const worse = await results(id, `&compare_to=${first}`)
    expect(worse.run.id).toBe(third)
    expect(worse.summary).toMatchObject({ passed: 12, pass_rate: 0.6, verdict: 'failed' })
    expect(worse.comparison.pass_rate).toMatchObject({ p_value: expect.closeTo(20 / 512), significant: true })
    expect(worse.comparison).toMatchObject({ fixed: 1, broken: 8, regression: true, verdict: 'failed' })
    expect((await results(id)).summary.verdict).toBe('passed')
    const wrong = await staged.get(`/evaluations/${id}/results?compare_to=${third}`)
    expect([wrong.status, wrong.body.details[0].path]).toEqual([400, 'compare_to'])
    expect((await staged.get(`/evaluations/${id}/results?compare_to=run_none`)).status).toBe(404)
    const [none, some] = [await results(id, '&outcome=error'), await results(id, '&outcome=failed')]
    expect([none.results.length, some.results.map((each: Json) => each.case)]).toEqual([
      0,
      [12, 13, 14, 15, 16, 17, 18, 19],
    ])
  })
})

describe('ten thousand cases', () => {
  it('are stored, paged, compared and exported', async () => {
    const staged = await stage()
    const { get, ctx } = staged
    const { create, results } = evaluating(staged)
    const count = 10_000
    const test_cases = Array.from({ length: count }, (_, n) => ({
      input: `Question ${n}`,
      expected_output: `Answer ${n}`,
    }))
    const id = await create({ type: 'model', target_id: staged.model, test_cases, scorers })
    const workspace = (await get('/workspaces')).body.data[0].id
    const insertRun = async (runId: string, isBroken: (n: number) => boolean) => {
      const at = '2026-11-15T00:00:00Z'
      await ctx.db
        .insertInto('evaluation_run')
        .values({
          id: runId,
          workspace_id: workspace,
          evaluation_id: id,
          status: 'completed',
          done: count,
          total: count,
          name: 'E',
          type: 'model',
          target_id: staged.model,
          target_version: 1,
          evaluation_version: 1,
          cases_version: 1,
          scorers: JSON.stringify(scorers),
          concurrency: 4,
          pass_threshold: 1,
          pinned: 'null',
          started_by: 'test',
          job_id: null,
          stalled: 0,
          summary: 'null',
          error: null,
          created_at: at,
          started_at: at,
          finished_at: at,
          updated_at: at,
        })
        .execute()
      for (let start = 0; start < count; start += 1000) {
        const rows = Array.from({ length: 1000 }, (_, offset) => {
          const passed = !isBroken(start + offset)
          return {
            workspace_id: workspace,
            run_id: runId,
            position: start + offset,
            outcome: passed ? ('passed' as const) : ('failed' as const),
            conversation_id: null,
            actual_output: 'x',
            scores: JSON.stringify([{ scorer: 'exact_match', score: Number(passed), passed }]),
            error: null,
            latency_ms: start + offset,
            tokens: 3,
            cost_nano: 2,
            judge_tokens: 0,
            judge_cost_nano: 0,
            unpriced_requests: 0,
            judge_unpriced_requests: 0,
          }
        })
        await ctx.db.insertInto('evaluation_result').values(rows).execute()
      }
    }
    await insertRun('run_1', (n) => n < 100)
    await insertRun('run_2', (n) => n < 300)

    const whole = await results(id)
    expect(whole.summary).toMatchObject({ total: count, passed: 9700, tokens: 30_000, cost: 0.00002 })
    expect(whole.summary.latency_ms).toEqual({ p50: 4999, p95: 9499 })
    await ctx.db
      .updateTable('evaluation_run')
      .set({ summary: JSON.stringify(whole.summary) })
      .execute()
    const last = await get(`/evaluations/${id}/results?page=100&limit=100`)
    expect(last.body.pagination).toEqual({ page: 100, limit: 100, total: count, pages: 100 })
    expect(last.body.data.results.at(-1)).toMatchObject({ case: 9999, input: 'Question 9999' })
    const compared = await results(id, '&compare_to=run_1')
    expect(compared.comparison).toMatchObject({ broken: 200, fixed: 0, regression: true })
    expect(compared.comparison.changed).toHaveLength(200)
    const file = await get(`/evaluations/${id}/results?format=csv`)
    expect(file.body.split('\r\n')).toHaveLength(count + 2)
    const listed = await get('/evaluations')
    expect(listed.body.data[0].test_case_count).toBe(count)

    const copied = await staged.post(`/evaluations/${id}/test-cases/import?mode=replace`, {
      format: 'jsonl',
      content: '{"input":"only"}',
    })
    expect(copied.body.data).toEqual({ imported: 1, test_case_count: 1 })
    expect((await results(id)).results[0].input).toBe('Question 0')
  })
})
