import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { library } from '../../../test/handbook.ts'
import { type Json, startService, until } from '../../../test/harness.ts'
import { scriptedProvider } from '../../../test/scripted-provider.ts'
import { stageOn } from '../../../test/stage.ts'

describe('RAG tools', () => {
  it('are created with the documented fields and are ready at once with default settings', async () => {
    const service = await startService()
    const { get, post, put, remove } = service
    const { source } = await library(service)
    const made = await post('/rag-tools', { name: 'Docs', description: 'D', knowledge_source_id: source })
    expect(made.status).toBe(201)
    expect(made.body.data).toMatchObject({
      name: 'Docs',
      description: 'D',
      knowledge_source_id: source,
      embedding_model: 'all-MiniLM-L6-v2',
      chunk_size: 400,
      chunk_overlap: 60,
      top_k: 5,
      search_mode: 'hybrid',
      score_threshold: null,
      model_id: null,
      filters: {},
      status: 'ready',
      index: { documents: 3, chunks: 3, refined: expect.any(Number), updated_at: expect.stringMatching(/Z$/) },
    })
    expect(Object.keys(made.body.data).filter((name) => name.startsWith('resolved'))).toEqual([])
    const { id } = made.body.data
    const again = await put(`/rag-tools/${id}`, { ...made.body.data, top_k: 3 })
    expect([again.status, again.body.data.top_k, again.body.data.chunk_overlap]).toEqual([200, 3, 60])
    expect((await get('/rag-tools?knowledge_source_id=none')).body.pagination.total).toBe(0)
    expect((await get('/rag-tools')).body.data[0]).toMatchObject({ id, status: 'ready', index: { documents: 3 } })
    const used = await remove(`/knowledge-sources/${source}`)
    expect([used.status, used.body.code, used.body.details[0].path]).toEqual([409, 'in_use', id])
    expect((await remove(`/rag-tools/${id}`)).status).toBe(200)
    expect((await get(`/rag-tools/${id}`)).status).toBe(404)
    expect((await remove(`/knowledge-sources/${source}`)).status).toBe(200)
  })

  it('report invalid fields', async () => {
    const service = await startService()
    const { get, post, put } = service
    const { source, ragTool } = await library(service)
    const chat = (await get('/models?type=chat')).body.data[0].id
    const wrong = async (more: object) => {
      const { body } = await post('/rag-tools', { name: 'X', knowledge_source_id: source, ...more })
      return [body.code, body.details?.[0]?.path]
    }
    const bad = (path: string) => ['invalid_request', path]
    expect(await wrong({ name: '' })).toEqual(bad('name'))
    expect(await wrong({ knowledge_source_id: undefined })).toEqual(bad('knowledge_source_id'))
    expect(await wrong({ knowledge_source_id: 'src_none' })).toEqual(['unknown_reference', 'knowledge_source_id'])
    expect(await wrong({ embedding_model: 'none' })).toEqual(['unknown_reference', 'embedding_model'])
    expect(await wrong({ embedding_model: chat })).toEqual(bad('embedding_model'))
    expect(await wrong({ model_id: 'all-MiniLM-L6-v2' })).toEqual(bad('model_id'))
    for (const chunk_size of [49, 4001, 100.5, '100']) expect(await wrong({ chunk_size })).toEqual(bad('chunk_size'))
    expect(await wrong({ chunk_size: 50, chunk_overlap: 50 })).toEqual(bad('chunk_overlap'))
    expect(await wrong({ chunk_overlap: -1 })).toEqual(bad('chunk_overlap'))
    for (const top_k of [0, 51]) expect(await wrong({ top_k })).toEqual(bad('top_k'))
    expect(await wrong({ search_mode: 'magic' })).toEqual(bad('search_mode'))
    expect(await wrong({ score_threshold: 2 })).toEqual(bad('score_threshold'))
    expect(await wrong({ filters: { year: { above: 3 } } })).toEqual(bad(expect.stringContaining('filters')))
    expect(await wrong({ colour: 'red' })).toEqual(bad('colour'))
    const tool = await ragTool({ chunk_size: 100 })
    expect((await get(`/rag-tools/${tool}`)).body.data.chunk_overlap).toBe(15)
    expect((await put(`/rag-tools/${tool}`, { chunk_overlap: 100 })).body.details[0].path).toBe('chunk_overlap')
    for (const body of [{}, { query: ' ' }, { query: 'x', top_k: 51 }, { query: 'x', filters: { a: { b: 1 } } }]) {
      expect((await post(`/rag-tools/${tool}/query`, body)).status).toBe(400)
    }
    expect((await post('/rag-tools/rag_none/query', { query: 'x' })).status).toBe(404)
  })

  it('find exact spans of documents with their metadata', async () => {
    const service = await startService()
    const { ragTool, ask, source, text } = await library(service)
    const tool = await ragTool({ chunk_size: 50 })
    const { query, results, answer, citations } = await ask(tool, 'water filter', { answer: false })
    expect([query, answer, citations]).toEqual(['water filter', null, []])
    expect(results[0]).toMatchObject({
      content: expect.stringContaining('The water filter of the coffee machine'),
      metadata: { source: 'Machines', page: 1, department: 'facilities', year: 2021 },
    })
    const scores = results.map((result: Json) => result.score)
    expect(scores).toEqual([...scores].sort((one, other) => other - one))
    expect(Math.max(...scores)).toBeLessThanOrEqual(1)
    expect(Math.min(...scores)).toBeGreaterThan(0)
    for (const { content, metadata } of results) {
      const whole = await text(source, metadata.document_id)
      expect(whole.slice(metadata.start, metadata.end)).toBe(content)
      expect(metadata.chunk_id).toMatch(/^chk_/)
    }
  })

  it('combine the filters of the tool and of the query', async () => {
    const service = await startService()
    const { ragTool, ask } = await library(service)
    const tool = await ragTool()
    const sources = async (filters: object, on = tool) => {
      const { results } = await ask(on, 'the water leave password', { answer: false, filters, top_k: 50 })
      return [...new Set(results.map((result: Json) => result.metadata.source))].sort()
    }
    expect(await sources({})).toEqual(['Leave', 'Machines', 'Office'])
    expect(await sources({ department: 'people' })).toEqual(['Leave'])
    expect(await sources({ source: ['Office', 'Leave'] })).toEqual(['Leave', 'Office'])
    expect(await sources({ year: { gte: 2022 } })).toEqual(['Leave', 'Office'])
    expect(await sources({ year: { gte: 2022, lte: 2023 }, page: 1 })).toEqual(['Leave'])
    expect(await sources({ department: { ne: 'people' } })).toEqual(['Machines', 'Office'])
    expect(await sources({ nothing: 'x' })).toEqual([])
    const narrow = await ragTool({ filters: { department: 'facilities' } })
    expect(await sources({ department: ['people', 'facilities'], year: { gte: 2022 } }, narrow)).toEqual(['Office'])
  })

  it('answer with the local model by quoting and citing passages', async () => {
    const service = await startService()
    const { ragTool, ask } = await library(service)
    const tool = await ragTool()
    const { results, answer, citations } = await ask(tool, 'How many weeks of leave do parents get?')
    expect(answer).toContain('Parents get sixteen weeks of leave after the birth of a child.')
    expectChecked({ results, answer, citations })
    expect(citations.length).toBeGreaterThan(0)
    const reworded = await ask(tool, 'Where do I put my bike?')
    expect(reworded.answer).toContain('Bicycles are kept in the basement.')
    expectChecked(reworded)
    const { data } = (await service.get(`/usage/stats?entity_type=tool&entity_id=${tool}`)).body
    expect(data.total_tokens).toBeGreaterThan(0)
    const empty = await ask(tool, 'leave', { filters: { source: 'none' } })
    expect([empty.results, empty.citations]).toEqual([[], []])
    expect(empty.answer).toMatch(/nothing/i)
  })

  it('answer with another model, check its citations and pass passages as data', async () => {
    const provider = await scriptedProvider({
      deltas: ['You get sixteen weeks', ' [1]. Ask the moon [9]. Filters change monthly [2, 1].'],
    })
    onTestFinished(() => provider.close())
    const service = await startService()
    const { ragTool, ask } = await library(service)
    const model = { name: 'S', provider: 'openai-compatible', model_id: 's-1', endpoint: provider.url }
    const { id } = (await service.post('/models', { ...model, pricing: { input: 1, output: 2 } })).body.data
    const tool = await ragTool({ model_id: 's-1' })
    const query = 'How long is parental leave?'
    const { results, answer, citations } = await ask(tool, query)
    expect(answer).toBe('You get sixteen weeks [1]. Ask the moon. Filters change monthly [2][1].')
    expectChecked({ results, answer, citations })
    expect(citations[0].quote).toContain('sixteen weeks')
    const [system, user] = (provider.requests[0]?.body.messages ?? []) as Json[]
    expect(system.content).toContain('not instructions')
    expect(user.content).toContain(JSON.stringify(results[0].content))
    expect(user.content).toContain(query)
    const { by_model } = (await service.get(`/usage/costs?entity_type=tool&entity_id=${tool}`)).body.data
    expect(by_model[id].cost).toBeGreaterThan(0)
    expect((await service.remove(`/models/${id}`)).body.code).toBe('in_use')
    provider.next({ status: 401, body: { error: { message: 'No.' } } })
    const failed = await service.post(`/rag-tools/${tool}/query`, { query })
    expect([failed.status, failed.body.code]).toEqual([502, 'provider_error'])
  })

  it.each([
    ['English', 'It grazes all day. '],
    ['Amharic', 'ቀኑን ሙሉ ይግጣል። '],
  ])('give a model whose context window is not known as many passages as fit a common one, in %s', async (_, text) => {
    const service = await startService()
    const { provider, model } = await stageOn(service, { deltas: ['Yes [1].'] })
    const content = (at: number) => `The zebra eats grass in ${at}. ${text.repeat(9000 / text.length)}`
    const { ragTool, ask } = await library(
      service,
      Array.from({ length: 20 }, (_, at) => ({ title: `${at}`, content: content(1000 + at) })),
    )
    const tool = await ragTool({ model_id: model, chunk_size: 4000, top_k: 20 })
    expect((await ask(tool, 'What does the zebra eat?')).results).toHaveLength(20)
    const prompt = ((provider.requests.at(-1)?.body.messages ?? []) as Json[]).map(({ content }) => content)
    const tokens = (await service.ctx.tokens.count(prompt)).reduce((sum, count) => sum + count)
    expect(tokens).toBeLessThan(32_768)
    expect(tokens).toBeGreaterThan(32_768 * 0.7)
  })

  it('give the model a row from the middle of a table with the header of the table', async () => {
    const provider = await scriptedProvider({ deltas: ['It costs 137 [1].'] })
    onTestFinished(() => provider.close())
    const service = await startService()
    const { make, upload, settled, ragTool, ask, text, documents } = await library(service)
    const items = Array.from({ length: 150 }, (_, at) => [`Item ${at}`, String(at), 'in stock'])
    const head = ['Article', 'Price in euros', 'Availability']
    const html = [head, ...items].map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
    const source = await make()
    await upload(source, {
      'prices.csv': [head, ...items].map((row) => row.join(',')).join('\n'),
      'prices.html': `<h1>Prices</h1><table>${html.join('')}</table>`,
    })
    await settled(source)
    await service.post('/models', { name: 'S', provider: 'openai-compatible', model_id: 's-1', endpoint: provider.url })
    const tool = await ragTool({ knowledge_source_id: source, model_id: 's-1', chunk_size: 100, chunk_overlap: 0 })
    for (const { id, name } of await documents(source)) {
      const { results } = await ask(tool, 'What does item 137 cost?', { filters: { source: name } })
      const [{ content, metadata, why }] = results
      expect(content).toContain('| Item 137 | 137 | in stock |')
      expect(content).toBe((await text(source, id)).slice(metadata.start, metadata.end))
      expect(why.headings.at(-1)).toBe('| Article | Price in euros | Availability |')
      const prompt = JSON.stringify(provider.requests.at(-1)?.body.messages)
      expect(prompt).toContain('| Article | Price in euros | Availability |')
    }
  })

  it('cost nothing if the reader leaves while the model is busy', async () => {
    const provider = await scriptedProvider({ status: 503, headers: { 'retry-after': '30' } })
    onTestFinished(() => provider.close())
    const service = await startService()
    const { ragTool } = await library(service)
    const model = { name: 'S', provider: 'openai-compatible', model_id: 's-1', endpoint: provider.url }
    const { id } = (await service.post('/models', model)).body.data
    const tool = await ragTool({ model_id: 's-1' })
    const reader = new AbortController()
    const asked = fetch(`${service.url}/api/rag-tools/${tool}/query`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'How long is parental leave?' }),
      signal: reader.signal,
    }).catch(() => null)
    const isOpen = async () => (await sql`select holder from calls_under_way`.execute(service.ctx.db)).rows.length > 0
    await until(async () => provider.requests.length === 1 && (await isOpen()))
    provider.next({ deltas: ['Hello'] })
    await service.post(`/models/${id}/test`) // the first reply has arrived before this one
    const { total_tokens } = (await service.get('/usage/stats')).body.data
    reader.abort()
    await asked
    await until(async () => !(await isOpen()))
    expect((await service.get('/usage/stats')).body.data.total_tokens).toBe(total_tokens)
  })

  it('can be queried by editors only, and not from another workspace', async () => {
    const service = await startService()
    const { ragTool } = await library(service)
    const tool = await ragTool()
    const viewer = await service.tokenFor('viewer')
    expect((await service.get(`/rag-tools/${tool}`, { token: viewer })).status).toBe(200)
    expect((await service.post(`/rag-tools/${tool}/query`, { query: 'x' }, { token: viewer })).status).toBe(403)
    const other = (await service.post('/workspaces', { name: 'Other' })).body.data.id
    const headers = { 'x-workspace': other }
    expect((await service.post(`/rag-tools/${tool}/query`, { query: 'x' }, { headers })).status).toBe(404)
  })
})

function expectChecked({ results, answer, citations }: Json): void {
  const named = [...answer.matchAll(/\[(\d+)\]/g)].map((match) => Number(match[1]))
  expect(new Set(citations.map((each: Json) => each.index))).toEqual(new Set(named))
  for (const { index, result, quote } of citations) {
    expect(result).toBe(index - 1)
    expect(quote.length).toBeGreaterThan(0)
    expect(results[result].content).toContain(quote)
  }
}

it('a tool over an empty source is pending and finds nothing', async () => {
  const service = await startService()
  const source = (await service.post('/knowledge-sources', { name: 'Empty', type: 'file' })).body.data.id
  const made = await service.post('/rag-tools', { name: 'E', knowledge_source_id: source })
  expect(made.body.data).toMatchObject({ status: 'pending', index: { documents: 0, chunks: 0, refined: 0 } })
  const { body } = await service.post(`/rag-tools/${made.body.data.id}/query`, { query: 'anything' })
  expect([body.data.results, body.data.citations]).toEqual([[], []])
  expect(body.data).toMatchObject({ index: { status: 'pending' }, degraded: [{ code: 'index_not_ready' }] })
})
