import { describe, expect, it, vi } from 'vitest'
import { evaluating } from '../../../../test/evaluating.ts'
import { library } from '../../../../test/handbook.ts'
import { type Json, until } from '../../../../test/harness.ts'
import type { RecordedRequest, Script } from '../../../../test/scripted-provider.ts'
import { stage } from '../../../../test/stage.ts'

vi.setConfig({ testTimeout: 300_000 }) // a source is read first

const marks = ({ results }: Json) => results.map(({ scores }: Json) => scores.map(({ score }: Json) => score))

describe('knowledge as the target', () => {
  it('a RAG tool: the answer, its passages and its cost', async () => {
    const staged = await stage({ deltas: ['Sixteen weeks [1].'], usage: { input: 100, output: 10 } })
    const { ragTool } = await library(staged)
    const tool = await ragTool({ model_id: staged.model })
    const { evaluate } = evaluating(staged)
    const view = await evaluate({
      type: 'rag_tool',
      target_id: tool,
      test_cases: [
        { input: 'How long is parental leave?', expected_output: 'sixteen', metadata: { source: 'Leave' } },
        { input: 'How long is parental leave?', expected_output: 'Twenty', metadata: { source: 'Nowhere' } },
      ],
      scorers: [
        { type: 'contains', config: { ignore_case: true } },
        { type: 'retrieval_hit', config: { k: 3 } },
      ],
    })
    expect(marks(view)).toEqual([
      [1, 1],
      [0, 0],
    ])
    const tokensOfQuery = 7 // the built-in model embeds it, at no cost
    const answer = { actual_output: 'Sixteen weeks [1].', tokens: 110 + tokensOfQuery, cost: 0.00012 }
    expect(view.results).toMatchObject([
      { ...answer, passed: true },
      { ...answer, passed: false },
    ])
    expect(view.run).toMatchObject({ type: 'rag_tool', target_version: 1 })
    const { evaluation_id: id } = view.run
    const stats = (await staged.get(`/usage/stats?entity_type=evaluation&entity_id=${id}`)).body.data
    expect(stats.by_model[staged.model]).toMatchObject({ requests: 2, tokens: 220, cost: 0.00024 })
    expect(stats.by_entity.tool[tool].requests).toBeGreaterThanOrEqual(2)
    expect((await staged.remove(`/rag-tools/${tool}`)).body.code).toBe('in_use')
  })

  it('a retrieval tool: a hit by document, source or text, with the rank in the score', async () => {
    const staged = await stage()
    const { retrievalTool, find } = await library(staged)
    const tool = await retrievalTool({ search_mode: 'keyword' })
    const query = 'the water filter of the coffee machine'
    const { results } = await find(tool, query)
    const [best, second] = results
    expect(best.metadata.source).toBe('Machines')
    const { evaluate } = evaluating(staged)
    const test_cases = [
      { input: query, expected_output: best.metadata.document_id },
      { input: query, expected_output: best.metadata.chunk_id },
      { input: query, expected_output: 'machines' },
      { input: query, expected_output: 'water FILTER  of the coffee' },
      { input: query, expected_output: 'nothing of the kind' },
      { input: query, metadata: { document_id: best.metadata.document_id, page: 1 } },
      { input: query, metadata: { document_id: best.metadata.document_id, page: 2 } },
      { input: query },
      ...(second ? [{ input: query, expected_output: second.metadata.chunk_id }] : []),
    ]
    const view = await evaluate({
      type: 'retrieval_tool',
      target_id: tool,
      test_cases,
      scorers: [{ type: 'retrieval_hit' }],
    })
    expect(marks(view).flat()).toEqual([1, 1, 1, 1, 0, 1, 0, 0, ...(second ? [1 / 2] : [])])
    if (second) expect(view.results.at(-1).passed).toBe(true)
    expect(view.results[0].actual_output).toContain('coffee machine')
    expect(view.summary).toMatchObject({ errors: 0, tokens: 0, cost: 0 })
  })

  it('an agent with a search tool: everything that it retrieved is a passage, cited or not', async () => {
    const looksUp = ({ body }: RecordedRequest): Script => {
      const { messages, tools } = body as { messages: Json[]; tools: Json[] }
      if (messages.at(-1).role === 'tool') return { deltas: ['In the basement [1].'] }
      return { toolCalls: [{ name: tools[0].function.name, arguments: '{"query":"Where are bicycles kept?"}' }] }
    }
    const staged = await stage(looksUp)
    const { ragTool, ask } = await library(staged)
    const tool = await ragTool()
    await staged.put(`/agents/${staged.agent}`, { tools: [tool] })
    const { results } = await ask(tool, 'Where are bicycles kept?', { answer: false })
    const second = results[1].metadata // retrieved, but not cited
    const view = await evaluating(staged).evaluate({
      type: 'agent',
      target_id: staged.agent,
      test_cases: [
        { input: 'Where are bicycles kept?', metadata: { source: 'Office' } },
        { input: 'Where are bicycles kept?', metadata: { source: 'Leave' } },
        { input: 'Where are bicycles kept?', metadata: { source: second.source } },
        { input: 'Where are bicycles kept?', metadata: { chunk_id: second.chunk_id } },
      ],
      scorers: [
        { type: 'retrieval_hit', config: { k: 2 } },
        { type: 'tool_called', config: { tool } },
      ],
    })
    expect(marks(view)).toEqual([
      [1, 1],
      [second.source === 'Leave' ? 1 / 2 : 0, 1],
      [1 / 2, 1],
      [1 / 2, 1],
    ])
  })

  it('the target stays as it was at the start of the run', async () => {
    const staged = await stage({ deltas: ['One [1].'], delay: 300 })
    const { ragTool } = await library(staged)
    const { create, run, ended, results } = evaluating(staged)
    const test_cases = Array.from({ length: 3 }, () => ({
      input: 'Where are bicycles kept?',
      expected_output: 'Office',
    }))
    const common = { test_cases, concurrency: 1, scorers: [{ type: 'retrieval_hit' }] }
    const rag = await ragTool({ model_id: staged.model, top_k: 3 })
    const changedDuring = async (target: object, path: string, change: object): Promise<Json> => {
      const id = await create({ ...common, ...target })
      const asked = staged.provider.requests.length
      const runId = await run(id)
      await until(() => staged.provider.requests.length > asked) // the first case is running
      expect((await staged.put(path, change)).status).toBe(200)
      expect((await ended(id, runId)).status).toBe('completed')
      return results(id)
    }
    const nothing = { filters: { department: 'nowhere' }, chunk_size: 100, chunk_overlap: 0 }
    const ofRag = await changedDuring({ type: 'rag_tool', target_id: rag }, `/rag-tools/${rag}`, nothing)
    expect(marks(ofRag).flat()).toEqual([1, 1, 1])
    expect(ofRag.run.target_version).toBe(1)
    const ofModel = { type: 'model', target_id: staged.model, scorers: [{ type: 'contains' }] }
    await changedDuring(ofModel, `/models/${staged.model}`, { model_id: 'another', name: 'B' })
    const asked = staged.provider.requests.map(({ body }) => body.model)
    expect(new Set(asked)).toEqual(new Set(['scripted-1']))
  })

  it('a failing target makes its cases errors', async () => {
    const staged = await stage({ status: 400, body: { error: { message: 'Not today.' } } })
    const { ragTool } = await library(staged)
    const { summary, results } = await evaluating(staged).evaluate({
      type: 'rag_tool',
      target_id: await ragTool({ model_id: staged.model }),
      test_cases: [{ input: 'How long is parental leave?' }],
    })
    expect(summary).toMatchObject({ errors: 1, verdict: 'failed' })
    expect(results[0].error).toContain('Not today.')
  })
})
