import { describe, expect, it, onTestFinished } from 'vitest'
import { handbookTexts, library } from '../../../test/handbook.ts'
import { type Json, startService } from '../../../test/harness.ts'
import { scriptedProvider } from '../../../test/scripted-provider.ts'

describe('retrieval tools', () => {
  it('search several sources at once and protect them from deletion', async () => {
    const service = await startService()
    const { source, make, settled, retrievalTool, find, whenReady } = await library(service)
    const documents = [{ title: 'Garden', content: 'The roses in the garden are watered every evening.' }]
    const second = await make({ name: 'Garden', type: 'text', configuration: { documents } })
    await settled(second)
    const searched = await service.post(`/knowledge-sources/${second}/search`, { query: 'When are the roses watered?' })
    expect(searched.body.data).toMatchObject({
      results: [{ content: documents[0]?.content, metadata: { source: 'Garden' } }],
      index: { status: 'ready' },
    })
    expect((await service.post('/knowledge-sources/ks_unknown/search', { query: 'roses' })).status).toBe(404)
    const tool = await retrievalTool({ knowledge_source_ids: [source, second] })
    const found = await find(tool, 'When are the roses watered?', { top_k: 50 })
    expect(found.query).toBe('When are the roses watered?')
    expect(found.took_ms).toEqual(expect.any(Number))
    expect(found.results[0]).toMatchObject({ content: documents[0]?.content, metadata: { source: 'Garden', page: 1 } })
    expect(new Set(found.results.map((result: Json) => result.metadata.source)).size).toBe(4)
    const read = (await service.get(`/retrieval-tools/${tool}`)).body.data
    expect(read).toMatchObject({ status: 'ready', index: { documents: 4, chunks: 4 }, rerank: 'none', weights: null })
    const refused = (await service.remove(`/knowledge-sources/${second}`)).body
    expect([refused.code, refused.details.map((detail: Json) => detail.path)]).toEqual(['in_use', [tool]])
    const call = /DELETE (\S+)/.exec(refused.details[0].message)?.[1] ?? ''
    expect((await service.get(call)).body.data.id).toBe(tool)
    await service.put(`/retrieval-tools/${tool}`, { knowledge_source_ids: [source] })
    expect((await whenReady(`/retrieval-tools/${tool}`)).index.documents).toBe(3)
    expect((await find(tool, 'roses', { search_mode: 'keyword' })).results).toEqual([])
    expect((await service.remove(`/knowledge-sources/${second}`)).status).toBe(200)
    expect((await service.remove(`/retrieval-tools/${tool}`)).status).toBe(200)
  })

  it('search by keyword, by vector and by both, as the tool or the request says', async () => {
    const service = await startService()
    const { retrievalTool, find, whenRefined } = await library(service)
    const tool = await retrievalTool({ search_mode: 'keyword', top_k: 2 })
    await whenRefined(`/retrieval-tools/${tool}`)
    const titles = async (query: string, more: object = {}) =>
      (await find(tool, query, more)).results.map((result: Json) => result.metadata.source)
    expect(await titles('pump')).toEqual(['Machines'])
    expect(await titles('newborn baby holiday')).toEqual([])
    expect((await titles('newborn baby holiday', { search_mode: 'vector' }))[0]).toBe('Leave')
    expect((await titles('newborn baby holiday', { search_mode: 'hybrid' }))[0]).toBe('Leave')
    expect(await titles('the', { search_mode: 'vector' })).toHaveLength(2)
    expect(await titles('the', { search_mode: 'vector', top_k: 1 })).toHaveLength(1)
    const { results } = await find(tool, 'pump water filter', { search_mode: 'hybrid', top_k: 50 })
    for (const { score } of results) expect(score > 0 && score <= 1).toBe(true)
    await service.put(`/retrieval-tools/${tool}`, { score_threshold: results[0].score, search_mode: 'hybrid' })
    expect((await find(tool, 'pump water filter')).results).toHaveLength(1)
  })

  it('weight keyword and vector scores, and rerank by MMR or by a model', async () => {
    const provider = await scriptedProvider()
    onTestFinished(() => provider.close())
    const service = await startService()
    const [, machines] = handbookTexts
    const similar = { ...machines, title: 'Machines again', content: `${machines?.content} Ask there.` }
    const twice = [...handbookTexts, similar]
    const { retrievalTool, find } = await library(service, twice)
    const onlyWords = await retrievalTool({ weights: { vector: 0, keyword: 1 } })
    const byWords = await find(onlyWords, 'pump', { top_k: 50 })
    const byKeyword = await find(onlyWords, 'pump', { top_k: 50, search_mode: 'keyword' })
    const chunks = ({ results }: Json) => results.map((result: Json) => result.metadata.chunk_id)
    expect(chunks(byWords)).toEqual(chunks(byKeyword))
    const plain = await retrievalTool({ top_k: 2 })
    const diverse = await retrievalTool({ top_k: 2, rerank: 'mmr' })
    const sources = ({ results }: Json) => results.map((result: Json) => result.metadata.source)
    const question = 'pump and filter, and the password of the network'
    expect(sources(await find(plain, 'the pump and the water filter')).sort()).toEqual(['Machines', 'Machines again'])
    expect(new Set(sources(await find(diverse, question)).map((name: string) => name.slice(0, 6))).size).toBe(2)

    const model = { name: 'R', provider: 'cohere', model_id: 'rerank-1', type: 'rerank', endpoint: provider.url }
    const { id } = (await service.post('/models', model)).body.data
    const ranked = await retrievalTool({ top_k: 1, rerank: 'rerank-1' })
    const { results } = await find(ranked, 'guest network password')
    expect([results.length, results[0].metadata.source, results[0].score]).toEqual([1, 'Office', 1])
    expect(provider.requests.at(-1)?.body).toMatchObject({ query: 'guest network password', model: 'rerank-1' })
    expect((await service.remove(`/models/${id}`)).body.code).toBe('in_use')
    const stats = (await service.get(`/usage/stats?entity_type=tool&entity_id=${ranked}`)).body.data
    expect(stats.by_model[id].requests).toBe(1)
    provider.next({ status: 400, body: { message: 'No.' } })
    const failed = await service.post(`/retrieval-tools/${ranked}/search`, { query: 'x y' })
    expect([failed.status, failed.body.code]).toEqual([502, 'provider_error'])
  })

  it('report invalid fields', async () => {
    const service = await startService()
    const { source } = await library(service, [])
    const wrong = async (more: object) => {
      const { body } = await service.post('/retrieval-tools', { name: 'X', knowledge_source_ids: [source], ...more })
      return [body.code, body.details?.[0]?.path]
    }
    const bad = (path: string) => ['invalid_request', path]
    expect(await wrong({ knowledge_source_ids: [] })).toEqual(bad('knowledge_source_ids'))
    expect(await wrong({ knowledge_source_ids: [source, source] })).toEqual(bad('knowledge_source_ids[1]'))
    expect(await wrong({ knowledge_source_ids: [source, 'src_none'] })).toEqual([
      'unknown_reference',
      'knowledge_source_ids[1]',
    ])
    expect(await wrong({ weights: { vector: 0, keyword: 0 } })).toEqual(bad('weights'))
    expect(await wrong({ weights: { vector: 1 } })).toEqual(bad('weights.keyword'))
    expect(await wrong({ rerank: 'best' })).toEqual(['unknown_reference', 'rerank'])
    expect(await wrong({ rerank: 'parley-extractive' })).toEqual(bad('rerank'))
    expect(await wrong({ chunk_size: 60, chunk_overlap: 60 })).toEqual(bad('chunk_overlap'))
    expect(await wrong({ model_id: 'x' })).toEqual(bad('model_id'))
  })
})
