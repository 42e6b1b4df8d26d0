import { describe, expect, it, onTestFinished } from 'vitest'
import { builtIn, handbookTexts, library, long, sections } from '../../../test/handbook.ts'
import { type Json, startService, until } from '../../../test/harness.ts'
import { scriptedProvider } from '../../../test/scripted-provider.ts'
import { hour } from '../../kernel/time.ts'
import { cleanUpIndexes } from './building/cleanup.ts'

describe('an index', () => {
  it('updates only changed passages and removes deleted documents', async () => {
    const service = await startService()
    const { source, settled, ragTool, ask, documents } = await library(service, long(sections))
    const first = await settled(source)
    expect(first.chunks).toMatchObject({ reused: 0, removed: 0 })
    expect(first.chunks.embedded).toBeGreaterThanOrEqual(6)
    const tool = await ragTool()
    const changed = [`# New\n\nThe zebra sleeps. ${'It snores. '.repeat(60)}`, ...sections.slice(0, -1)]
    await service.put(`/knowledge-sources/${source}`, { configuration: { documents: long(changed) } })
    const second = await settled(source)
    expect(second.documents).toMatchObject({ updated: 1 })
    expect(second.chunks.reused).toBeGreaterThanOrEqual(5)
    expect(second.chunks.embedded).toBeLessThanOrEqual(3)
    expect(second.chunks.removed).toBeGreaterThanOrEqual(1)
    const { results } = await ask(tool, 'zebra', { answer: false })
    expect(results[0].content).toContain('The zebra sleeps.')
    const [document] = await documents(source)
    await service.remove(`/knowledge-sources/${source}/documents/${document.id}`)
    expect((await ask(tool, 'zebra sentence part', { answer: false, top_k: 50 })).results).toEqual([])
    expect((await service.get(`/rag-tools/${tool}`)).body.data.index).toMatchObject({ documents: 0, chunks: 0 })
    const names = await service.ctx.search.listIndexes()
    for (const name of names) expect(await service.ctx.search.documentChunks(name, document.id)).toEqual([])
  })

  it('is built while the old one serves when a tool changes', async () => {
    const service = await startService()
    const { ragTool, ask, whenReady } = await library(service, long(sections))
    const tool = await ragTool()
    const before = (await service.get(`/rag-tools/${tool}`)).body.data.index
    let gaps = 0
    let isDone = false
    const asking = (async () => {
      while (!isDone) {
        const { results } = await ask(tool, 'sentence', { answer: false })
        if (results.length === 0) gaps++
      }
    })()
    const changed = await service.put(`/rag-tools/${tool}`, { chunk_size: 100, chunk_overlap: 0 })
    expect(['pending', 'indexing', 'ready']).toContain(changed.body.data.status)
    const after = await whenReady(`/rag-tools/${tool}`)
    isDone = true
    await asking
    expect(gaps).toBe(0)
    expect(after.index.chunks).toBeGreaterThan(before.chunks)
    expect(after.index.documents).toBe(1)
  })

  it('always has the old or the new text of a replaced document', async () => {
    const service = await startService()
    const { upload, make, settled, ragTool, ask } = await library(service)
    const papers = await make()
    const version = (number: number) =>
      `The zebra of version ${number} sleeps. ${'It snores loudly. '.repeat(number % 7)}`
    await upload(papers, { 'zebra.txt': version(0) })
    await settled(papers)
    const tool = await ragTool({ knowledge_source_id: papers })
    let isDone = false
    let [asked, gaps] = [0, 0]
    const asking = Array.from({ length: 3 }, async () => {
      while (!isDone) {
        const { results } = await ask(tool, 'zebra', { answer: false })
        asked++
        if (results.length === 0) gaps++
      }
    })
    for (let number = 1; number <= 4; number++) {
      await upload(papers, { 'zebra.txt': version(number) })
      await settled(papers)
    }
    isDone = true
    await Promise.all(asking)
    expect([asked > 20, gaps]).toEqual([true, 0])
  })

  it('gives tools a status to sort and filter by', async () => {
    const service = await startService()
    const { source, make, settled } = await library(service)
    const blank = await make({ type: 'text', configuration: { documents: [{ title: 'Blank', content: ' ' }] } })
    await settled(blank)
    const sources = { ready: source, pending: await make(), error: blank }
    const made: Json[] = []
    for (const [name, id] of Object.entries(sources)) {
      made.push(await service.post('/rag-tools', { name, knowledge_source_id: id }))
      made.push(await service.post('/retrieval-tools', { name, knowledge_source_ids: [id] }))
    }
    for (const path of ['/rag-tools', '/retrieval-tools']) {
      const list = async (query: string) => (await service.get(`${path}?${query}`)).body
      for (const name of Object.keys(sources)) {
        // Until their indexes are built, others have this state too.
        const [tool] = await until(async () => {
          const { data } = await list(`status=${name}`)
          return data.length === 1 && data[0].name === name && data
        })
        expect(tool.status).toBe(name)
      }
      const sorted = (await list('sort=status&order=asc')).data
      expect(sorted.map(({ status }: Json) => status)).toEqual(['error', 'pending', 'ready'])
      expect((await list('status=odd')).code).toBe('invalid_request')
    }
    expect(made.every(({ status }) => status === 201)).toBe(true)
  })

  it('embeds each text once with any embedding model and charges for it', async () => {
    const provider = await scriptedProvider()
    onTestFinished(() => provider.close())
    const service = await startService()
    const { ragTool, retrievalTool, whenRefined, ask, source } = await library(service)
    const model = { name: 'E', provider: 'openai-compatible', model_id: 'emb-1', type: 'embedding' }
    const body = { ...model, endpoint: provider.url, pricing: { input: 1, output: 0 } }
    const { id } = (await service.post('/models', body)).body.data
    const tool = await ragTool({ embedding_model: 'emb-1' })
    const { embedding_model, index } = await whenRefined(`/rag-tools/${tool}`)
    expect([embedding_model, index.refined]).toEqual(['emb-1', 3])
    const embedded = () =>
      provider.requests.filter(({ path }) => path.endsWith('/embeddings')).flatMap(({ body }) => body.input as string[])
    expect(embedded()).toHaveLength(3)
    await ask(tool, 'water', { answer: false })
    await ask(tool, 'water', { answer: false })
    expect(embedded().slice(3)).toEqual(['water'])
    const other = await retrievalTool({ embedding_model: id, knowledge_source_ids: [source], chunk_overlap: 10 })
    await whenRefined(`/retrieval-tools/${other}`)
    expect(embedded()).toHaveLength(4)
    const { by_model } = (await service.get(`/usage/stats?entity_type=tool&entity_id=${tool}`)).body.data
    expect(by_model[id].cost).toBeGreaterThan(0)
    expect((await service.remove(`/models/${id}`)).body.code).toBe('in_use')
    await provider.refuse()
    const refused = await ask(tool, 'guest password', { answer: false })
    expect(refused.results[0].metadata.source).toBe('Office')
    expect(refused).toMatchObject({ index: { status: 'ready' }, degraded: [{ code: 'embedding_failed' }] })
  })

  it('is deleted with its workspace', async () => {
    const service = await startService()
    const other = (await service.post('/workspaces', { name: 'Other' })).body.data.id
    const headers = { 'x-workspace': other }
    const documents = handbookTexts
    const source = { name: 'S', type: 'text', configuration: { documents } }
    const { id } = (await service.post('/knowledge-sources', source, { headers })).body.data
    await until(async () => (await service.get(`/knowledge-sources/${id}`, { headers })).body.data.status === 'active')
    const indexesThere = async () =>
      (await service.ctx.search.listIndexes()).filter(({ workspace }) => workspace === other).length
    expect(await indexesThere()).toBe(1)
    expect((await service.remove(`/workspaces/${other}`)).status).toBe(200)
    expect(await indexesThere()).toBe(0)
  })

  it('that no tool needs is dropped after an hour, and one without a row at once', async () => {
    let clockSkew = 0
    const service = await startService({ now: () => Date.now() + clockSkew })
    const { ragTool, whenReady } = await library(service)
    const tool = await ragTool({ ...builtIn, chunk_size: 100 })
    await service.put(`/rag-tools/${tool}`, { chunk_size: 400, chunk_overlap: 60 })
    await whenReady(`/rag-tools/${tool}`)
    const names = () => service.ctx.search.listIndexes()
    const count = async () => (await names()).length
    expect(await count()).toBe(2)
    const orphan = { workspace: 'wsp_gone', key: 'idx_gone' }
    await service.ctx.search.update(orphan, { add: [] })
    expect(await names()).toContainEqual(orphan)
    await cleanUpIndexes(service.ctx)
    expect(await names()).not.toContainEqual(orphan)
    expect(await count()).toBe(2)
    clockSkew = 2 * hour
    await cleanUpIndexes(service.ctx)
    expect(await count()).toBe(1)
    expect((await service.get(`/rag-tools/${tool}`)).body.data).toMatchObject({ status: 'ready', index: { chunks: 3 } })
  })
})
