import { describe, expect, it, vi } from 'vitest'
import { echoTool } from '../../../../test/echo-tool.ts'
import { evaluating } from '../../../../test/evaluating.ts'
import type { Json } from '../../../../test/harness.ts'
import type { RecordedRequest, Script } from '../../../../test/scripted-provider.ts'
import { stage } from '../../../../test/stage.ts'

vi.setConfig({ testTimeout: 300_000 }) // several runs each, on machines that may be busy

const said = ({ body }: RecordedRequest): string => (body.messages as { content: string }[]).at(-1)?.content ?? ''

/** A model that repeats what it is told. */
const parrot = (request: RecordedRequest): Script => ({ deltas: [said(request)], usage: { input: 10, output: 5 } })

type Pairs = [answer: string, expected?: string | null, metadata?: object][]

/** The marks that scorers give for answers, each with what was expected. */
async function marking(more: Script = {}) {
  const staged = await stage((request) => ({ ...parrot(request), ...more }))
  const { evaluate } = evaluating(staged)
  return async (scorer: object, pairs: Pairs) => {
    const { results } = await evaluate({
      type: 'model',
      target_id: staged.model,
      test_cases: pairs.map(([input, expected_output = null, metadata = {}]) => ({ input, expected_output, metadata })),
      scorers: [scorer],
    })
    return results.map(({ scores, error, passed }: Json) => ({ score: scores[0]?.score, passed, error }))
  }
}

const yes = { score: 1, passed: true }
const no = { score: 0, passed: false }

describe('scorers', () => {
  it('exact_match: the same text', async () => {
    const marksFor = await marking()
    const pairs: [string, string?][] = [
      ['Paris', 'Paris'],
      [' Paris\n', 'Paris'],
      ['paris', 'Paris'],
      ['New  York', 'New York'],
      ['x'],
    ]
    expect(await marksFor({ type: 'exact_match' }, pairs)).toEqual([yes, yes, no, no, no])
    const loose = { type: 'exact_match', config: { ignore_case: true, ignore_whitespace: true } }
    expect(await marksFor(loose, pairs)).toEqual([yes, yes, yes, yes, no])
    expect(await marksFor({ type: 'exact_match', config: { trim: false } }, pairs.slice(0, 2))).toEqual([yes, no])
  })

  it('contains: the expected output, or all or any of several values', async () => {
    const marksFor = await marking()
    expect(await marksFor({ type: 'contains' }, [['It is Paris.', 'Paris'], ['It is paris.', 'Paris'], ['x']])).toEqual(
      [yes, no, no],
    )
    const values = ['red', 'green', 'blue']
    const answers: [string][] = [['red green blue'], ['Red and blue'], ['black']]
    const all = { type: 'contains', config: { values, ignore_case: true } }
    expect(await marksFor(all, answers)).toEqual([yes, { score: expect.closeTo(2 / 3), passed: false }, no])
    expect(await marksFor({ ...all, threshold: 0.5 }, answers)).toMatchObject([yes, { passed: true }, no])
    expect(await marksFor({ type: 'contains', config: { values, mode: 'any' } }, answers)).toEqual([yes, yes, no])
  })

  it('regex: a pattern of the scorer or of the case, with a time limit', async () => {
    const marksFor = await marking()
    const dated = { type: 'regex', config: { pattern: '^\\d{4}-\\d\\d-\\d\\d$' } }
    expect(await marksFor(dated, [['2026-11-15'], ['soon']])).toEqual([yes, no])
    expect(await marksFor({ type: 'regex', config: { flags: 'i' } }, [['PARIS', '^par.s$'], ['x']])).toEqual([yes, no])
    const bomb = `${'a'.repeat(60)}!`
    const hostile = await marksFor({ type: 'regex' }, [
      [bomb, '^(a+)+$'],
      [bomb, '(a|aa)+$'],
      ['fine', 'fine'],
      [`${'x'.repeat(50_000)}`, '(x+x+)+y'],
    ])
    expect(hostile[2]).toEqual(yes)
    for (const index of [0, 1, 3])
      expect(hostile[index]).toMatchObject({ passed: false, error: expect.stringContaining('took longer') })
  })

  it('regex: a slow pattern is not tried again, and others are not delayed', async () => {
    const staged = await stage(parrot)
    const { create, run, ended, results } = evaluating(staged)
    const test_cases = Array.from({ length: 40 }, () => ({ input: `${'a'.repeat(60)}!` }))
    const scorers = [{ type: 'regex', config: { pattern: '^(a+)+$' } }]
    const id = await create({ type: 'model', target_id: staged.model, test_cases, scorers, concurrency: 1 })
    const runId = await run(id)
    // Matched in the service's own thread, this pattern would let nothing else through for years.
    expect((await staged.get('/health')).status).toBe(200)
    await ended(id, runId)
    const { summary, results: rows } = await results(id)
    expect(summary).toMatchObject({ errors: 40, verdict: 'failed' })
    const stopped = rows.filter(({ error }: Json) => error.includes('took longer'))
    expect(stopped).toHaveLength(3)
    expect(rows[39].error).toContain('not tried again')
  })

  it('json_schema: follows a schema, also with text around', async () => {
    const marksFor = await marking()
    const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
    const answers: [string][] = [['{"n":1}'], ['So:\n```json\n{"n":2}\n```'], ['{"n":"1"}'], ['{}'], ['none']]
    expect(await marksFor({ type: 'json_schema', config: { schema } }, answers)).toEqual([yes, yes, no, no, no])
    const { post, model } = await stage()
    for (const [config, path] of [
      [{ schema: { type: 'nonsense' } }, 'scorers[0].config.schema'],
      [{}, 'scorers[0].config.schema'],
    ] as [object, string][]) {
      const scorers = [{ type: 'json_schema', config }]
      const body = { name: 'E', type: 'model', target_id: model, test_cases: [{ input: 'x' }], scorers }
      const refused = await post('/evaluations', body)
      expect([refused.status, refused.body.details[0].path]).toEqual([400, path])
    }
  })

  it('json_match: equal values or a subset, also with text around', async () => {
    const marksFor = await marking()
    const wanted = '{"city":"Paris","people":[1,2]}'
    const answers: [string, string][] = [
      ['{"people":[1,2],"city":"Paris"}', wanted],
      ['Here it is:\n```json\n{"city": "Paris", "people": [1, 2]}\n```\nDone.', wanted],
      ['Sure! {"city":"Paris","people":[1,2]} as asked', wanted],
      ['{"city":"Paris","people":[1,2],"more":true}', wanted],
      ['{"city":"Paris","people":[2,1]}', wanted],
      ['no JSON', wanted],
      ['[[[[[[[[[', wanted],
      ['{"a":1}', 'not JSON'],
    ]
    expect(await marksFor({ type: 'json_match' }, answers)).toEqual([yes, yes, yes, no, no, no, no, no])
    const subset = await marksFor({ type: 'json_match', config: { subset: true } }, answers)
    expect(subset).toEqual([yes, yes, yes, yes, no, no, no, no])
  })

  it('similarity: the same meaning in other words', async () => {
    const marksFor = await marking()
    const marks = await marksFor({ type: 'similarity' }, [
      ['Paris is the capital of France.', 'The capital of France is Paris.'],
      ['Our office is in Berlin.', 'You can return items within 30 days.'],
      ['Same', 'Same'],
      ['x'],
      [`The capital of France is Paris. ${'It has many museums. '.repeat(200)}`, 'Tax returns are due in May.'],
    ])
    expect(marks).toMatchObject([{ passed: true }, { passed: false }, yes, no, { passed: false }])
    for (const { score } of marks) expect(score >= 0 && score <= 1).toBe(true)
    expect(marks[0].score).toBeGreaterThan(0.9)
    expect(marks[1].score).toBeLessThan(0.4)
  })

  it('latency and cost: within their limits', async () => {
    const marksFor = await marking({ delay: 5 }) // so that it takes more than no time
    // 10 tokens in at 0.001 and 5 out at 0.002 dollars per thousand.
    const price = 0.00002
    expect(await marksFor({ type: 'cost', config: { max_usd: price } }, [['a']])).toEqual([yes])
    expect(await marksFor({ type: 'cost', config: { max_usd: price / 2 } }, [['a']])).toEqual([
      { score: expect.closeTo(0.5), passed: false },
    ])
    expect(await marksFor({ type: 'latency', config: { max_ms: 60_000 } }, [['a']])).toEqual([yes])
    const [late] = await marksFor({ type: 'latency', config: { max_ms: 0.0001 } }, [['a']])
    expect(late.passed).toBe(false)
    expect(late.score).toBeLessThan(0.1)
  })

  it('tool_called: the tool, by name or id, with the arguments', async () => {
    const tool = echoTool()
    const staged = await stage(undefined, { shared: true, features: [tool.feature] })
    const toolId = await tool.create(staged)
    await staged.put(`/agents/${staged.agent}`, { tools: [toolId] })
    const { evaluate } = evaluating(staged)
    const call: Script = { toolCalls: [{ name: 'echo', arguments: '{"text":"hi","n":1}' }] }
    const scorers = [
      { type: 'tool_called', config: { tool: 'echo' } },
      { type: 'tool_called', config: { tool: toolId, arguments: { text: 'hi' } } },
      { type: 'tool_called', config: { tool: 'echo', arguments: { text: 'bye' } } },
      { type: 'tool_called', config: { tool: 'search' } },
      { type: 'tool_called' },
    ]
    staged.provider.next(call, { deltas: ['Done'] })
    const test_cases = [{ input: 'Say hi', expected_output: 'echo' }]
    const { results, summary } = await evaluate({ type: 'agent', target_id: staged.agent, test_cases, scorers })
    expect(results[0].scores.map((each: Json) => [each.scorer, each.score])).toEqual([
      ['tool_called', 1],
      ['tool_called_2', 1],
      ['tool_called_3', 0],
      ['tool_called_4', 0],
      ['tool_called_5', 1],
    ])
    expect(summary.mean_scores).toEqual({
      tool_called: 1,
      tool_called_2: 1,
      tool_called_3: 0,
      tool_called_4: 0,
      tool_called_5: 1,
    })
  })
})

describe('llm_judge', () => {
  const judged = async (verdict: Script | ((request: RecordedRequest) => Script), more: object = {}) => {
    const staged = await stage((request) => {
      if (request.body.model !== 'judge-1') return { deltas: ['Paris'], usage: { input: 10, output: 5 } }
      return typeof verdict === 'function' ? verdict(request) : verdict
    })
    const judge = (
      await staged.post('/models', {
        name: 'Judge',
        provider: 'openai-compatible',
        model_id: 'judge-1',
        endpoint: staged.provider.url,
        pricing: { input: 1, output: 2 },
      })
    ).body.data.id
    const { evaluate } = evaluating(staged)
    const view = await evaluate({
      type: 'agent',
      target_id: staged.agent,
      test_cases: [{ input: 'Capital of France?', expected_output: 'It is Paris' }],
      scorers: [{ type: 'llm_judge', config: { rubric: 'Names the city.', model_id: 'judge-1' } }],
      ...more,
    })
    return { ...view, staged, judge }
  }

  it('grades by a rubric, and its cost belongs to the evaluation', async () => {
    const verdict = '{"reason": "Right city.", "score": 0.9}'
    const { results, summary, run, staged, judge } = await judged({
      deltas: [verdict],
      usage: { input: 50, output: 20 },
    })
    expect(results[0]).toMatchObject({
      passed: true,
      scores: [{ scorer: 'llm_judge', score: 0.9, passed: true, reason: 'Right city.' }],
      tokens: 15,
      cost: 0.00002,
    })
    expect(summary).toMatchObject({ tokens: 15, judge_tokens: 70, judge_cost: 0.09, verdict: 'passed' })
    const asked = staged.provider.requests.find(({ body }: RecordedRequest) => body.model === 'judge-1')
    const text = JSON.stringify(asked?.body.messages)
    for (const part of ['Names the city.', 'Capital of France?', 'It is Paris']) expect(text).toContain(part)
    const stats = (await staged.get(`/usage/stats?entity_type=evaluation&entity_id=${run.evaluation_id}`)).body.data
    expect(stats.by_model[judge]).toMatchObject({ tokens: 70, cost: 0.09, requests: 1 })
    expect((await staged.remove(`/models/${judge}`)).body.code).toBe('in_use')
  })

  it.each<[string, Script]>([
    ['says nothing of use', { deltas: ['What a lovely answer!'] }],
    ['gives a score that is none', { deltas: ['{"score": 7}'] }],
    ['fails', { status: 400, body: { error: { message: 'Too long.' } } }],
  ])('makes the case an error, not the run, when the judge %s', async (_, verdict) => {
    const { results, summary, run } = await judged(verdict)
    expect(run.status).toBe('completed')
    expect(summary).toMatchObject({ errors: 1, verdict: 'failed' })
    expect(results[0].error).toMatch(/judge/)
    expect(results[0].actual_output).toBe('Paris')
  })
})
