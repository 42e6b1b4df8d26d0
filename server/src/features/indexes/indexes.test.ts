import { describe, expect, it, onTestFinished } from 'vitest'
import { builtIn, handbookTexts, library } from '../../../test/handbook.ts'
import { freshEnvironment, type Json, startOn, startService, until } from '../../../test/harness.ts'
import { scriptedProvider } from '../../../test/scripted-provider.ts'
import { hour } from '../../kernel/time.ts'
import { cleanUpIndexes } from './building/cleanup.ts'

const sections = Array.from({ length: 12 }, (_, at) => `# Part ${at}\n\n${`Sentence ${at} of many. `.repeat(40)}`)
const long = (parts: string[]) => [{ title: 'Long', content: parts.join('\n\n') }]

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

  it('is embedded in the background by the built-in model; the static model needs no embedding', async () => {
    const service = await startService()
    const { ragTool, whenRefined } = await library(service)
    const tool = await ragTool(builtIn)
    expect((await whenRefined(`/rag-tools/${tool}`)).index).toMatchObject({ chunks: 3, refined: 3 })
    const plain = await ragTool({ embedding_model: 'parley-static-256' })
    const { index, status_message } = (await service.get(`/rag-tools/${plain}`)).body.data
    expect([index.chunks, index.refined, status_message]).toEqual([3, 3, null])
  }, 300_000)

  it('of a new source is built whatever other models have the name of the built-in one', async () => {
    const service = await startService()
    const endpoint = 'http://127.0.0.1:1/v1'
    for (const model of [{ provider: 'local' }, { provider: 'ollama', endpoint }]) {
      const created = await service.post('/models', { name: 'Another', model_id: builtIn.embedding_model, ...model })
      expect(created.body.data.type).toBe('embedding')
    }
    const { source, settled, ragTool, ask } = await library(service)
    expect((await settled(source)).documents).toMatchObject({ total: 3, failed: 0 })
    const tool = await ragTool({ embedding_model: null })
    expect((await ask(tool, 'parental leave', { answer: false })).results[0].metadata.source).toBe('Leave')
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

  it('reports why its embedding model fails, serves meanwhile and catches up', async () => {
    const provider = await scriptedProvider({ status: 401, body: { error: { message: 'Wrong key.' } } })
    onTestFinished(() => provider.close())
    const service = await startService()
    const { ragTool, ask, whenRefined } = await library(service)
    const model = { name: 'E', provider: 'openai-compatible', model_id: 'emb-1', type: 'embedding' }
    await service.post('/models', { ...model, endpoint: provider.url })
    const tool = await ragTool({ embedding_model: 'emb-1' })
    const stuck = await until(async () => {
      const { data } = (await service.get(`/rag-tools/${tool}`)).body
      return data.status_message !== null && data
    })
    expect([stuck.status, stuck.index.refined]).toEqual(['ready', 0])
    expect(stuck.status_message).toContain('401')
    const pending = await ask(tool, 'pump', { answer: false })
    expect(pending.results[0].metadata.source).toBe('Machines')
    expect(pending).toMatchObject({ index: { status: 'ready' }, degraded: [{ code: 'embedding_pending' }] })
    await provider.close()
    const recovered = await scriptedProvider(undefined, { port: Number(new URL(provider.url).port) })
    onTestFinished(() => recovered.close())
    await whenRefined(`/rag-tools/${tool}`)
    await until(async () => (await service.get(`/rag-tools/${tool}`)).body.data.status_message === null)
    expect((await ask(tool, 'pump', { answer: false })).degraded).toEqual([])
  })

  it('is loaded after a restart and goes on being embedded', async () => {
    const environment = { ...(await freshEnvironment()), ADMIN_TOKEN: 't' }
    const first = await startOn(environment)
    const { ragTool } = await library(first, long(sections))
    const tool = await ragTool({ ...builtIn, chunk_size: 100 })
    await first.close(0)
    const second = await startOn(environment)
    const read = await until(async () => {
      const { data } = (await second.get(`/rag-tools/${tool}`)).body
      return data.index.refined === data.index.chunks && data
    })
    expect([read.status, read.index.chunks > 10]).toEqual(['ready', true])
    const { body } = await second.post(`/rag-tools/${tool}/query`, { query: 'sentence 3', answer: false })
    expect(body.data.results.map((result: Json) => result.metadata.source)).toContain('Long')
  }, 300_000)

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
