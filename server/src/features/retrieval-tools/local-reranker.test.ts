import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { library } from '../../../test/handbook.ts'
import { type Json, startService, until } from '../../../test/harness.ts'
import { stageOn } from '../../../test/stage.ts'

const module = fileURLToPath(new URL('../../../../packages/search/test/sample-reranker.ts', import.meta.url))
const withReranker = () => startService({ shared: true, environment: { RERANKER_MODULE: module } })

/** The fewer words a text has beside them, the better it matches "pump". The reranker prefers those worth more. */
const texts = Array.from({ length: 12 }, (_, at) => ({
  title: `Text ${at}`,
  content: `The pump is worth ${at}.${' It is old.'.repeat(at)}`,
}))
const codes = ({ degraded }: Json): string => degraded.map(({ code }: Json) => code).join()
/** On a busy machine the time may be up before anything is scored, so it is tried again. */
const whenFound = (find: () => Promise<Json>, isAwaited: (found: Json) => boolean): Promise<Json> =>
  until(async () => {
    const found = await find()
    return isAwaited(found) && found
  })
const whenComplete = (find: () => Promise<Json>) => whenFound(find, (found) => codes(found) === '')
const titles = ({ results }: Json) => results.map(({ metadata }: Json) => metadata.source)

it('reranks with the local reranker', async () => {
  const service = await withReranker()
  const { retrievalTool, find } = await library(service, texts)
  const plain = await retrievalTool({ top_k: 3, search_mode: 'keyword' })
  const local = await retrievalTool({ top_k: 3, search_mode: 'keyword', rerank: 'local' })
  expect((await service.get(`/retrieval-tools/${local}`)).body.data.rerank).toBe('local')
  expect(titles(await find(plain, 'pump'))).toEqual(['Text 0', 'Text 1', 'Text 2'])
  const found = await whenComplete(() => find(local, 'pump'))
  expect(titles(found)).toEqual(['Text 11', 'Text 10', 'Text 9'])
  for (const { score } of found.results) expect(score).toBeGreaterThan(0.99)
  await service.put(`/retrieval-tools/${local}`, { score_threshold: 0.9999 })
  expect(titles(await whenComplete(() => find(local, 'pump')))).toEqual(['Text 11', 'Text 10'])
  const { reranker } = (await service.get('/status')).body.data.components
  expect(reranker).toMatchObject({ status: 'operational', engine: 'sample-reranker' })
})

it('keeps the order of what is not scored in time, and says so', async () => {
  const service = await withReranker()
  const { retrievalTool, find } = await library(service, texts)
  const tool = await retrievalTool({ top_k: 12, search_mode: 'keyword', rerank: 'local' })
  const before = titles(await find(await retrievalTool({ top_k: 12, search_mode: 'keyword' }), 'pump slowly'))
  const scoredOf = ({ degraded }: Json) =>
    Number(/scored (\d+) of 12 passages within 150 ms/.exec(degraded[0].message)?.[1])
  const { results, degraded } = await whenFound(
    () => find(tool, 'pump slowly'), // the batches become smaller
    (found) => scoredOf(found) > 0,
  )
  const scored = scoredOf({ degraded })
  expect(codes({ degraded })).toBe('rerank_incomplete')
  expect(scored).toBeLessThan(12)
  expect(titles({ results }).slice(scored)).toEqual(before.slice(scored))
  expect(titles({ results }).toSorted()).toEqual(before.toSorted())
  const scores = results.map(({ score }: Json) => score)
  expect(scores).toEqual(scores.toSorted((one: number, other: number) => other - one))
  expect(await service.ctx.metrics.text()).toMatch(
    /parley_local_rerank_duration_seconds_count{outcome="incomplete"} \d/,
  )
})

it('keeps the order if the reranker fails', async () => {
  const service = await withReranker()
  const { retrievalTool, find } = await library(service, texts)
  const tool = await retrievalTool({ top_k: 4, search_mode: 'keyword', rerank: 'local' })
  const plain = await retrievalTool({ top_k: 4, search_mode: 'keyword' })
  const before = titles(await find(plain, 'pump'))
  for (const failure of ['throw', 'few', 'nonsense']) {
    const found = await whenFound(
      () => find(tool, `pump ${failure}`),
      (each) => codes(each) === 'rerank_failed',
    )
    expect(titles(found)).toEqual(before)
  }
  expect(titles(await whenComplete(() => find(tool, 'pump')))[0]).toBe('Text 11')
})

it('is a step of the trace', async () => {
  const { put, get, talk, say, agent, ...service } = await stageOn(await withReranker())
  const { retrievalTool } = await library({ ...service, get, put }, texts)
  const tool = await retrievalTool({ search_mode: 'keyword', rerank: 'local' })
  await put(`/agents/${agent}`, { tools: [tool] })
  const id = await talk()
  const stepOf = async (query: string): Promise<Json> => {
    const call = { id: 'call_0', name: 'Search', arguments: JSON.stringify({ query }) }
    service.provider.next({ toolCalls: [call] }, { deltas: ['Done'] })
    const { data } = (await say(id, query)).body
    const { steps } = (await get(`/conversations/${id}/messages/${data.id}/trace`)).body.data
    return steps.find(({ type }: Json) => type === 'rerank')
  }
  const step = {
    name: 'sample-reranker',
    provider: 'local',
    status: 'completed',
    results: 12,
    error: null,
    usage: null,
  }
  const inTime = ({ error }: Json) => error !== 'timeout'
  expect(await whenFound(() => stepOf('pump'), inTime)).toMatchObject(step)
  const failed = { ...step, status: 'failed', results: 0, error: 'failed' }
  expect(await whenFound(() => stepOf('pump throw'), inTime)).toMatchObject(failed)
})

it('is refused where there is none, and a tool from elsewhere keeps the order', async () => {
  const service = await startService()
  const { source, retrievalTool, find } = await library(service, texts)
  const body = { name: 'X', knowledge_source_ids: [source], rerank: 'local' }
  const refused = await service.post('/retrieval-tools', body)
  expect([refused.status, refused.body.code, refused.body.details[0].path]).toEqual([400, 'invalid_request', 'rerank'])
  expect(refused.body.details[0].message).toContain('Set RERANKER_MODULE to the path of its module')
  expect((await service.get('/status')).body.data.components.reranker).toBeUndefined()
  const tool = await retrievalTool({ top_k: 2, search_mode: 'keyword' })
  const changed = await service.put(`/retrieval-tools/${tool}`, { rerank: 'local' })
  expect([changed.status, changed.body.code]).toEqual([400, 'invalid_request'])
  // As after a restart without the setting.
  await sql`update retrieval_tool set rerank = 'local' where id = ${tool}`.execute(service.ctx.db)
  const found = await find(tool, 'pump')
  expect([titles(found), found.degraded[0].code]).toEqual([['Text 0', 'Text 1'], 'rerank_failed'])
  expect((await service.put(`/retrieval-tools/${tool}`, { top_k: 1 })).status).toBe(200)
})
