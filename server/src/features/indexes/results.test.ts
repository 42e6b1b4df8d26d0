import { makePdf } from '@parley/documents/testing'
import { describe, expect, it } from 'vitest'
import { handbookTexts, library } from '../../../test/handbook.ts'
import { type Json, startService, until } from '../../../test/harness.ts'
import { knowledge } from '../../../test/knowledge.ts'

describe('the passages of a document', () => {
  it('are listed in the order of the text with position, page and headings', async () => {
    const service = await startService()
    const { get } = service
    const { make, upload, settled, documents, text } = knowledge(service)
    const source = await make()
    const parts = Array.from(
      { length: 30 },
      (_, part) => `## Part ${part}\n\n${`Sentence of part ${part}. `.repeat(40)}`,
    )
    await upload(source, { 'book.md': `# Book\n\n${parts.join('\n\n')}`, 'two.pdf': makePdf(['First page', 'Second']) })
    await settled(source)
    const [book, pdf] = await documents(source)
    expect([book.name, book.status, book.error]).toEqual(['book.md', 'indexed', null])
    const path = `/knowledge-sources/${source}/documents/${book.id}/chunks`
    const all = (await get(`${path}?limit=100`)).body
    expect(all.pagination).toEqual({ page: 1, limit: 100, total: all.data.length, pages: 1 })
    expect(all.data.length).toBeGreaterThan(20)
    const whole = await text(source, book.id)
    all.data.forEach((chunk: Json, at: number) => {
      const keys = ['content', 'created_at', 'end', 'headings', 'id', 'page', 'position', 'start', 'updated_at']
      expect(Object.keys(chunk).sort()).toEqual(keys)
      expect([chunk.position, chunk.page]).toEqual([at + 1, 1])
      expect(whole.slice(chunk.start, chunk.end)).toBe(chunk.content)
      expect(chunk.start).toBeGreaterThan(all.data[at - 1]?.start ?? -1)
    })
    expect(all.data.at(-1).headings).toEqual(['book', 'Book', 'Part 29'])
    const second = (await get(`${path}?limit=7&page=2`)).body
    expect(second.data).toEqual(all.data.slice(7, 14))
    expect((await get(`${path}?page=99`)).body.data).toEqual([])
    expect((await get(`${path}?limit=101`)).body.details[0].path).toBe('limit')
    const pages = (await get(`/knowledge-sources/${source}/documents/${pdf.id}/chunks`)).body.data
    expect(pages.map(({ page }: Json) => page)).toContain(1)
    expect(pages.map(({ content }: Json) => content).join(' ')).toContain('Second')
  })

  it('are empty before the first sync and hidden from other workspaces', async () => {
    const service = await startService()
    const { make, upload, documents } = knowledge(service)
    const source = await make()
    await upload(source, { 'a.txt': 'Not yet.' }, { query: '?sync=false' })
    const [document] = await documents(source)
    const path = `/knowledge-sources/${source}/documents/${document.id}/chunks`
    expect((await service.get(path)).body).toMatchObject({ data: [], pagination: { total: 0, pages: 0 } })
    const other = (await service.post('/workspaces', { name: 'Other' })).body.data.id
    expect((await service.get(path, { headers: { 'x-workspace': other } })).status).toBe(404)
    expect((await service.get(path.replace(document.id, 'doc_none'))).status).toBe(404)
    expect((await service.get(path, { token: await service.tokenFor('viewer') })).status).toBe(200)
    expect((await service.get(path, { token: await service.tokenFor('user', { user_id: 'u' }) })).status).toBe(403)
  })
})

describe('search results', () => {
  it('explain their score: keyword and vector parts, headings and matched terms', async () => {
    const service = await startService()
    const { ragTool, retrievalTool, ask, find } = await library(service)
    const tool = await retrievalTool()
    const query = 'How do parents leave?'
    const [hybrid, keyword, vector] = await Promise.all(
      ['hybrid', 'keyword', 'vector'].map(async (search_mode) => (await find(tool, query, { search_mode })).results[0]),
    )
    expect(Object.keys(hybrid).sort()).toEqual(['content', 'metadata', 'score', 'why'])
    expect(hybrid.why).toMatchObject({ headings: ['Leave', 'Parental leave'] })
    expect(hybrid.why.terms).toEqual(expect.arrayContaining(['Leave', 'leave', 'Parents']))
    expect(keyword.why).toMatchObject({ keyword: hybrid.why.keyword, vector: null, terms: hybrid.why.terms })
    expect(vector.why).toMatchObject({ keyword: null, vector: hybrid.why.vector })
    const { results } = await ask(await ragTool(), 'pump water password', { answer: false })
    const evidence = results.map(({ why }: Json) => 0.35 * 0.7 * (why.vector ?? 0) + 0.65 * (why.keyword ?? 0))
    expect(evidence).toEqual([...evidence].sort((one, other) => other - one))
    const [meant] = (await find(tool, 'newborn baby')).results
    expect(meant.why).toMatchObject({ keyword: null, vector: expect.closeTo(0.4, 0), terms: [] })
  })

  it('that an agent gets have no explanation', async () => {
    const service = await startService()
    const { ragTool } = await library(service)
    const agent = (await service.post('/agents', { name: 'A', tools: [await ragTool()] })).body.data.id
    const conversation = (await service.post('/conversations', { agent_id: agent })).body.data.id
    const message = 'Where is the password of the guest network?'
    const { data } = (await service.post(`/conversations/${conversation}/messages`, { message })).body
    const [found] = JSON.parse(data.tool_calls[0].result).results
    expect(Object.keys(found)).toEqual(['index', 'content', 'score', 'metadata'])
  })

  it('are found by other forms of a word where nothing tells the language, and by names with or without a hyphen', async () => {
    const service = await startService()
    const { make, upload, settled } = knowledge(service)
    const source = await make()
    const rows = ['sku;item;price', ...['drill', 'hammer', 'wrench'].map((item, n) => `${n};Cordless ${item};${n}`)]
    await upload(source, {
      'catalogue.csv': rows.join('\n'),
      'lab.md': 'The level of IL-6 was what they had measured.',
    })
    await settled(source)
    const body = { name: 'R', knowledge_source_ids: [source], search_mode: 'keyword' }
    const { id } = (await service.post('/retrieval-tools', body)).body.data
    await until(async () => (await service.get(`/retrieval-tools/${id}`)).body.data.status === 'ready')
    const found = async (query: string) => {
      const { results } = (await service.post(`/retrieval-tools/${id}/search`, { query })).body.data
      return results.map(({ metadata }: Json) => metadata.source)
    }
    expect(await found('drills')).toEqual(['catalogue.csv'])
    expect(await found('il6')).toEqual(['lab.md'])
  })

  it('have each text once, whatever sources and documents it is in', async () => {
    const service = await startService()
    const { make, settled, source, retrievalTool, find } = await library(service)
    const [leave] = handbookTexts
    const documents = ['Copy', 'Another copy'].map((title) => ({ ...leave, title }))
    const copies = await make({ type: 'text', configuration: { documents } })
    await settled(copies)
    const tool = await retrievalTool({ knowledge_source_ids: [source, copies] })
    for (const search_mode of ['hybrid', 'keyword', 'vector']) {
      const { results } = await find(tool, 'parental leave in the office', { search_mode, top_k: 5 })
      const texts = results.map(({ content }: Json) => content)
      expect(texts.length).toBeGreaterThan(1)
      expect(new Set(texts).size).toBe(texts.length)
    }
    const only = await find(tool, 'parental leave', { filters: { source: 'Copy' } })
    expect(only.results.map(({ metadata }: Json) => metadata.source)).toEqual(['Copy'])
  })
})
