import { describe, expect, it, vi } from 'vitest'
import { evaluating } from '../../../../test/evaluating.ts'
import type { RecordedRequest } from '../../../../test/scripted-provider.ts'
import { stage } from '../../../../test/stage.ts'

vi.setConfig({ testTimeout: 300_000 }) // several runs each, on machines that may be busy

const said = ({ body }: RecordedRequest): string => (body.messages as { content: string }[]).at(-1)?.content ?? ''
const scorers = [{ type: 'exact_match' }]

describe('results', () => {
  it('are 404 before the first run', async () => {
    const staged = await stage()
    const id = await evaluating(staged).create({ type: 'agent', target_id: staged.agent, test_cases: [{ input: 'a' }] })
    const { status, body } = await staged.get(`/evaluations/${id}/results`)
    expect([status, body.code]).toEqual([404, 'not_found'])
    expect((await staged.get(`/evaluations/${id}/runs`)).body.data).toEqual([])
  })

  it('can be exported, and no CSV cell is a formula', async () => {
    const staged = await stage((request) => ({ deltas: [said(request)] }))
    const { create, run, ended, results } = evaluating(staged)
    const inputs = ['=1+1', '+a', '-2', '@x', 'plain, "quoted"\nnew line', ' padded', 'Grüße 🙂']
    const test_cases = inputs.map((input) => ({ input, expected_output: input }))
    const id = await create({ type: 'model', target_id: staged.model, test_cases, scorers })
    await ended(id, await run(id))
    const csv = await staged.get(`/evaluations/${id}/results?format=csv`)
    expect(csv.headers.get('content-type')).toContain('text/csv')
    expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="run_\w+\.csv"$/)
    const lines = csv.body.split('\r\n')
    expect(lines[0]).toBe(
      'case,input,expected_output,actual_output,passed,error,latency_ms,tokens,cost,conversation_id,exact_match_score,exact_match_passed,exact_match_reason',
    )
    expect(lines[1]).toMatch(/^0,'=1\+1,'=1\+1,'=1\+1,true,,\d+,\d+,[\d.e-]+,,1,true,$/)
    expect(lines.slice(2, 5).map((line: string) => line.split(',')[1])).toEqual(["'+a", "'-2", "'@x"])
    expect(lines[5]).toMatch(/^4,"plain, ""quoted""\nnew line",/)
    expect(lines[6]).toMatch(/^5," padded",/)
    expect(lines).toHaveLength(9)
    const jsonl = await staged.get(`/evaluations/${id}/results`, { headers: { accept: 'application/x-ndjson' } })
    const rows = jsonl.body
      .trim()
      .split('\n')
      .map((line: string) => JSON.parse(line))
    expect(rows).toEqual((await results(id)).results)
    const accepted = await staged.get(`/evaluations/${id}/results`, { headers: { accept: 'text/csv' } })
    expect(accepted.body).toBe(csv.body)
  })
})
